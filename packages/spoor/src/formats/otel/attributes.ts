/** Reading attributes: the first of several names, JSON in texts, and lists flattened into dotted names. */

import type { Json } from "@spoor/core";
import { parseCount } from "@spoor/core/internal/providers/usage";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, setMember } from "@spoor/core/internal/trace/json";

export type Attributes = ReadonlyMap<string, Json>;

/** The first of several attributes that is a text with something in it. */
export function textOf(attributes: Attributes, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = attributes.get(key);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function countOf(attributes: Attributes, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const count = parseCount(attributes.get(key));
    if (count !== undefined) return count;
  }
  return undefined;
}

/** The first of several attributes that is there; JSON text is read, other text stays text. */
export function jsonOf(attributes: Attributes, ...keys: readonly string[]): Json | undefined {
  for (const key of keys) {
    const value = attributes.get(key);
    if (value === undefined || value === null || value === "") continue;
    return typeof value === "string" ? (parseJsonText(value) ?? value) : value;
  }
  return undefined;
}

/**
 * The list under `prefix.0.…`, `prefix.1.…`: nested members follow the dots, and numbers make lists. Gaps are closed:
 * some writers leave out messages they could not serialise. Undefined when no such attribute exists.
 */
export function listUnder(attributes: Attributes, prefix: string): Json[] | undefined {
  const start = `${prefix}.`;
  const root: Record<string, Json> = {};
  let found = false;
  for (const [key, value] of attributes) {
    if (!key.startsWith(start)) continue;
    const path = key.slice(start.length).split(".");
    if (!/^[0-9]{1,6}$/.test(path[0]!) || path.length > 12) continue;
    found = true;
    place(root, path, value);
  }
  if (!found) return undefined;
  const list = asLists(root);
  return Array.isArray(list) ? list : undefined;
}

function place(root: Record<string, Json>, path: readonly string[], value: Json): void {
  let at = root;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    const inner: Record<string, Json> = isObject(next) ? (next as Record<string, Json>) : {};
    if (inner !== next) setMember(at, key, inner);
    at = inner;
  }
  setMember(at, path.at(-1)!, value);
}

function asLists(value: Json): Json {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => /^[0-9]+$/.test(key))) {
    return keys.sort((left, right) => Number(left) - Number(right)).map((key) => asLists(value[key]!));
  }
  const members: Record<string, Json> = {};
  for (const key of keys) setMember(members, key, asLists(value[key]!));
  return members;
}
