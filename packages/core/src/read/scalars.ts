/** The leaves of a file: texts, numbers, flags and words of a list. */
import { nearest } from "../text/nearest.ts";
import { listOf } from "../text/words.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { Located } from "./located.ts";
import type { Shape } from "./shape.ts";

export const text: Shape<string, string> = {
  wants: "a text",
  type: "text",
  kinds: ["text"],
  read: (at) => (typeof at.value === "string" ? at.value : notText(at, "a text")),
  schema: () => ({ type: "string" }),
};

const FILLED = "a text that is not empty";

/** A text with something in it. */
export const filledText: Shape<string, string> = {
  ...text,
  wants: FILLED,
  read: (at) => (typeof at.value === "string" && at.value.trim() !== "" ? at.value : notText(at, FILLED)),
  schema: () => ({ type: "string", pattern: "\\S" }),
};

/** YAML reads a bare 3 or true as what it looks like, so the remedy is said. */
function notText(at: Located, wants: string): undefined {
  const { value } = at;
  const bare = typeof value === "number" || typeof value === "boolean";
  return at.wrong(wants, bare ? `Put it in quotes: "${value}".` : "");
}

export const boolean: Shape<boolean, boolean> = {
  wants: "true or false",
  type: "`true` or `false`",
  kinds: ["boolean"],
  read: (at) => (typeof at.value === "boolean" ? at.value : at.wrong("true or false")),
  schema: () => ({ type: "boolean" }),
};

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  /** Larger than this, not equal to it. */
  readonly above?: number;
}

export function number(range: NumberRange = {}): Shape<number, number> {
  return numeric("number", range, () => true);
}

export function integer(range: NumberRange = {}): Shape<number, number> {
  return numeric("whole number", range, Number.isInteger);
}

function numeric(noun: string, range: NumberRange, fits: (value: number) => boolean): Shape<number, number> {
  const { min, max, above } = range;
  const words = rangeWords(range);
  const wants = `a ${noun}${words}`;
  return {
    wants,
    type: `${noun}${words}`,
    kinds: ["number"],
    read(at) {
      const value = typeof at.value === "bigint" ? Number(at.value) : at.value;
      const sound =
        typeof value === "number" &&
        Number.isFinite(value) &&
        fits(value) &&
        (min === undefined || value >= min) &&
        (max === undefined || value <= max) &&
        (above === undefined || value > above);
      return sound ? value : at.wrong(wants);
    },
    schema: () => ({
      type: noun === "number" ? "number" : "integer",
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
      ...(above === undefined ? {} : { exclusiveMinimum: above }),
    }),
  };
}

function rangeWords({ min, max, above }: NumberRange): string {
  if (above !== undefined) return ` above ${above}${max === undefined ? "" : ` and up to ${max}`}`;
  if (min !== undefined) return max === undefined ? ` from ${min} on` : ` from ${min} to ${max}`;
  return max === undefined ? "" : ` up to ${max}`;
}

/** One of several words. `otherNames` are what people write who know another tool: hints, not spellings. */
export function choice<const C extends string>(
  words: readonly C[],
  options: { readonly otherNames?: ReadonlyMap<string, string> } = {},
): Shape<C, C> {
  const wants = listOf(words, "or");
  return {
    wants,
    type: words.map((word) => `\`${word}\``).join(", "),
    kinds: ["text"],
    read(at) {
      const found = words.find((word) => word === at.value);
      return found ?? notChosen(at, wants, words, options.otherNames);
    },
    schema: () => ({ enum: [...words] }),
  };
}

function notChosen(
  at: Located,
  wants: string,
  words: readonly string[],
  otherNames: ReadonlyMap<string, string> | undefined,
): undefined {
  const { value } = at;
  const close = typeof value === "string" ? (otherNames?.get(value) ?? nearest(value, words)) : undefined;
  return at.wrong(wants, close === undefined ? "" : `Did you mean ${close}?`);
}

/** Any value at all. */
export const json: Shape<Json, Json> = {
  wants: "a value",
  type: "anything",
  kinds: ["text", "number", "boolean", "list", "mapping", "null"],
  read: (at) => at.value,
  schema: () => ({}),
};

/** A value that must be exactly this. */
export function constant<const C extends string | number | null>(value: C): Shape<C, C> {
  return {
    wants: JSON.stringify(value),
    type: `\`${JSON.stringify(value)}\``,
    kinds: [value === null ? "null" : typeof value === "string" ? "text" : "number"],
    read: (at) => (at.value === value ? value : at.wrong(JSON.stringify(value))),
    schema: (): JsonObject => ({ const: value }),
  };
}
