/**
 * Redaction: secrets and personal data in the string values of payloads become `[REDACTED:<name>]`, before anything is
 * hashed or written. Keys, numbers and `meta` are untouched. A record that changed says so in `meta.redacted`, its id is
 * computed anew, and later records name the new id as their parent.
 *
 * Patterns run in order, each over the result of the one before. Cost: linear in the size of the text, whatever the text.
 */
import { contentId } from "../canonical/digest.ts";
import { isObject, type Json, setMember } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { type CustomPattern, compileCustomPattern } from "./custom-pattern.ts";
import { defaultPatterns, type RedactionPattern } from "./patterns.ts";

export interface RedactOptions {
  /** Strings directly under these keys stay as they are; those nested deeper do not. */
  readonly allowKeys?: readonly string[];
  /** Run after the built-in ones, in this order, on a linear-time engine. */
  readonly customPatterns?: readonly CustomPattern[];
}

export function redactRecords(records: readonly TraceRecord[], options: RedactOptions = {}): TraceRecord[] {
  const redactor = new Redactor(options);
  const newIds = new Map<string, string>();
  return records.map((record) => {
    const payload = redactor.redact(record.payload);
    const parent = record.parent ? (newIds.get(record.parent) ?? record.parent) : record.parent;
    if (payload === record.payload) return parent === record.parent ? record : { ...record, parent: parent ?? null };
    const changed: { -readonly [K in keyof TraceRecord]: TraceRecord[K] } = {
      ...record,
      payload,
      meta: { ...record.meta, redacted: true },
    };
    if (parent !== undefined) changed.parent = parent;
    if (record.id !== undefined) {
      changed.id = contentId(payload);
      newIds.set(record.id, changed.id);
    }
    return changed;
  });
}

/** One text after every pattern; the same text when nothing matched. */
export function redactText(text: string, options: RedactOptions = {}): string {
  return new Redactor(options).redactText(text);
}

class Redactor {
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
