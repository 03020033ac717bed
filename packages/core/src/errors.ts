import type { ErrorCode } from "./error-codes.ts";

/** Where in a user's files a problem stands. Lines and columns count from 1; `path` is an address inside the document. */
export interface ErrorLocation {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

export interface SpoorErrorOptions {
  readonly at?: ErrorLocation;
  /** What the user can do about it: a sentence or a command. */
  readonly hint?: string;
  /** The offending source line, shown under the message with a caret at `at.column`. */
  readonly excerpt?: string;
  /** A word beside the caret: "begins here". */
  readonly excerptNote?: string;
  /** What it means for the result: "Nothing was compared." */
  readonly consequence?: string;
  /** Every problem of a file that has several, in file order. */
  readonly problems?: readonly Problem[];
  readonly cause?: unknown;
}

/** One of several problems found in a file. */
export interface Problem {
  readonly at: ErrorLocation;
  readonly message: string;
  readonly excerpt?: string;
  /** How many characters of the excerpt are meant, from the column on; 1 when nobody knows. */
  readonly length?: number;
}

/** Shared by every copy of this file in a process: a bundled command meets the errors of packages it loads beside itself. */
const BRAND = Symbol.for("spoor.error");

/**
 * Everything a user can cause is a SpoorError: a stable `code` for scripts, a message that says what is wrong, the place,
 * and a hint. Anything else that is thrown is our own bug and keeps its stack.
 */
export class SpoorError extends Error {
  override readonly name = "SpoorError";
  readonly code: ErrorCode;
  readonly at: ErrorLocation;
  readonly hint: string | undefined;
  readonly excerpt: string | undefined;
  readonly excerptNote: string | undefined;
  readonly consequence: string | undefined;
  readonly problems: readonly Problem[];
  readonly [BRAND] = true;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(code: ErrorCode, message: string, options: SpoorErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.at = options.at ?? {};
    this.hint = options.hint;
    this.excerpt = options.excerpt;
    this.excerptNote = options.excerptNote;
    this.consequence = options.consequence;
    this.problems = options.problems ?? [];
  }
}

/** What was thrown, as text: anything may be, also what has none. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "what cannot be written as text";
  }
}
