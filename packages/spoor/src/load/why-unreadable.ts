/** Why a file cannot be read, in words that follow its name: "does not exist", "is a folder". */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return WORDS[code ?? ""] ?? `cannot be read: ${message}`;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EISDIR: "is a folder, not a file",
  EACCES: "may not be read: permission denied",
  EPERM: "may not be read: permission denied",
  ELOOP: "is a link that leads in a circle",
  ENAMETOOLONG: "has a name longer than a file can have",
  ENXIO: "is a socket, which cannot be read as a file",
  ERR_INVALID_ARG_VALUE: "holds a zero byte in its name, which no file has",
  EMFILE: "cannot be opened: this process has as many files open as it may (ulimit -n)",
  ENFILE: "cannot be opened: this system has as many files open as it may",
  ENOWRITER: "is a pipe that nobody writes to",
  EIO: "cannot be read: the disk reports an error",
};
