/**
 * What a model's answer says beside what its payload says: ids, signatures, encrypted reasoning. `withResidue(encoded, residue)` is
 * the exact body, so that a recording can be served again; where both agree nothing is kept.
 *
 * A residue is `{set, in, drop, add}`: members (or items of a list) to set, members to go on in, members to drop, items to add to a
 * list; or `{is}`, the value itself. Undefined: nothing differs.
 */
import { isObject, type Json, type JsonObject, jsonEqual, setMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";

export function residueOf(encoded: Json, body: Json): JsonObject | undefined {
  if (jsonEqual(encoded, body)) return undefined;
  if (Array.isArray(encoded) && Array.isArray(body) && encoded.length <= body.length)
    return residueOfList(encoded, body);
  if (!isObject(encoded) || !isObject(body)) return { is: body };
  const set: Record<string, Json> = {};
  const inside: Record<string, Json> = {};
  for (const key of Object.keys(body)) {
    const ours = Object.hasOwn(encoded, key) ? encoded[key] : undefined;
    const theirs = body[key]!;
    if (ours === undefined) setMember(set, key, theirs);
    else keepDifference(ours, theirs, key, set, inside);
  }
  const drop = Object.keys(encoded).filter((key) => !Object.hasOwn(body, key));
  return compact(set, inside, drop);
}

function residueOfList(encoded: readonly Json[], body: readonly Json[]): JsonObject {
  const set: Record<string, Json> = {};
  const inside: Record<string, Json> = {};
  for (let index = 0; index < encoded.length; index++)
    keepDifference(encoded[index]!, body[index]!, String(index), set, inside);
  return compact(set, inside, [], body.slice(encoded.length));
}

function keepDifference(
  ours: Json,
  theirs: Json,
  key: string,
  set: Record<string, Json>,
  inside: Record<string, Json>,
): void {
  const residue = residueOf(ours, theirs);
  if (residue === undefined) return;
  if (Object.hasOwn(residue, "is")) setMember(set, key, theirs);
  else setMember(inside, key, residue);
}

function compact(
  set: Record<string, Json>,
  inside: Record<string, Json>,
  drop: readonly string[],
  add: readonly Json[] = [],
): JsonObject {
  return present({
    set: Object.keys(set).length === 0 ? undefined : set,
    in: Object.keys(inside).length === 0 ? undefined : inside,
    drop: drop.length === 0 ? undefined : drop,
    add: add.length === 0 ? undefined : add,
  });
}

/** The body that `residueOf` was given. */
export function withResidue(encoded: Json, residue: Json | undefined): Json {
  if (!isObject(residue)) return encoded;
  if (Object.hasOwn(residue, "is")) return residue["is"]!;
  const set = isObject(residue["set"]) ? residue["set"] : {};
  const inside = isObject(residue["in"]) ? residue["in"] : {};
  const dropped = new Set(Array.isArray(residue["drop"]) ? residue["drop"] : []);
  const changed = (key: string, value: Json) =>
    Object.hasOwn(set, key) ? set[key]! : Object.hasOwn(inside, key) ? withResidue(value, inside[key]) : value;
  const added = Array.isArray(residue["add"]) ? residue["add"] : [];
  if (Array.isArray(encoded)) return [...encoded.map((item, index) => changed(String(index), item)), ...added];
  const body: Record<string, Json> = {};
  if (isObject(encoded))
    for (const key of Object.keys(encoded)) if (!dropped.has(key)) setMember(body, key, changed(key, encoded[key]!));
  for (const key of Object.keys(set)) setMember(body, key, set[key]!);
  return body;
}
