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
  const places = placesUnder(prefix);
  const items = new Map<string, Item>();
  attributes.forEach((value, key) => {
    let found = places.get(key);
    if (found === undefined) {
      found = placeOf(key, `${prefix}.`) ?? NOWHERE;
      if (places.size < MAX_PLACES) places.set(key, found);
    }
    if (found === NOWHERE) return;
    const { index, path } = found;
    let item = items.get(index);
    if (item === undefined) {
      item = { order: Number(index), value: null, mayHoldLists: false };
      items.set(index, item);
    }
    item.value = path.length === 0 ? value : place(item.value, path, value);
    item.mayHoldLists ||= found.holdsNumber || isObject(value);
  });
  if (items.size === 0) return undefined;
  const list = [...items.values()];
  const isInOrder = list.every((item, at) => at === 0 || list[at - 1]!.order <= item.order);
  if (!isInOrder) list.sort((left, right) => left.order - right.order);
  return list.map((item) => (item.mayHoldLists ? asLists(item.value) : item.value));
}

interface Item {
  readonly order: number;
  value: Json;
  mayHoldLists: boolean;
}

/** Where in a list an attribute stands: the number of its item, and the path inside it. */
interface Place {
  readonly index: string;
  readonly path: readonly string[];
  /** Whether the path leads through a list. */
  readonly holdsNumber: boolean;
}

const MAX_PATH = 12;
const MAX_PLACES = 20_000;
const NOWHERE: Place = { index: "", path: [], holdsNumber: false };

/** Every span of a file has the same few hundred names: each is taken apart once. */
const PLACES = new Map<string, Map<string, Place>>();

function placesUnder(prefix: string): Map<string, Place> {
  const known = PLACES.get(prefix);
  if (known !== undefined) return known;
  const places = new Map<string, Place>();
  PLACES.set(prefix, places);
  return places;
}

function placeOf(key: string, start: string): Place | undefined {
  if (!key.startsWith(start)) return undefined;
  const [index, ...path] = key.slice(start.length).split(".");
  if (!/^[0-9]{1,6}$/.test(index!) || path.length >= MAX_PATH) return undefined;
  return { index: index!, path, holdsNumber: path.some(isNumber) };
}

/** The item with a member at a path; what stands in the way and is no object gives way. */
function place(item: Json, path: readonly string[], value: Json): Json {
  const root: Record<string, Json> = isObject(item) ? (item as Record<string, Json>) : {};
  let at = root;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const key = path[depth]!;
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    const inner: Record<string, Json> = isObject(next) ? (next as Record<string, Json>) : {};
    if (inner !== next) setMember(at, key, inner);
    at = inner;
  }
  setMember(at, path.at(-1)!, value);
  return root;
}

function asLists(value: Json): Json {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every(isNumber)) {
    return keys.sort((left, right) => Number(left) - Number(right)).map((key) => asLists(value[key]!));
  }
  let members: Record<string, Json> | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const inner = value[key]!;
    const list = isObject(inner) ? asLists(inner) : inner;
    if (list !== inner) members ??= { ...value };
    if (members !== undefined) setMember(members, key, list);
  }
  return members ?? value;
}

function isNumber(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && /^[0-9]+$/.test(key);
}
