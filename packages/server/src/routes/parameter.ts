/** What a route takes beside its address, declared once: read from a query or a JSON body, and listed in the reference. */
import { SpoorError } from "@spoor/core/internal/errors";
import { isObject, type Json } from "@spoor/core/internal/trace/json";

export interface Parameter<T> {
  readonly help: string;
  /** What stands in the reference for its values. */
  readonly type: string;
  readonly isRequired: boolean;
  /** Undefined when the value is not one of these. A query has texts alone. */
  read(given: Json): T | undefined;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ValuesOf<P> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** Longer names are nobody's: they would be kept in every index. */
const LONGEST_TEXT = 1_000;

export const parameter = {
  text: (help: string): Parameter<string | undefined> => ({ help, type: "text", isRequired: false, read: textOf }),

  requiredText: (help: string): Parameter<string> => ({ help, type: "text", isRequired: true, read: textOf }),

  /** A whole number from `least` on. */
  integer: (help: string, least = 0, most = Number.MAX_SAFE_INTEGER): Parameter<number | undefined> => ({
    help,
    type: "number",
    isRequired: false,
    read: (given) => numberOf(given, least, most),
  }),

  /** Milliseconds since 1970, or a date as ISO 8601 writes it. */
  time: (help: string): Parameter<number | undefined> => ({ help, type: "time", isRequired: false, read: timeOf }),

  /** One or more of these words; in a query joined by commas. */
  words: <const W extends string>(known: readonly W[], help: string): Parameter<readonly W[]> => ({
    help,
    type: `list of ${known.join(", ")}`,
    isRequired: true,
    read: (given) => wordsOf(given, known),
  }),
};

/** Throws `request.invalid` for what is missing, unknown or not of its kind. */
export function readParameters<const P extends Parameters>(declared: P, given: Json, where: string): ValuesOf<P> {
  if (!isObject(given)) throw invalid(`${where} is not an object.`, declared);
  for (const name of Object.keys(given))
    if (!Object.hasOwn(declared, name))
      throw invalid(`${where} has ${shown(name)}, which this does not take.`, declared);
  const values: Record<string, unknown> = {};
  for (const [name, { read, isRequired, type }] of Object.entries(declared)) {
    const value = Object.hasOwn(given, name) ? given[name]! : undefined;
    if (value === undefined) {
      if (isRequired) throw invalid(`${where} lacks ${name}.`, declared);
      continue;
    }
    const known = read(value);
    if (known === undefined) throw invalid(`${name} in ${where} is not a ${type}.`, declared);
    values[name] = known;
  }
  return values as ValuesOf<P>;
}

export function invalidRequest(message: string, hint?: string): SpoorError {
  return new SpoorError("request.invalid", message, hint === undefined ? {} : { hint });
}

function invalid(message: string, declared: Parameters): SpoorError {
  const names = Object.keys(declared);
  return invalidRequest(message, names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`);
}

/** Somebody else's word in a sentence of ours. */
function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}

function textOf(given: Json): string | undefined {
  const text = typeof given === "string" ? given.trim() : undefined;
  // A zero byte is no part of any name, and one of the engines cannot keep it.
  return text === undefined || text === "" || text.length > LONGEST_TEXT || text.includes("\0") ? undefined : text;
}

function numberOf(given: Json, least: number, most: number): number | undefined {
  const number = typeof given === "string" && /^\d{1,16}$/.test(given) ? Number(given) : given;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= least && number <= most
    ? number
    : undefined;
}

function timeOf(given: Json): number | undefined {
  const number = numberOf(given, 0, Number.MAX_SAFE_INTEGER);
  if (number !== undefined || typeof given !== "string" || !/^\d{4}-\d\d-\d\d(?:T|$)/.test(given)) return number;
  const parsed = Date.parse(given);
  return Number.isNaN(parsed) ? undefined : parsed;
}

function wordsOf<W extends string>(given: Json, known: readonly W[]): readonly W[] | undefined {
  const list = typeof given === "string" ? given.split(",") : given;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const words = known.filter((word) => list.includes(word));
  return words.length === new Set(list).size ? words : undefined;
}
