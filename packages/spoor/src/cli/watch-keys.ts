/** Keys of a person who watches: Enter, q, and Ctrl-C. On a terminal a key counts at once, in a pipe a line does. */
import type { ReadStream } from "node:tty";
import type { Io } from "./io.ts";

export interface WatchKeys {
  readonly again: () => void;
  readonly quit: () => void;
  readonly interrupt: () => void;
}

/** Returns what lets go of the keyboard. */
export function listenForKeys({ stdin }: Io, keys: WatchKeys): () => void {
  const terminal = stdin as ReadStream;
  const isTerminal = terminal.isTTY === true;
  if (isTerminal) terminal.setRawMode(true);
  const onData = (chunk: Buffer | string) => {
    for (const key of String(chunk)) {
      if (key === "\r" || key === "\n") keys.again();
      else if (key === "q" || key === "Q") return keys.quit();
      // In raw mode Ctrl-C is a character like any other.
      else if (key === "\u0003") return keys.interrupt();
    }
  };
  stdin.on("data", onData);
  return () => {
    stdin.off("data", onData);
    if (isTerminal) terminal.setRawMode(false);
    stdin.pause();
  };
}
