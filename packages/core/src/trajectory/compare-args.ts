/** For a miss: every argument path with what was expected and what was seen, and the paths that took no part. */
import { isObject, type Json, type JsonObject } from "../trace/json.ts";
import type { MappingPattern, Pattern } from "./args-pattern.ts";
import { argumentsOf, matchPattern, patternAt, type Strictness, valueAt } from "./match-args.ts";
import type { ArgsMatch, ArgumentComparison } from "./trajectory.ts";

/** Every path that was compared, with its outcome, and the paths of the call that were not. */
export function compareArgs(
  expected: MappingPattern,
  input: Json | undefined,
  mode: ArgsMatch,
): { comparisons: ArgumentComparison[]; notCompared: string[] } {
  const actual = argumentsOf(input === undefined && expected.members.length > 0 ? {} : input);
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

/** Arguments that mean themselves: nothing in them is a matcher. */
export function literalMapping(source: JsonObject): MappingPattern {
  const keys = Object.keys(source);
  return {
    kind: "mapping",
    members: keys.map((key) => ({ key, pattern: { kind: "value", value: source[key]! } })),
    source,
  };
}

/** `refund.amount`; a key that is not a plain word stands in brackets, so that a path is never ambiguous. */
function joinPath(path: string, key: string): string {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
