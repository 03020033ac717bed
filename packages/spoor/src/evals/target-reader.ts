/**
 * Reads the settings of one target. snake_case and camelCase are both known; a key that nobody asked for is a problem
 * with the nearest spelling; every problem of the file is reported at once.
 */

import type { Json } from "@spoor/core";
import type { Located } from "@spoor/core/internal/read/located";
import type { Address } from "@spoor/core/internal/read/source";
import { isObject, member } from "@spoor/core/internal/trace/json";

export class TargetReader {
  readonly name: string;
  /** Folder of the targets file: relative paths in it start here. */
  readonly folder: string;
  private readonly at: Located;
  private readonly known = new Set<string>();

  constructor(name: string, at: Located, folder: string) {
    this.name = name;
    this.at = at;
    this.folder = folder;
  }

  text(key: string, ...aliases: string[]): string | undefined {
    const found = this.find([key, ...aliases]);
    if (found === undefined) return undefined;
    if (typeof found.value === "string") return found.value;
    if (typeof found.value === "number") return String(found.value);
    return this.wrong(found.key, "a text");
  }

  required(key: string, ...aliases: string[]): string {
    const value = this.text(key, ...aliases);
    if (value === undefined && !this.has(key, ...aliases)) this.problem([], `target "${this.name}" needs "${key}".`);
    return value ?? "";
  }

  number(
    key: string,
    range: { min?: number; max?: number; integer?: boolean } = {},
    ...aliases: string[]
  ): number | undefined {
    const found = this.find([key, ...aliases]);
    if (found === undefined) return undefined;
    const value = typeof found.value === "string" && found.value.trim() !== "" ? Number(found.value) : found.value;
    if (typeof value !== "number" || !Number.isFinite(value)) return this.wrong(found.key, "a number");
    if (range.integer && !Number.isInteger(value)) return this.wrong(found.key, "a whole number");
    if (range.min !== undefined && value < range.min) return this.wrong(found.key, `at least ${range.min}`);
    if (range.max !== undefined && value > range.max) return this.wrong(found.key, `at most ${range.max}`);
    return value;
  }

  flag(key: string, ...aliases: string[]): boolean | undefined {
    const found = this.find([key, ...aliases]);
    if (found === undefined || typeof found.value === "boolean") return found?.value as boolean | undefined;
    return this.wrong(found.key, "true or false");
  }

  /** A list of texts; one text alone counts as a list of one. */
  texts(key: string, ...aliases: string[]): string[] | undefined {
    const found = this.find([key, ...aliases]);
    if (found === undefined) return undefined;
    if (typeof found.value === "string") return [found.value];
    if (Array.isArray(found.value) && found.value.every((item) => typeof item === "string"))
      return found.value as string[];
    return this.wrong(found.key, "a list of texts");
  }

  /** A mapping of texts, such as headers or an environment. */
  textMap(key: string, ...aliases: string[]): Record<string, string> | undefined {
    const found = this.find([key, ...aliases]);
    if (found === undefined) return undefined;
    if (!isObject(found.value)) return this.wrong(found.key, "a mapping");
    const map: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const [name, value] of Object.entries(found.value)) {
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
        map[name] = String(value);
      else this.problem([found.key, name], `"${name}" must be a text.`);
    }
    return map;
  }

  json(key: string, ...aliases: string[]): Json | undefined {
    return this.find([key, ...aliases])?.value;
  }

  has(...keys: string[]): boolean {
    return keys.some(
      (key) => member(this.at.value, key) !== undefined || member(this.at.value, camel(key)) !== undefined,
    );
  }

  problem(path: Address, message: string): void {
    path.reduce<Located>((at, key) => at.get(key) ?? at, this.at).problem(message);
  }

  diagnose(key: string, message: string): void {
    this.at.note(message, key);
  }

  /** Call last: what was never asked for is unknown. */
  finish(provider: string): void {
    for (const key of this.at.keys()) {
      if (!this.known.has(key))
        this.at.unknownKey(key, `target "${this.name}" (provider ${provider})`, [...this.known]);
    }
  }

  private find(keys: readonly string[]): { key: string; value: Json } | undefined {
    for (const key of keys) for (const spelling of new Set([key, camel(key)])) this.known.add(spelling);
    for (const key of keys) {
      for (const spelling of [key, camel(key)]) {
        const value = member(this.at.value, spelling);
        if (value !== undefined && value !== null) return { key: spelling, value };
      }
    }
    return undefined;
  }

  private wrong(key: string, expected: string): undefined {
    this.problem([key], `"${key}" of target "${this.name}" must be ${expected}.`);
    return undefined;
  }
}

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
