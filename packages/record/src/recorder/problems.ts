/** What could not be recorded: counted, told to whoever asked, else once of each kind as a warning of the process. */
import { messageOf } from "@spoor/core/internal/errors";
import type { RecordProblem } from "./recorder-options.ts";

export interface Problems {
  tell(code: string, message: string): void;
  /** Something of the recorder's own broke. */
  caught(error: unknown): void;
  counts(): Readonly<Record<string, number>>;
}

export function createProblems(onProblem: ((problem: RecordProblem) => void) | undefined): Problems {
  const counts = new Map<string, number>();
  const tell = (code: string, message: string) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    try {
      if (onProblem !== undefined) onProblem({ code, message });
      else if (count === 1) warn(code, message);
    } catch {
      // Whoever listens to problems must not become one.
    }
  };
  return {
    tell,
    caught: (error) => tell(codeOf(error), messageOf(error)),
    counts: () => Object.fromEntries(counts),
  };
}

function warn(code: string, message: string): void {
  process.emitWarning(`${message} (${code}). The program goes on; the recording has a gap.`, { type: "SpoorWarning" });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "internal";
}
