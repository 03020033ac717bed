/** Typed options of a command. Help, completion and the generated reference are made from these definitions. */
import { SpoorError } from "@spoor/core/internal/errors";

export interface Option<T> {
  readonly type: "flag" | "text" | "integer" | "number" | "choice" | "texts";
  readonly help: string;
  readonly defaultValue: T;
  readonly choices?: readonly string[];
  /** What stands for the value in help: FILE, N. */
  readonly placeholder?: string;
  readonly short?: string;
  /** Stands for the value where none is given. */
  readonly bare?: string;
  /** Of an option with `bare`: whether the next word may be its value; absent, a value is given with `=` alone. */
  readonly takes?: (word: string) => boolean;
  /** Completed with file names by the shell. */
  readonly isPath?: boolean;
  parse(text: string, name: string): T;
}

export const option = {
  flag: (help: string): Option<boolean> => ({ type: "flag", help, defaultValue: false, parse: () => true }),

  text: (help: string, placeholder = "TEXT"): Option<string | undefined> => ({
    type: "text",
    help,
    placeholder,
    defaultValue: undefined,
    parse: (text) => text,
  }),

  path: (help: string, placeholder = "FILE"): Option<string | undefined> => ({
    type: "text",
    help,
    placeholder,
    defaultValue: undefined,
    isPath: true,
    parse: (text) => text,
  }),

  /** `--name` or `--name=VALUE`. */
  optionalPath: (help: string, bare: string, placeholder = "FILE"): Option<string | undefined> => ({
    type: "text",
    help,
    placeholder,
    bare,
    defaultValue: undefined,
    isPath: true,
    parse: (text) => text,
  }),

  /** `--name`, `--name=FOLDER` or `--name FOLDER`; a word that is the name of a file is none. */
  optionalFolder: (help: string, bare: string): Option<string | undefined> => ({
    ...option.optionalPath(help, bare, "FOLDER"),
    takes: (word) => !/^-.|[*?]|\.(ya?ml|jsonl?|[ct]sv)$/i.test(word),
  }),

  /** May be given several times. */
  texts: (help: string, placeholder = "TEXT", short?: string): Option<readonly string[]> => ({
    type: "texts",
    help,
    placeholder,
    defaultValue: [],
    ...(short === undefined ? {} : { short }),
    parse: (text) => [text],
  }),

  integer: (defaultValue: number, help: string, range: Range = {}): Option<number> => ({
    type: "integer",
    help,
    placeholder: "N",
    defaultValue,
    parse: (text, name) => parseNumber(text, name, { ...range, integer: true }),
  }),

  optionalInteger: (help: string, range: Range = {}): Option<number | undefined> => ({
    type: "integer",
    help,
    placeholder: "N",
    defaultValue: undefined,
    parse: (text, name) => parseNumber(text, name, { ...range, integer: true }),
  }),

  /** `--name` or `--name=PORT`. */
  barePort: (bare: number, help: string): Option<number | undefined> => ({
    type: "integer",
    help,
    placeholder: "PORT",
    bare: String(bare),
    defaultValue: undefined,
    parse: (text, name) => parseNumber(text, name, { integer: true, min: 0, max: 65_535 }),
  }),

  number: (defaultValue: number, help: string, range: Range = {}): Option<number> => ({
    type: "number",
    help,
    placeholder: "X",
    defaultValue,
    parse: (text, name) => parseNumber(text, name, range),
  }),

  optionalNumber: (help: string, range: Range = {}): Option<number | undefined> => ({
    type: "number",
    help,
    placeholder: "X",
    defaultValue: undefined,
    parse: (text, name) => parseNumber(text, name, range),
  }),

  choice: <const C extends string, D extends C | undefined>(
    choices: readonly C[],
    defaultValue: D,
    help: string,
  ): Option<C | D> => ({
    type: "choice",
    help,
    choices,
    placeholder: choices.join("|"),
    defaultValue,
    parse: (text, name) => parseChoice(text, name, choices),
  }),
};

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

function parseNumber(text: string, name: string, range: Range & { integer?: boolean }): number {
  const value = Number(text);
  const kind = range.integer ? "a whole number" : "a number";
  if (text.trim() === "" || !Number.isFinite(value) || (range.integer && !Number.isSafeInteger(value))) {
    throw usageError(`--${name} needs ${kind}, found "${text}".`);
  }
  if (range.min !== undefined && value < range.min)
    throw usageError(`--${name} must be at least ${range.min}, found ${text}.`);
  if (range.max !== undefined && value > range.max)
    throw usageError(`--${name} must be at most ${range.max}, found ${text}.`);
  return value;
}

function parseChoice<C extends string>(text: string, name: string, choices: readonly C[]): C {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw usageError(`--${name} must be one of ${choices.join(", ")}; found "${text}".`);
}

/** A mistake on the command line itself. */
export function usageError(message: string, hint?: string): SpoorError {
  return new SpoorError("usage.bad-argument", message, hint === undefined ? {} : { hint });
}
