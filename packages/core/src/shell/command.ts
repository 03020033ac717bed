/** A command that a script would run, with what is known of its words before it does. */

/** Stands in a text for a piece that is known only when the script runs. No argument of a process can hold it. */
export const UNKNOWN = "\0";

/** A piece whose exact text does not matter: the name of something that is found or made, never an option or a path upwards. */
export const SOME_NAME = "…";

export interface ShellWord {
  readonly text: string;
  /** An unknown piece that is not quoted may be several words, or none. */
  readonly isOpen: boolean;
}

export interface ShellCommand {
  /** Without its folder: `/usr/bin/git` is `git`. */
  readonly program: string;
  readonly words: readonly ShellWord[];
  /** Variables it is started with, as far as the script sets them, with the values each may have. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  /** Files that its output or errors go to, as paths. */
  readonly writes: readonly string[];
  /** Where it runs: a path, from the folder the script began in. */
  readonly folder: string;
  /** The commands whose output it reads. */
  readonly fedBy: readonly ShellCommand[];
  /** What it reads, where the script itself holds it. */
  readonly input?: string;
}

export function isKnown(text: string): boolean {
  return !text.includes(UNKNOWN);
}

export function knownWord(text: string): ShellWord {
  return { text, isOpen: false };
}

export const OPEN_WORD: ShellWord = { text: UNKNOWN, isOpen: true };
