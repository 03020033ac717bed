/**
 * Expected arguments against actual ones: a fast yes or no (`matchArgs`), and, for misses, every path with what was
 * expected and what was seen (`compareArgs`). Values are compared without coercion: `1` and `"1"` differ.
 */
import { SpoorError } from "../errors.ts";
import { isObject, type Json, type JsonObject, jsonEqual, setMember } from "../trace/json.ts";
import { formatPath } from "../yaml/parse-yaml.ts";
import { parseMatcher, type ValueMatcher } from "./matchers.ts";
import type { ArgsMatch, ArgumentComparison } from "./trajectory.ts";

/** An expected value with its matchers found: whatever has none below it is compared as it is. */
export type Pattern =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "matcher"; readonly matcher: ValueMatcher; readonly source: Json }
  | { readonly kind: "list"; readonly items: readonly Pattern[]; readonly source: Json }
  | MappingPattern;
export interface MappingPattern {
  readonly kind: "mapping";
  readonly members: readonly { readonly key: string; readonly pattern: Pattern }[];
  readonly source: JsonObject;
}

/** Finds the matchers of expected arguments; a matcher that makes no sense is an error that names its path. */
export function compileArgs(args: JsonObject): MappingPattern {
  return compileMapping(args, []);
}

/** `path` is where we are, grown and shrunk on the way: it only becomes a text when something is wrong. */
function compile(value: Json, path: (string | number)[]): Pattern {
  if (typeof value !== "object" || value === null) return { kind: "value", value };
  if (Array.isArray(value)) return compileList(value as readonly Json[], path);
  const matcher = parseMatcher(value);
  if (typeof matcher === "string") {
    const at = formatPath(path);
    throw new SpoorError("evaluators.bad-matcher", `${at || "args"}: ${matcher}.`, { at: { path: at } });
  }
  if (matcher?.literal !== undefined) return { kind: "value", value: matcher.literal.value };
  if (matcher !== undefined) return { kind: "matcher", matcher, source: value };
  const mapping = compileMapping(value as JsonObject, path);
  return mapping.members.every(({ key, pattern }) => isPlain(pattern, mapping.source[key]!))
    ? { kind: "value", value }
    : mapping;
}

function compileList(list: readonly Json[], path: (string | number)[]): Pattern {
  const items = list.map((item, index) => compileAt(item, index, path));
  return items.every((item, index) => isPlain(item, list[index]!))
    ? { kind: "value", value: list }
    : { kind: "list", items, source: list };
}

function compileMapping(source: JsonObject, path: (string | number)[]): MappingPattern {
  const members = Object.keys(source).map((key) => ({ key, pattern: compileAt(source[key]!, key, path) }));
  return { kind: "mapping", members, source };
}

function compileAt(value: Json, step: string | number, path: (string | number)[]): Pattern {
  if (typeof value !== "object" || value === null) return { kind: "value", value };
  path.push(step);
  const pattern = compile(value, path);
  path.pop();
  return pattern;
}

/** Nothing below is a matcher, and the written value is the compared one (a `$literal` stands for another). */
function isPlain(pattern: Pattern, written: Json): boolean {
  return pattern.kind === "value" && pattern.value === written;
}

/**
 * The arguments of a call as a mapping. Several sources keep them as JSON text, which is read here; anything that is not
 * a mapping in the end (null, a list, a number, other text) matches no expectation.
 */
export function argumentsOf(input: Json | undefined): JsonObject | undefined {
  if (isObject(input)) return input;
  if (typeof input !== "string") return undefined;
  try {
    const parsed = JSON.parse(input) as Json;
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

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
type Strictness = "exact" | "top" | "deep";

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

function matchPattern(pattern: Pattern, actual: Json, strictness: Strictness): boolean {
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

function patternAt(pattern: Pattern, steps: readonly string[]): Pattern | undefined {
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

function valueAt(value: Json | undefined, steps: readonly string[]): Json | undefined {
  let current = value;
  for (const step of steps) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as JsonObject)[step];
  }
  return current;
}

/** Every path that was compared, with its outcome, and the paths of the call that were not. */
export function compareArgs(
  expected: MappingPattern,
  input: Json | undefined,
  mode: ArgsMatch,
): { comparisons: ArgumentComparison[]; notCompared: string[] } {
  const actual = argumentsOf(input);
  const comparisons: ArgumentComparison[] = [];
  if (mode === "ignore") return { comparisons, notCompared: actual === undefined ? [] : Object.keys(actual) };
  if (actual === undefined) {
    comparisons.push({
      path: "",
      outcome: input === undefined ? "missing" : "different",
      expected: expected.source,
      ...(input === undefined ? {} : { actual: input }),
      wanted: "a mapping of arguments",
    });
    return { comparisons, notCompared: [] };
  }
  if (typeof mode !== "string") {
    for (const path of mode) compareField(expected, actual, path, comparisons);
    const named = new Set(mode.map((path) => path.split(".")[0]!));
    return { comparisons, notCompared: Object.keys(actual).filter((key) => !named.has(key)) };
  }
  const strictness: Strictness = mode === "deep_superset" ? "deep" : mode === "superset" ? "top" : "exact";
  compareMapping(expected, actual, "", strictness, comparisons);
  if (mode === "subset") {
    const missing = comparisons.filter(
      (entry) => entry.outcome === "missing" && Object.hasOwn(expected.source, entry.path),
    );
    for (const entry of missing) comparisons.splice(comparisons.indexOf(entry), 1);
  }
  const notCompared =
    strictness === "exact" ? [] : Object.keys(actual).filter((key) => !Object.hasOwn(expected.source, key));
  return { comparisons, notCompared };
}

function compareField(expected: MappingPattern, actual: JsonObject, path: string, into: ArgumentComparison[]): void {
  const pattern = patternAt(expected, path.split("."));
  if (pattern !== undefined) comparePattern(pattern, valueAt(actual, path.split(".")), path, "exact", into);
}

function compareMapping(
  expected: MappingPattern,
  actual: JsonObject,
  path: string,
  strictness: Strictness,
  into: ArgumentComparison[],
): void {
  const below = strictness === "deep" ? "deep" : "exact";
  for (const { key, pattern } of expected.members) {
    comparePattern(pattern, Object.hasOwn(actual, key) ? actual[key] : undefined, joinPath(path, key), below, into);
  }
  if (strictness !== "exact") return;
  for (const key of Object.keys(actual)) {
    if (!Object.hasOwn(expected.source, key))
      into.push({ path: joinPath(path, key), outcome: "unexpected", actual: actual[key]! });
  }
}

function comparePattern(
  pattern: Pattern,
  actual: Json | undefined,
  path: string,
  strictness: Strictness,
  into: ArgumentComparison[],
): void {
  if (pattern.kind === "matcher") {
    const { matcher, source } = pattern;
    const wanted = { expected: source, wanted: matcher.wanted };
    if (actual === undefined) into.push({ path, outcome: matcher.absent ? "same" : "missing", ...wanted });
    else
      into.push({
        path,
        outcome: !matcher.absent && matcher.matches(actual) ? "same" : "different",
        ...wanted,
        actual,
      });
    return;
  }
  const source = pattern.kind === "value" ? pattern.value : pattern.source;
  if (actual === undefined) {
    into.push({ path, outcome: "missing", expected: source });
  } else if (isObject(source) && isObject(actual) && Object.keys(source).length > 0) {
    const mapping = pattern.kind === "mapping" ? pattern : literalMapping(source);
    compareMapping(mapping, actual, path, strictness, into);
  } else if (Array.isArray(source) && Array.isArray(actual) && source.length === actual.length && source.length > 0) {
    for (let index = 0; index < source.length; index++) {
      const item: Pattern = pattern.kind === "list" ? pattern.items[index]! : { kind: "value", value: source[index]! };
      comparePattern(item, actual[index], `${path}[${index}]`, strictness, into);
    }
  } else {
    into.push({
      path,
      outcome: matchPattern(pattern, actual, strictness) ? "same" : "different",
      expected: source,
      actual,
    });
  }
}

function literalMapping(source: JsonObject): MappingPattern {
  const keys = Object.keys(source);
  return {
    kind: "mapping",
    members: keys.map((key) => ({ key, pattern: { kind: "value", value: source[key]! } })),
    source,
  };
}

/** `refund.amount`; a key that is not a plain word stands in brackets, so that a path is never ambiguous. */
export function joinPath(path: string, key: string): string {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** A copy of expected arguments without the given top-level keys (for dialects that can ignore some). */
export function withoutKeys(args: JsonObject, keys: readonly string[]): JsonObject {
  if (keys.length === 0) return args;
  const rest: Record<string, Json> = {};
  for (const key of Object.keys(args)) if (!keys.includes(key)) setMember(rest, key, args[key]!);
  return rest;
}
