/** What several recordings of one call have in common: the arguments that a case may ask for, because they do not vary by themselves. */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, jsonEqual, member, setMember } from "@spoor/core/internal/trace/json";
import { argumentsOf } from "@spoor/core/internal/trajectory/match-args";

/** Undefined where nothing is the same in all of them, or where one of them has no arguments by name. */
export function stableArguments(inputs: readonly (Json | undefined)[]): JsonObject | undefined {
  const all = inputs.map(argumentsOf);
  const [first, ...others] = all;
  if (first === undefined || others.includes(undefined)) return undefined;
  const stable = common(first, others as Json[]);
  return isObject(stable) && Object.keys(stable).length > 0 ? stable : undefined;
}

/** The part of a value that the others have as well; mappings may agree in some of their keys, lists agree whole or not at all. */
function common(value: Json, others: readonly Json[]): Json | undefined {
  if (isObject(value) && others.every(isObject)) {
    const kept: Record<string, Json> = {};
    for (const [key, item] of Object.entries(value)) {
      const same = others.map((other) => member(other, key));
      const part = same.includes(undefined) ? undefined : common(item, same as Json[]);
      if (part !== undefined) setMember(kept, key, part);
    }
    // A mapping of which nothing is left says nothing, unless there was nothing in it.
    if (Object.keys(kept).length === 0 && Object.keys(value).length > 0) return undefined;
    return literal(kept);
  }
  return others.every((other) => jsonEqual(other, value)) ? written(value) : undefined;
}

/** Keys that begin with `$` would be read as a question instead of an answer. */
function literal(value: JsonObject): Json {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith("$")) ? { $literal: value } : value;
}

function written(value: Json): Json {
  if (Array.isArray(value)) return value.map(written);
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(copy, key, written(item));
  return literal(copy);
}
