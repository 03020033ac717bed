/**
 * A redaction that goes on as long as a recording does: patterns, values under keys that name secrets (also in JSON that stands in a
 * text, as arguments do), values of query strings, and values that are known to be secret. It works on whole texts: a secret that
 * came in two chunks is looked for after they were joined.
 *
 * What nothing matched is the very same value again.
 */
import { isObject, type Json, setMember } from "../trace/json.ts";
import { type CustomPattern, compileCustomPattern } from "./custom-pattern.ts";
import { defaultPatterns, type RedactionPattern } from "./patterns.ts";

export interface RedactOptions {
  /** Strings directly under these keys stay as they are; those nested deeper do not. */
  readonly allowKeys?: readonly string[];
  /** Run after the built-in ones, in this order, on a linear-time engine. */
  readonly customPatterns?: readonly CustomPattern[];
}

export interface Redaction {
  text(text: string): string;
  json<T extends Json>(value: T): T;
}

export interface RedactionOptions extends RedactOptions {
  /** Values directly under these keys are secret, whatever they look like; beside the usual names. */
  readonly secretKeys?: readonly string[];
  /** Values that are secret wherever they stand, with the name of what they are. */
  readonly known?: ReadonlyMap<string, string>;
}

export function createRedaction(options: RedactionOptions = {}): Redaction {
  const redactor = new Redactor(options);
  return { text: (text) => redactor.redactText(text), json: (value) => redactor.redact(value) as typeof value };
}

/** Patterns over the strings of values; each object is looked at once. */
export class Redactor {
  private readonly allowed: ReadonlySet<string>;
  private readonly patterns: readonly RedactionPattern[];
  /** Requests repeat the messages before them; each object is looked at once. */
  private readonly done = new WeakMap<object, Json>();

  constructor(options: RedactOptions) {
    this.allowed = new Set(options.allowKeys ?? []);
    this.patterns = [...defaultPatterns, ...(options.customPatterns ?? []).map(compileCustomPattern)];
  }

  /** The very same value when nothing in it changed. */
  redact(value: Json): Json {
    if (typeof value === "string") return this.redactText(value);
    if (typeof value !== "object" || value === null) return value;
    const known = this.done.get(value);
    if (known !== undefined) return known;
    const result = isObject(value) ? this.redactObject(value) : this.redactList(value as readonly Json[]);
    this.done.set(value, result);
    return result;
  }

  redactText(text: string): string {
    let result = text;
    for (const pattern of this.patterns) result = pattern.replace(result, `[REDACTED:${pattern.name}]`);
    return result;
  }

  private redactList(list: readonly Json[]): Json {
    const result = list.map((item) => this.redact(item));
    return result.every((item, index) => item === list[index]) ? list : result;
  }

  private redactObject(object: { readonly [key: string]: Json }): Json {
    const result: Record<string, Json> = {};
    let changed = false;
    for (const key of Object.keys(object)) {
      const value = object[key]!;
      const kept = typeof value === "string" && this.allowed.has(key) ? value : this.redact(value);
      if (kept !== value) changed = true;
      setMember(result, key, kept);
    }
    return changed ? result : object;
  }
}
