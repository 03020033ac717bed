/**
 * Parameters of rule kinds, declared once: the same declaration reads and checks them at load, types them for the rule,
 * describes them in docs/policy.md and in the JSON Schema that editors use.
 */
import { nearest } from "../text/nearest.ts";
import { describeType, listOf } from "../text/words.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member } from "../trace/json.ts";
import type { Condition } from "./conditions.ts";
import { parseConditions, parsedPath } from "./parse-conditions.ts";
import type { Path } from "./path.ts";
import { compilePattern, type Pattern } from "./pattern.ts";
import type { Place } from "./problems.ts";
import type { ParamSpec } from "./rule.ts";

export interface Param<T> {
  readonly key: string;
  /** Another spelling that is accepted. */
  readonly alias?: string;
  readonly help: string;
  readonly required: boolean;
  /** What stands in when the parameter is absent. */
  readonly fallback: T | undefined;
  /** Its values as JSON Schema. */
  readonly schema: JsonObject;
  /** Reads a value; reports on `place` and returns undefined when it is wrong. */
  parse(value: Json, place: Place): T | undefined;
}

interface ParamOptions {
  readonly alias?: string;
}

type Reader<T> = (value: Json, place: Place) => T | undefined;

function required<T>(
  key: string,
  help: string,
  schema: JsonObject,
  parse: Reader<T>,
  options: ParamOptions = {},
): Param<T> {
  return { key, ...options, help, required: true, fallback: undefined, schema, parse };
}

function optional<T, D extends T | undefined>(
  key: string,
  fallback: D,
  help: string,
  schema: JsonObject,
  parse: Reader<T>,
): Param<T | D> {
  return { key, help, required: false, fallback, schema, parse };
}

export const param = {
  text: (key: string, help: string, options: ParamOptions = {}) => required(key, help, TEXT, readText(key), options),
  optionalText: (key: string, help: string) => optional<string, undefined>(key, undefined, help, TEXT, readText(key)),

  integer: (key: string, help: string, options: ParamOptions & IntegerRange = {}) => {
    const { min, ...rest } = options;
    return required(key, help, integerSchema({ ...(min === undefined ? {} : { min }) }), readInteger(key, min), rest);
  },
  optionalInteger: (key: string, fallback: number, help: string, range: IntegerRange = {}) =>
    optional<number, number>(
      key,
      fallback,
      help,
      { ...integerSchema(range), default: fallback },
      readInteger(key, range.min),
    ),

  flag: (key: string, fallback: boolean, help: string) =>
    optional<boolean, boolean>(key, fallback, help, { type: "boolean", default: fallback }, readFlag(key)),

  ratio: (key: string, fallback: number, help: string) =>
    optional<number, number>(
      key,
      fallback,
      help,
      { type: "number", minimum: 0, maximum: 1, default: fallback },
      readRatio(key),
    ),

  /** One name, or a list of names. */
  texts: (key: string, help: string) => required(key, help, TEXTS, readTexts(key, 1)),
  optionalTexts: (key: string, help: string) =>
    optional<readonly string[], readonly string[]>(key, [], help, TEXTS, readTexts(key, 0)),

  path: (key: string, help: string) => required(key, help, { type: "string", minLength: 1 }, readPath(key)),
  optionalPath: (key: string, help: string) =>
    optional<Path, undefined>(key, undefined, help, { type: "string", minLength: 1 }, readPath(key)),

  conditions: (key: string, help: string) =>
    optional<readonly Condition[], readonly Condition[]>(
      key,
      [],
      help,
      { $ref: "#/$defs/conditions" },
      parseConditions,
    ),

  pattern: (key: string, help: string) =>
    optional<Pattern, undefined>(key, undefined, help, { type: "string", minLength: 1 }, readPattern(key)),

  /** Anything with its own reader. */
  custom: <T>(key: string, help: string, schema: JsonObject, parse: Reader<T>) => required(key, help, schema, parse),
  optionalCustom: <T>(key: string, help: string, schema: JsonObject, parse: Reader<T>) =>
    optional<T, undefined>(key, undefined, help, schema, parse),
};

interface IntegerRange {
  readonly min?: number;
}

const TEXT: JsonObject = { type: "string" };
const TEXTS: JsonObject = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };

function integerSchema(range: IntegerRange): JsonObject {
  return range.min === undefined ? { type: "integer" } : { type: "integer", minimum: range.min };
}

function readText(key: string): Reader<string> {
  return (value, place) => {
    if (typeof value === "string") return value;
    const quote =
      typeof value === "number" || typeof value === "boolean" ? ` Put it in quotes: "${String(value)}".` : "";
    return place.problem(`${key} must be a text, found ${describeType(value)}.${quote}`);
  };
}

function readInteger(key: string, min: number | undefined): Reader<number> {
  return (value, place) => {
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isInteger(number)) {
      const found = typeof number === "number" ? String(number) : describeType(value);
      return place.problem(`${key} must be a whole number, found ${found}.`);
    }
    if (min !== undefined && number < min) return place.problem(`${key} must be at least ${min}, found ${number}.`);
    return number;
  };
}

function readFlag(key: string): Reader<boolean> {
  return (value, place) =>
    typeof value === "boolean" ? value : place.problem(`${key} must be true or false, found ${describeType(value)}.`);
}

function readRatio(key: string): Reader<number> {
  return (value, place) => {
    if (typeof value !== "number")
      return place.problem(`${key} must be a number from 0 to 1, found ${describeType(value)}.`);
    return value >= 0 && value <= 1 ? value : place.problem(`${key} must lie between 0 and 1, found ${value}.`);
  };
}

function readTexts(key: string, min: number): Reader<readonly string[]> {
  return (value, place) => {
    if (typeof value === "string") return [value];
    if (!Array.isArray(value))
      return place.problem(`${key} must be a text or a list of texts, found ${describeType(value)}.`);
    const bad = value.findIndex((item) => typeof item !== "string");
    if (bad >= 0)
      return place.child(bad).problem(`${key} must hold texts only, found ${describeType(value[bad] as Json)}.`);
    if (value.length < min) return place.problem(`${key} is an empty list; name at least one.`);
    return value as readonly string[];
  };
}

function readPath(key: string): Reader<Path> {
  return (value, place) => {
    if (typeof value !== "string")
      return place.problem(`${key} must be a path such as request.params.amount, found ${describeType(value)}.`);
    if (value === "") return place.problem(`${key} is empty; it must be a path such as request.params.amount.`);
    return parsedPath(value, place);
  };
}

function readPattern(key: string): Reader<Pattern> {
  return (value, place) => {
    if (typeof value !== "string")
      return place.problem(`${key} must be a regular expression as text, found ${describeType(value)}.`);
    const pattern = compilePattern(value);
    return typeof pattern === "string" ? place.problem(pattern) : pattern;
  };
}

/** Reads the parameters of one rule; undefined when anything is wrong with them. */
export function parseParams(
  kind: string,
  spec: ParamSpec,
  raw: JsonObject,
  place: Place,
): Readonly<Record<string, unknown>> | undefined {
  const before = place.errorCount;
  const params = Object.values(spec);
  reportUnknown(kind, params, raw, place);
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(spec)) values[name] = parseParam(kind, params, declared, raw, place);
  return place.errorCount > before ? undefined : values;
}

function parseParam(
  kind: string,
  all: readonly Param<unknown>[],
  declared: Param<unknown>,
  raw: JsonObject,
  place: Place,
): unknown {
  const { key, alias } = declared;
  const value = member(raw, key);
  const other = alias === undefined ? undefined : member(raw, alias);
  if (value !== undefined && other !== undefined && !jsonEqual(value, other)) {
    return place.keyProblem(alias!, `${alias} is another name for ${key}, and the two differ. Keep one.`);
  }
  const found = value ?? other ?? (value === null || other === null ? null : undefined);
  if (!declared.required && (found === undefined || found === null)) return declared.fallback;
  if (found === undefined) {
    const needed = all.filter((one) => one.required).map((one) => one.key);
    return place.problem(`${kind} needs ${listOf(needed)}; ${key} is missing.`);
  }
  return declared.parse(found, place.child(value === undefined ? alias! : key));
}

function reportUnknown(kind: string, params: readonly Param<unknown>[], raw: JsonObject, place: Place): void {
  const known = params.flatMap((one) => (one.alias === undefined ? [one.key] : [one.key, one.alias]));
  for (const key of Object.keys(raw)) {
    if (known.includes(key)) continue;
    const close = nearest(key, known);
    const hint = close === undefined ? `${kind} knows ${listOf(known)}.` : `Did you mean ${close}?`;
    place.keyProblem(key, `unknown parameter "${key}" of ${kind}. ${hint}`);
  }
}

/** A mapping, or a complaint. */
export function readMapping(value: Json, what: string, place: Place): JsonObject | undefined {
  return isObject(value) ? value : place.problem(`${what} must be a mapping, found ${describeType(value)}.`);
}
