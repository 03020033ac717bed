/** Questions on a terminal, one line each. */
import { createInterface } from "node:readline";
import type { Io } from "./io.ts";

export interface Prompt {
  /** Undefined when the input has ended. */
  question(text: string): Promise<string | undefined>;
  close(): void;
}

export function createPrompt(io: Io): Prompt {
  const lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const iterator = lines[Symbol.asyncIterator]();
  return {
    async question(text) {
      io.out(text);
      const next = await iterator.next();
      return next.done ? undefined : next.value;
    },
    close: () => lines.close(),
  };
}
