/**
 * Closes a recording when the process ends by itself: by returning, `process.exit` or an error nobody caught. Signals end a process
 * without it, and no handler is put in their way: whoever reads the file sees that it was not closed.
 */
export function closeAtExit(close: () => void): { cancel(): void } {
  const atExit = () => {
    try {
      close();
    } catch {
      // The program ends as it would have ended.
    }
  };
  process.once("exit", atExit);
  return { cancel: () => void process.removeListener("exit", atExit) };
}
