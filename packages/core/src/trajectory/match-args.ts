/**
 * Expected arguments against actual ones: a fast yes or no. Values are compared without coercion: `1` and `"1"` differ.
 * What exactly differs is the business of compare-args.ts.
 */
import { isObject, type Json, type JsonObject, jsonEqual } from "../trace/json.ts";
import { parseJson } from "../trace/parse-json.ts";
import type { MappingPattern, Pattern } from "./args-pattern.ts";
import type { ArgsMatch } from "./trajectory.ts";

/** Whether the arguments of a call are as expected. */
export function matchArgs(expected: MappingPattern, actual: JsonObject | undefined, mode: ArgsMatch): boolean {
  if (mode === "ignore") return true;
  if (actual === undefined) return false;
  if (typeof mode !== "string") return mode.every((path) => matchField(expected, actual, path));
  switch (mode) {
    case "exact":
      return matchMapping(expected, actual, "exact");
    case "deep_superset":
      return matchMapping(expected, actual, "deep");
    case "subset":
      return matchSubset(expected, actual);
    case "superset":
      return matchMapping(expected, actual, "top");
  }
}

/** `exact`: no other keys anywhere; `top`: others allowed here, not below; `deep`: others allowed everywhere. */
export type Strictness = "exact" | "top" | "deep";

function matchMapping(expected: MappingPattern, actual: JsonObject, strictness: Strictness): boolean {
  const below = strictness === "deep" ? "deep" : "exact";
  let present = 0;
  for (const { key, pattern } of expected.members) {
    const has = Object.hasOwn(actual, key);
    if (pattern.kind === "matcher" && pattern.matcher.absent) {
      if (has) return false;
      continue;
    }
    if (!has || !matchPattern(pattern, actual[key]!, below)) return false;
    present++;
  }
  return strictness !== "exact" || Object.keys(actual).length === present;
}

function matchSubset(expected: MappingPattern, actual: JsonObject): boolean {
  return Object.keys(actual).every((key) => {
    const pattern = memberPattern(expected, key);
    return pattern !== undefined && matchPattern(pattern, actual[key]!, "exact");
  });
}

export function matchPattern(pattern: Pattern, actual: Json, strictness: Strictness): boolean {
  switch (pattern.kind) {
    case "value":
      return strictness === "deep" ? deepSuperset(pattern.value, actual) : jsonEqual(pattern.value, actual);
    case "matcher":
      return pattern.matcher.matches(actual);
    case "list":
      return (
        Array.isArray(actual) &&
        actual.length === pattern.items.length &&
        pattern.items.every((item, index) => matchPattern(item, actual[index], strictness))
      );
    case "mapping":
      return isObject(actual) && matchMapping(pattern, actual, strictness);
  }
}

/** Mappings may have more keys at every depth; lists agree by length and position. */
function deepSuperset(expected: Json, actual: Json): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item: Json, index) => deepSuperset(item, actual[index]))
    );
  }
  if (isObject(expected)) {
    return (
      isObject(actual) &&
      Object.keys(expected).every((key) => Object.hasOwn(actual, key) && deepSuperset(expected[key]!, actual[key]!))
    );
  }
  return jsonEqual(expected, actual);
}

function matchField(expected: MappingPattern, actual: JsonObject, path: string): boolean {
  const pattern = patternAt(expected, path.split("."));
  if (pattern === undefined) return true;
  const value = valueAt(actual, path.split("."));
  if (pattern.kind === "matcher" && pattern.matcher.absent) return value === undefined;
  return value !== undefined && matchPattern(pattern, value, "exact");
}

function memberPattern(expected: MappingPattern, key: string): Pattern | undefined {
  return Object.hasOwn(expected.source, key)
    ? expected.members.find((member) => member.key === key)?.pattern
    : undefined;
}

export function patternAt(pattern: Pattern, steps: readonly string[]): Pattern | undefined {
  let current: Pattern | undefined = pattern;
  for (const [index, step] of steps.entries()) {
    if (current === undefined || current.kind === "matcher") return undefined;
    if (current.kind === "value") {
      const value = valueAt(current.value, steps.slice(index));
      return value === undefined ? undefined : { kind: "value", value };
    }
    current = current.kind === "list" ? current.items[Number(step)] : memberPattern(current, step);
  }
  return current;
}

export function valueAt(value: Json | undefined, steps: readonly string[]): Json | undefined {
  let current = value;
  for (const step of steps) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as JsonObject)[step];
  }
  return current;
}

/**
 * The arguments of a call as a mapping. Several sources keep them as JSON text, which is read here; anything that is not
 * a mapping in the end (null, a list, a number, other text) matches no expectation.
 */
export function argumentsOf(input: Json | undefined): JsonObject | undefined {
  if (isObject(input)) return input;
  if (typeof input !== "string") return undefined;
  try {
    const parsed = parseJson(input);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
