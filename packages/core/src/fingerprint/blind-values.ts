/** What is left of arguments and results when nothing anyone said may stay: names of members, sizes of lists, whether two are equal. */
import { sortedKeys } from "../canonical/canonical-json.ts";
import { isObject, type Json, type JsonObject, member, numberMember, setMember, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { REMOVED, removedValue } from "../trace/removed-value.ts";
import { outputShape } from "./output-shape.ts";

/** Lists longer than this are counted exactly in the file but restored only up to here. */
const LONGEST_RESTORED_LIST = 10_000;

/** The shape of a call's arguments and result, as a content-blind file has it. */
export function shapeMembers(
  { input, output }: { readonly input?: Json | undefined; readonly output?: Json | undefined },
  hash: (content: Json) => string,
): JsonObject {
  const shape = output === undefined ? undefined : outputShape(output);
  return present({
    argument_keys: isObject(input) ? sortedKeys(input) : undefined,
    arguments_hash: input === undefined ? undefined : hash(input),
    output_keys: shape?.keys,
    result_count: shape?.resultCount,
    result_key: shape?.resultKey,
    output_empty: shape?.empty,
  });
}

export function restoredInput(interaction: JsonObject): Json | undefined {
  const keys = member(interaction, "argument_keys");
  const hash = stringMember(interaction, "arguments_hash");
  if (Array.isArray(keys)) return restoredObject(keys, removedValue(hash));
  return hash === undefined ? undefined : removedValue(hash);
}

export function restoredOutput(interaction: JsonObject): Json | undefined {
  const keys = member(interaction, "output_keys");
  const count = numberMember(interaction, "result_count");
  const list = count === undefined ? undefined : Array<Json>(Math.min(count, LONGEST_RESTORED_LIST)).fill(REMOVED);
  if (!Array.isArray(keys)) {
    if (list !== undefined) return list;
    const empty = member(interaction, "output_empty");
    return empty === undefined ? undefined : empty === true ? "" : REMOVED;
  }
  const output = restoredObject(keys);
  const resultKey = stringMember(interaction, "result_key");
  if (resultKey !== undefined && list !== undefined) setMember(output, resultKey, list);
  return output;
}

function restoredObject(keys: readonly Json[], value = REMOVED): Record<string, Json> {
  const restored: Record<string, Json> = {};
  for (const key of keys) if (typeof key === "string") setMember(restored, key, value);
  return restored;
}
