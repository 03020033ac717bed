/** Patterns over the strings of values. */
import { isObject, type Json, setMember } from "../trace/json.ts";
import { type CustomPattern, compileCustomPattern } from "./custom-pattern.ts";
import { personalPatterns, type RedactionPattern, secretPatterns } from "./patterns.ts";
import { replaceVendorTokens } from "./vendor-tokens.ts";

export interface RedactOptions {
  /** Strings directly under these keys stay as they are; those nested deeper do not. */
  readonly allowKeys?: readonly string[];
  /** False: only what opens something is taken out, and addresses, numbers and accounts of people stay. Default true. */
  readonly personal?: boolean;
  /** Run after the built-in ones, in this order, on a linear-time engine. */
  readonly customPatterns?: readonly CustomPattern[];
}

export class Redactor {
  private readonly allowed: ReadonlySet<string>;
  /** After those of secrets, which always run. */
  private readonly patterns: readonly RedactionPattern[];
  /** Requests repeat the messages before them; each object is looked at once. */
  private readonly done = new WeakMap<object, Json>();

  constructor(options: RedactOptions) {
    this.allowed = new Set(options.allowKeys ?? []);
    this.patterns = [
      ...(options.personal === false ? [] : personalPatterns),
      ...(options.customPatterns ?? []).map(compileCustomPattern),
    ];
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
    const secret = replaceVendorTokens(replaced(text, secretPatterns), mark);
    return replaced(secret, this.patterns);
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

function replaced(text: string, patterns: readonly RedactionPattern[]): string {
  let result = text;
  for (const pattern of patterns) result = pattern.replace(result, mark(pattern.name));
  return result;
}

function mark(name: string): string {
  return `[REDACTED:${name}]`;
}
