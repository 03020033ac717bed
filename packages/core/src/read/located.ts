/**
 * A value and its place, able to complain. Readers walk over located values and collect every problem of a file, so that
 * people fix them in one go instead of one per run.
 */
import type { ErrorCode } from "../error-codes.ts";
import { type Problem, SpoorError } from "../errors.ts";
import { nearest } from "../text/nearest.ts";
import { isObject, type Json, member } from "../trace/json.ts";
import { describeFound } from "./describe-found.ts";
import { type Address, formatPath, type Source } from "./source.ts";

/** Reads a file that the document names, relative to it; or a sentence that says why not. */
export type ReadReferenced = (name: string) => { readonly text: string } | { readonly problem: string };

export interface ThrowOptions {
  readonly hint?: string;
  /** Notes are errors too. */
  readonly strict?: boolean;
}

/** Every problem of one document. */
export class Problems {
  readonly source: Source;
  readonly errors: Problem[] = [];
  /** What is accepted but has no effect or is probably not meant; errors under `--strict`. */
  readonly notes: Problem[] = [];
  /** Errors that the JSON Schema of the file finds too; the others need a computation. */
  shapeErrors = 0;
  readonly readReferenced: ReadReferenced;

  constructor(
    source: Source,
    readReferenced: ReadReferenced = (name) => ({ problem: `${name} cannot be read here.` }),
  ) {
    this.source = source;
    this.readReferenced = readReferenced;
  }

  /** The whole document. */
  root(): Located {
    return new Located(this.source.value, [], this);
  }

  /** Throws one error with all problems in file order; does nothing when there are none. */
  throwIfAny(code: ErrorCode, consequence: string, options: ThrowOptions = {}): void {
    const all = options.strict ? [...this.errors, ...this.notes] : this.errors;
    if (all.length === 0) return;
    const sorted = [...all].sort(
      (left, right) => (left.at.line ?? 0) - (right.at.line ?? 0) || (left.at.column ?? 0) - (right.at.column ?? 0),
    );
    const amount = sorted.length === 1 ? "1 problem" : `${sorted.length} problems`;
    throw new SpoorError(code, `${this.source.file} has ${amount}.`, {
      at: sorted[0]!.at,
      consequence,
      problems: sorted,
      ...(options.hint === undefined ? {} : { hint: options.hint }),
    });
  }
}

export class Located {
  readonly value: Json;
  readonly address: Address;
  readonly problems: Problems;

  constructor(value: Json, address: Address, problems: Problems) {
    this.value = value;
    this.address = address;
    this.problems = problems;
  }

  /** The member of this mapping, or the item of this list, when it is there. */
  get(key: string | number): Located | undefined {
    const { value } = this;
    const found =
      typeof key === "string" ? member(value, key) : Array.isArray(value) ? (value[key] as Json) : undefined;
    return found === undefined ? undefined : new Located(found, [...this.address, key], this.problems);
  }

  /** The items of this list; empty for anything else. */
  items(): Located[] {
    const { value } = this;
    return Array.isArray(value) ? value.map((_, index) => this.get(index)!) : [];
  }

  keys(): string[] {
    return isObject(this.value) ? Object.keys(this.value) : [];
  }

  /** Another value at the same place: a default filled in, a variable replaced, a list made of one item. */
  with(value: Json): Located {
    return new Located(value, this.address, this.problems);
  }

  /** How messages call this place: `threshold`, `tools[1]`, "the file". */
  get name(): string {
    const key = this.address.findLastIndex((part) => typeof part === "string");
    if (this.address.length === 0) return "the file";
    return key < 0 ? "an entry" : formatPath(this.address.slice(key));
  }

  /** Reports a problem that only a computation finds; returns undefined so that a reader can `return at.problem(…)`. */
  problem(message: string): undefined {
    this.problems.errors.push(this.describe(message, "value"));
    return undefined;
  }

  /** Reports that the value has the wrong shape: `limit must be a whole number, found the text "3".` */
  wrong(wants: string, hint = "", name: string = this.name): undefined {
    return this.misshapen(`${name} must be ${wants}, found ${describeFound(this.value)}.${hint && ` ${hint}`}`);
  }

  /** Reports a problem that the JSON Schema of the file finds too. */
  misshapen(message: string): undefined {
    this.problems.shapeErrors++;
    return this.problem(message);
  }

  /** Reports a problem with a key of this mapping. */
  keyProblem(key: string, message: string): undefined {
    const child = new Located(null, [...this.address, key], this.problems);
    this.problems.errors.push(child.describe(message, "key"));
    return undefined;
  }

  /** The same for one that the JSON Schema of the file finds too. */
  misshapenKey(key: string, message: string): undefined {
    this.problems.shapeErrors++;
    return this.keyProblem(key, message);
  }

  /** Reports a key that nobody knows, with the nearest known one and what reading it over would mean. */
  unknownKey(key: string, owner: string, known: readonly string[], without?: (key: string) => string): void {
    const close = nearest(key, known);
    const consequence = close === undefined || without === undefined ? "" : ` As written, ${without(close)}.`;
    const hint = close === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${close}?${consequence}`;
    this.misshapenKey(key, `unknown key "${key}" in ${owner}. ${hint}`);
  }

  /** Something that loads but is probably not what was meant, or has no effect. */
  note(message: string, key?: string): void {
    const place = key === undefined ? this : new Located(null, [...this.address, key], this.problems);
    this.problems.notes.push(place.describe(message, key === undefined ? "value" : "key"));
  }

  /** How many errors there are so far: a reader can tell whether its part was sound. */
  get errorCount(): number {
    return this.problems.errors.length;
  }

  private describe(message: string, what: "key" | "value"): Problem {
    const { source } = this.problems;
    const at = source.locate(this.address, what);
    const path = formatPath(this.address);
    if (at.line === undefined) return { at: { ...at, path }, message };
    const length = source.lengthAt(this.address, what);
    const excerpt = source.excerpt(at.line);
    return { at: { ...at, path }, message, excerpt, ...(length === undefined ? {} : { length }) };
  }
}
