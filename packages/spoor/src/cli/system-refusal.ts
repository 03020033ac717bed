/**
 * What the system refused and nobody foresaw: a link in a circle, a full disk, no file handle left. It is a matter of the
 * machine or of the input, not a defect of Spoor, and no verdict either.
 */
import { relative } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { whyUnreadable } from "../load/why-unreadable.ts";
import { unwritableWords } from "../load/write-file.ts";

/** Undefined for what did not come from the system. */
export function systemRefusal(error: unknown, cwd: string): SpoorError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === "ERR_INVALID_ARG_VALUE" && error.message.includes("null bytes")) return impossibleName(error);
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return partMissing(error);
  if (code === undefined || (syscall === undefined && !TOO_LARGE.has(code))) return undefined;
  const file = path === undefined ? undefined : shownPath(path, cwd);
  const full = unwritableWords(code);
  const what =
    full !== undefined
      ? `${file ?? "A file"} cannot be written: ${full}`
      : file === undefined
        ? `The system refused: ${TOO_LARGE.has(code) ? "a text would be longer than this program can hold" : error.message}`
        : `${file} ${whyUnreadable(error)}`;
  return new SpoorError("system.refused", `${what}.`, {
    ...(file === undefined ? {} : { at: { file } }),
    consequence: "No verdict was reached.",
    hint: "Check the path, its permissions and the limits of this machine (disk, ulimit).",
    cause: error,
  });
}

/** Its own parts are there when it is installed whole; with too few handles Node finds none of them. */
function partMissing(error: Error): SpoorError {
  return new SpoorError("system.refused", `A part of Spoor cannot be loaded: ${error.message.split("\n")[0]}.`, {
    consequence: "No verdict was reached.",
    hint: "Allow more open files (ulimit -n); if there are enough, install Spoor again.",
    cause: error,
  });
}

/** No file can be called so: a character with the number 0 is in its name. */
function impossibleName(error: Error): SpoorError {
  return new SpoorError("system.refused", "A path has a NUL character in it, which no file can have.", {
    consequence: "No verdict was reached.",
    hint: "Look for \\0 or \\u0000 in the file or the argument that names the path.",
    cause: error,
  });
}

const TOO_LARGE: ReadonlySet<string> = new Set([
  "ERR_STRING_TOO_LONG",
  "ERR_FS_FILE_TOO_LARGE",
  "ERR_BUFFER_TOO_LARGE",
]);

function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === "" || below.startsWith("..") ? path : below;
}
