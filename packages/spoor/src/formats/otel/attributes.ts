/** Reading attributes: the first of several names, JSON in texts, and lists flattened into dotted names. */

import type { Json } from "@spoor/core";
import { parseCount } from "@spoor/core/internal/providers/usage";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, jsonEqual, setMember } from "@spoor/core/internal/trace/json";

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
 * some writers leave out messages they could not serialise. A reader may have gathered it before, or found it whole.
 * Undefined when no such attribute exists.
 */
export function listUnder(attributes: Attributes, prefix: string): readonly Json[] | undefined {
  const whole = attributes.get(prefix);
  if (Array.isArray(whole) && whole.length > 0) return whole;
  let list: NumberedList | undefined;
  attributes.forEach((value, key) => {
    const found = placeOf(key);
    if (found.prefix !== prefix) return;
    list ??= new NumberedList();
    list.add(found, value);
  });
  return list?.finish();
}

/**
 * Attributes in which what numbered names spell out stands as one list under the name before the number. Items with which a list begins as that of `before`,
 * the attributes of an earlier span, are the same objects: requests repeat their history, and a file would hold it once for each.
 */
export class GatheredAttributes {
  private readonly before: Attributes | undefined;
  private readonly plain = new Map<string, Json>();
  private readonly lists = new Map<string, NumberedList>();

  constructor(before?: Attributes) {
    this.before = before;
  }

  set(key: string, value: Json): void {
    const found = placeOf(key);
    if (found === NOWHERE) {
      this.plain.set(key, value);
      return;
    }
    let list = this.lists.get(found.prefix);
    if (list === undefined) {
      list = new NumberedList();
      this.lists.set(found.prefix, list);
    }
    list.add(found, value);
  }

  finish(): Map<string, Json> {
    for (const [prefix, list] of this.lists) {
      const items = list.finish();
      const earlier = this.before?.get(prefix);
      if (Array.isArray(earlier)) shareBeginning(items, earlier);
      this.plain.set(prefix, items);
    }
    return this.plain;
  }
}

function shareBeginning(items: Json[], earlier: readonly Json[]): void {
  for (let index = 0; index < items.length && index < earlier.length; index++) {
    if (!jsonEqual(items[index], earlier[index])) return;
    items[index] = earlier[index]!;
  }
}

/** Built as its parts come, nearly always in order. */
class NumberedList {
  private list: Json[] = [];
  /** Something has to be put in order at the end: numbers that were left out, or objects whose keys are numbers. */
  private isUneven = false;

  add({ path }: Place, value: Json): void {
    const last = path.length - 1;
    let at: Container = this.list;
    for (let depth = 0; depth < last; depth++) {
      const key = path[depth]!;
      const known: Json | undefined = ownMember(at, key);
      const inner = containerFor(known, path[depth + 1]!);
      if (inner !== known) this.set(at, key, inner as Json);
      at = inner;
    }
    this.set(at, path[last]!, value);
    if (isObject(value)) this.isUneven = true;
  }

  finish(): Json[] {
    return this.isUneven ? (inOrder(this.list) as Json[]) : this.list;
  }

  private set(at: Container, key: string | number, value: Json): void {
    if (!Array.isArray(at)) setMember(at, String(key), value);
    else {
      if ((key as number) > at.length) this.isUneven = true;
      at[key as number] = value;
    }
  }
}

type Container = Json[] | Record<string, Json>;

function ownMember(at: Container, key: string | number): Json | undefined {
  return Object.hasOwn(at, key) ? (at as Record<string | number, Json>)[key] : undefined;
}

/** What a member can be put into; what stands in the way and can hold none gives way. */
function containerFor(known: Json | undefined, key: string | number): Container {
  if (isObject(known)) return known as Record<string, Json>;
  if (typeof key === "number") return Array.isArray(known) ? known : [];
  return Array.isArray(known) ? { ...known } : {};
}

/** Without the gaps of lists, and with lists for objects whose keys are all numbers. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.filter(() => true).map(inOrder);
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every(isNumber)) {
    return keys.sort((left, right) => Number(left) - Number(right)).map((key) => inOrder(value[key]!));
  }
  let members: Record<string, Json> | undefined;
  for (const key of keys) {
    const inner = value[key]!;
    const list = typeof inner === "object" ? inOrder(inner) : inner;
    if (list !== inner) members ??= { ...value };
    if (members !== undefined) setMember(members, key, list);
  }
  return members ?? value;
}

function isNumber(key: string): boolean {
  return /^[0-9]{1,6}$/.test(key);
}

/** Where in a list an attribute stands: the list's name, and the path inside it, which begins with a number. */
interface Place {
  readonly prefix: string;
  readonly path: readonly (string | number)[];
}

const MAX_PATH = 12;
const MAX_PLACES = 20_000;
const NOWHERE: Place = { prefix: "", path: [] };

/** Every span of a file has the same few hundred names: each is taken apart once. */
const PLACES = new Map<string, Place>();

/** By the first number among the names. */
function placeOf(key: string): Place {
  const known = PLACES.get(key);
  if (known !== undefined) return known;
  const at = key.search(/\.[0-9]{1,6}(?:\.|$)/);
  const path = key.slice(at + 1).split(".");
  const found =
    at <= 0 || path.length > MAX_PATH
      ? NOWHERE
      : { prefix: key.slice(0, at), path: path.map((name) => (isNumber(name) ? Number(name) : name)) };
  if (PLACES.size < MAX_PLACES) PLACES.set(key, found);
  return found;
}
