/** What a command says to an agent that asked for it: the report and the terminal's words, or the error in both. */
import type { Json } from "@spoor/core";
import type { LensCommand } from "./tool.ts";

export interface CommandAnswer {
  readonly exitCode: number;
  /** As the terminal prints it at 80 columns, without colours. */
  readonly text: string;
  readonly report?: Json;
  readonly error?: AnswerError;
}

export interface AnswerError {
  /** Stable: `explain` says what it means. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** Everything that is wrong with a file that people write. */
  readonly problems?: readonly {
    readonly path?: string;
    readonly line?: number;
    readonly column?: number;
    readonly message: string;
  }[];
}

/** Runs a command line; never throws for what a user can get wrong. */
export type RunCommand = (command: LensCommand, words: readonly string[]) => Promise<CommandAnswer>;
