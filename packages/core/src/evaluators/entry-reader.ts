/**
 * Reads the members of one mapping of a configuration and remembers which were asked for: what nobody asked for is an
 * error with the nearest known spelling. Values of the wrong type are problems, never silently dropped.
 */

import type { YamlPath } from "../read/parse-yaml.ts";
import { nearest } from "../text/nearest.ts";
import { EMPTY_OBJECT, isObject, type Json, type JsonObject, stringifyJson } from "../trace/json.ts";
import type { ProblemList } from "../yaml/problem-list.ts";

export class EntryReader {
  readonly raw: JsonObject;
  readonly path: YamlPath;
  readonly problems: ProblemList;
  /** How messages call this entry: `evaluator "refund-path"`. */
  readonly title: string;
  private readonly known = new Set<string>();

  constructor(raw: JsonObject, path: YamlPath, problems: ProblemList, title: string) {
    this.raw = raw;
    this.path = path;
    this.problems = problems;
    this.title = title;
  }

  /** The value of the first of these keys that is there; later ones are older or longer spellings. */
  value(...keys: readonly string[]): Json | undefined {
    for (const key of keys) this.known.add(key);
    const found = keys.filter((key) => Object.hasOwn(this.raw, key));
    for (const other of found.slice(1)) {
      this.problems.diagnose(
        [...this.path, other],
        `"${other}" in ${this.title} means the same as "${found[0]}", which is used.`,
      );
    }
    return found[0] === undefined ? undefined : this.raw[found[0]];
  }

  has(...keys: readonly string[]): boolean {
    return keys.some((key) => Object.hasOwn(this.raw, key));
  }

  string(...keys: readonly string[]): string | undefined {
    const value = this.value(...keys);
    if (value === undefined || typeof value === "string") return value;
    this.wrong(keys, "a text", value);
    return undefined;
  }

  boolean(...keys: readonly string[]): boolean | undefined {
    const value = this.value(...keys);
    if (value === undefined || typeof value === "boolean") return value;
    this.wrong(keys, "true or false", value);
    return undefined;
  }

  /** A finite number, by default not negative. */
  number(
    keys: string | readonly string[],
    range: { min?: number; max?: number; above?: number } = { min: 0 },
  ): number | undefined {
    const names = typeof keys === "string" ? [keys] : keys;
    const value = this.value(...names);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isFinite(value)) {
      this.wrong(names, "a number", value);
      return undefined;
    }
    const { min, max, above } = range;
    const wanted =
      min !== undefined && value < min
        ? `at least ${min}`
        : above !== undefined && value <= above
          ? `above ${above}`
          : max !== undefined && value > max
            ? `at most ${max}`
            : undefined;
    if (wanted === undefined) return value;
    this.wrong(names, `a number ${wanted}`, value);
    return undefined;
  }

  choice<const C extends string>(key: string | readonly string[], choices: readonly C[]): C | undefined {
    const keys = typeof key === "string" ? [key] : key;
    const value = this.value(...keys);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.wrong(keys, `one of ${choices.join(", ")}`, value, choices);
    return found;
  }

  list(...keys: readonly string[]): readonly Json[] | undefined {
    const value = this.value(...keys);
    if (value === undefined || Array.isArray(value)) return value as readonly Json[] | undefined;
    this.wrong(keys, "a list", value);
    return undefined;
  }

  texts(...keys: readonly string[]): readonly string[] | undefined {
    const list = this.list(...keys);
    if (list === undefined) return undefined;
    const bad = list.findIndex((item) => typeof item !== "string");
    if (bad < 0) return list as readonly string[];
    this.problems.add(
      [...this.path, this.presentKey(keys), bad],
      `${this.title}: "${keys[0]}" takes texts, found ${shown(list[bad]!)}.`,
    );
    return undefined;
  }

  mapping(...keys: readonly string[]): JsonObject | undefined {
    const value = this.value(...keys);
    if (value === undefined || isObject(value)) return value;
    this.wrong(keys, "a mapping", value);
    return undefined;
  }

  /** A reader for a nested mapping. */
  nested(key: string, title: string): EntryReader | undefined {
    const value = this.mapping(key);
    return value === undefined ? undefined : new EntryReader(value, [...this.path, key], this.problems, title);
  }

  /** Reports that something the evaluator cannot do without is not there. */
  missing(message: string): void {
    this.problems.add(this.path, `${this.title}: ${message}.`);
  }

  problem(key: string, message: string): void {
    this.problems.add([...this.path, key], `${this.title}: ${message}${/[.?]$/.test(message) ? "" : "."}`);
  }

  /** Accepted by some release and then not looked at: said, and an error with `--strict`. */
  ignored(key: string, why: string): void {
    this.known.add(key);
    if (this.has(key)) this.problems.diagnose([...this.path, key], `"${key}" in ${this.title} is not used: ${why}.`);
  }

  /** Every member that was not asked for, for evaluators that pass them on. */
  rest(): JsonObject {
    const entries = Object.entries(this.raw).filter(([key]) => !this.known.has(key));
    for (const [key] of entries) this.known.add(key);
    return entries.length === 0 ? EMPTY_OBJECT : Object.fromEntries(entries);
  }

  /** Call last: what was never asked for is a mistake. */
  refuseUnknown(): void {
    const known = [...this.known];
    for (const key of Object.keys(this.raw)) {
      if (this.known.has(key)) continue;
      const close = nearest(key, known);
      const listed = known.filter((name) => !/[a-z][A-Z]/.test(name)).toSorted();
      const hint = close === undefined ? `Known are ${listed.join(", ")}.` : `Did you mean ${close}?`;
      this.problems.add([...this.path, key], `unknown key "${key}" in ${this.title}. ${hint}`, "key");
    }
  }

  private wrong(keys: readonly string[], wanted: string, value: Json, choices: readonly string[] = []): void {
    const key = this.presentKey(keys);
    const close = typeof value === "string" ? nearest(value, choices) : undefined;
    const hint = close === undefined ? "" : ` Did you mean ${close}?`;
    this.problems.add([...this.path, key], `${this.title}: "${key}" takes ${wanted}, found ${shown(value)}.${hint}`);
  }

  private presentKey(keys: readonly string[]): string {
    return keys.find((key) => Object.hasOwn(this.raw, key)) ?? keys[0]!;
  }
}

/** A value as it stands in a message, cut. */
export function shown(value: Json): string {
  if (typeof value === "string") return `the text "${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  const text = stringifyJson(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
