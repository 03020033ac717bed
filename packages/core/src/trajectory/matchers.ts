/**
 * Matchers inside expected arguments: a mapping whose keys begin with `$` describes a value instead of being one.
 *
 *   { $regex: "^A-[0-9]+$", $flags: i }     a text that matches (linear-time engine: no lookaround, no back-references)
 *   { $near: 40, $within: 0.5 }             a number at most 0.5 away; `$within: 5%` is relative
 *   { $min: 1, $max: 75 }                   a number in this range, ends included
 *   { $one_of: [EUR, USD] }                 equal to one of these
 *   { $type: string }                       any value of this type
 *   { $absent: true }                       the key must not be there
 *   { $any: true }                          the key must be there, whatever its value
 *   { $literal: { $regex: x } }             exactly this value, for arguments that themselves use such keys
 */
import { nearest } from "../text/nearest.ts";
import { compilePattern } from "../text/pattern.ts";
import { isObject, type Json, type JsonObject, jsonEqual, stringifyJson } from "../trace/json.ts";
import { isOfType, jsonTypes } from "../trace/json-types.ts";

export interface ValueMatcher {
  readonly matches: (value: Json) => boolean;
  /** What is wanted, as it follows "expected": `a text matching /^A-/`. */
  readonly wanted: string;
  /** The key must not exist; `matches` is then never asked. */
  readonly absent?: true;
  /** The exact value, for `$literal`. */
  readonly literal?: { readonly value: Json };
}

const heads = ["$regex", "$near", "$min", "$max", "$one_of", "$type", "$absent", "$any", "$literal"] as const;
const companions: Readonly<Record<string, readonly string[]>> = {
  $regex: ["$flags"],
  $near: ["$within"],
  $min: ["$max"],
  $max: ["$min"],
};

/** A matcher, a sentence about what is wrong with it, or undefined when the value is an ordinary one. */
export function parseMatcher(value: Json): ValueMatcher | string | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => key.startsWith("$"))) return undefined;
  const head = heads.find((candidate) => keys.includes(candidate));
  if (head === undefined) return misspelt(keys);
  const stray = keys.find((key) => key !== head && !(companions[head] ?? []).includes(key));
  if (stray !== undefined) return `${stray} does not go together with ${head}`;
  return builders[head](value[head]!, value);
}

type Builder = (argument: Json, whole: JsonObject) => ValueMatcher | string;

const builders: Readonly<Record<(typeof heads)[number], Builder>> = {
  $regex: regexMatcher,
  $near: nearMatcher,
  $min: rangeMatcher,
  $max: rangeMatcher,
  $one_of: oneOfMatcher,
  $type: typeMatcher,
  $absent: (argument) =>
    argument === true
      ? { matches: () => false, wanted: "no such argument", absent: true }
      : "$absent takes only the value true",
  $any: (argument) =>
    argument === true ? { matches: () => true, wanted: "any value" } : "$any takes only the value true",
  $literal: (argument) => ({
    matches: (value) => jsonEqual(argument, value),
    wanted: stringifyJson(argument),
    literal: { value: argument },
  }),
};

function regexMatcher(argument: Json, whole: JsonObject): ValueMatcher | string {
  const flags = whole["$flags"] ?? "";
  if (typeof argument !== "string" || typeof flags !== "string") return "$regex and $flags take texts";
  const pattern = compilePattern(argument, flags);
  if (typeof pattern === "string") return pattern;
  return {
    matches: (value) => typeof value === "string" && pattern.test(value),
    wanted: `a text matching /${argument}/${flags}`,
  };
}

function nearMatcher(argument: Json, whole: JsonObject): ValueMatcher | string {
  const target = asNumber(argument);
  const raw = whole["$within"];
  const percent = typeof raw === "string" ? /^([0-9]+(?:\.[0-9]+)?) ?%$/.exec(raw) : null;
  const within = percent ? (Number(percent[1]) / 100) * Math.abs(target ?? 0) : asNumber(raw);
  if (target === undefined) return "$near takes a number";
  if (within === undefined || within < 0)
    return "$near needs $within: a number that is not negative, or a percentage such as 5%";
  // A decimal limit such as 0.1 is not exact in binary: one unit in the last place must not decide.
  const slack = Number.EPSILON * Math.max(Math.abs(target), within, 1) * 4;
  return {
    matches: (value) => {
      const actual = asNumber(value);
      return actual !== undefined && Math.abs(actual - target) <= within + slack;
    },
    wanted: `a number within ${percent ? raw : within} of ${target}`,
  };
}

function rangeMatcher(_argument: Json, whole: JsonObject): ValueMatcher | string {
  const least = whole["$min"] === undefined ? Number.NEGATIVE_INFINITY : asNumber(whole["$min"]);
  const most = whole["$max"] === undefined ? Number.POSITIVE_INFINITY : asNumber(whole["$max"]);
  if (least === undefined || most === undefined) return "$min and $max take numbers";
  if (least > most) return `$min ${least} is above $max ${most}`;
  const words =
    least === Number.NEGATIVE_INFINITY
      ? `at most ${most}`
      : most === Number.POSITIVE_INFINITY
        ? `at least ${least}`
        : `from ${least} to ${most}`;
  return {
    matches: (value) => {
      const actual = asNumber(value);
      return actual !== undefined && actual >= least && actual <= most;
    },
    wanted: `a number ${words}`,
  };
}

function oneOfMatcher(argument: Json): ValueMatcher | string {
  if (!Array.isArray(argument) || argument.length === 0) return "$one_of takes a list with at least one value";
  const values = argument as readonly Json[];
  return {
    matches: (value) => values.some((candidate) => jsonEqual(candidate, value)),
    wanted: `one of ${values.map((value) => stringifyJson(value)).join(", ")}`,
  };
}

function typeMatcher(argument: Json): ValueMatcher | string {
  const type = jsonTypes.find((candidate) => candidate === argument);
  if (type === undefined) return `$type must be one of ${jsonTypes.join(", ")}`;
  return { matches: (value) => isOfType(value, type), wanted: `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}` };
}

function asNumber(value: Json | undefined): number | undefined {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A key such as `$regexp` is more likely a slip than data; `$ref` and `$gt` are data. */
function misspelt(keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const close = nearest(key.toLowerCase(), heads);
    if (close !== undefined && key.length > 4) {
      return `unknown matcher ${key}. Did you mean ${close}? To compare with this very value, write $literal around it`;
    }
  }
  return undefined;
}
