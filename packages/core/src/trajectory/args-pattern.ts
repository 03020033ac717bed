/** Expected arguments made ready for comparing: matchers are found once, everything else is kept as it is written. */
import { SpoorError } from "../errors.ts";
import { formatPath } from "../read/source.ts";
import { type Json, type JsonObject, setMember } from "../trace/json.ts";
import { parseMatcher, type ValueMatcher } from "./matchers.ts";

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

/** A copy of expected arguments without the given top-level keys (for dialects that can ignore some). */
export function withoutKeys(args: JsonObject, keys: readonly string[]): JsonObject {
  if (keys.length === 0) return args;
  const rest: Record<string, Json> = {};
  for (const key of Object.keys(args)) if (!keys.includes(key)) setMember(rest, key, args[key]!);
  return rest;
}
