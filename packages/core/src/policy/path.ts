/**
 * Paths into a pair: `request.params.amount`, `request.messages.0.content`, `response.content.*.name`.
 *
 * Segments are separated by dots. A key that holds a dot is written `["a.b"]` or `a\.b`; `*` stands for every element of a
 * list and every member of a mapping (`\*` is the key itself). In a list a segment must be a whole number. A null met
 * anywhere counts as missing.
 */
import { isObject, type Json, setMember } from "../trace/json.ts";

/** A segment: a key, or undefined for `*`. */
export type Segment = string | undefined;

export interface Path {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Whether a `*` makes it stand for several values. */
  readonly many: boolean;
  /** A segment that can hardly be meant: `messages[1]` is a key with brackets in its name. */
  readonly doubtful?: string;
}

/** Splits a path. Every text is a path. */
export function parsePath(text: string): Path {
  const segments: Segment[] = [];
  let doubtful: string | undefined;
  let at = 0;
  for (;;) {
    const { segment, next, plain } = readSegment(text, at);
    segments.push(segment);
    if (plain && segment !== undefined && /\[(\d+|\*)?\]$/.test(segment)) doubtful ??= segment;
    if (next >= text.length) break;
    // After `["…"]` a dot is optional: `a["b.c"].d` and `a["b"]["c"]` both read well.
    at = text[next] === "." ? next + 1 : next;
    if (at === text.length) {
      segments.push("");
      break;
    }
  }
  return { text, segments, many: segments.includes(undefined), ...(doubtful === undefined ? {} : { doubtful }) };
}

const QUOTED = /\["((?:[^"\\]|\\.)*)"\]/y;

function readSegment(text: string, start: number): { segment: Segment; next: number; plain: boolean } {
  QUOTED.lastIndex = start;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return { segment: quoted[1]!.replace(/\\(.)/g, "$1"), next: QUOTED.lastIndex, plain: false };
  let segment = "";
  let escaped = false;
  let at = start;
  while (at < text.length && text[at] !== ".") {
    QUOTED.lastIndex = at;
    if (text[at] === "[" && QUOTED.test(text)) break;
    if (text[at] === "\\" && at + 1 < text.length) {
      escaped = true;
      at++;
    }
    segment += text[at];
    at++;
  }
  return { segment: segment === "*" && !escaped ? undefined : segment, next: at, plain: !escaped };
}

/** The value at a path without `*`; undefined when it is missing or null. */
export function valueAt(path: Path, root: Json): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path.segments) {
    value = segment === undefined ? undefined : step(value, segment);
    if (value === undefined || value === null) return undefined;
  }
  return value;
}

/** Every value at a path, in document order; at most one unless the path has a `*`. */
export function valuesAt(path: Path, root: Json): Json[] {
  if (!path.many) {
    const value = valueAt(path, root);
    return value === undefined ? [] : [value];
  }
  return branchesAt(path, root).values;
}

/** The same, and whether somewhere on the way a value was missing or null: `items.*.amount` of an item without one. */
export function branchesAt(path: Path, root: Json): { values: Json[]; missing: boolean } {
  let values: Json[] = [root];
  let missing = false;
  for (const segment of path.segments) {
    const next: Json[] = [];
    for (const value of values) {
      const found = segment === undefined ? membersOf(value) : [step(value, segment)];
      if (found === undefined) missing = true;
      for (const one of found ?? []) {
        if (one === undefined || one === null) missing = true;
        else next.push(one);
      }
    }
    values = next;
  }
  return { values, missing };
}

/** The same root with each value at a path exchanged. */
export function changeAt(path: Path, root: Json, change: (value: Json) => Json): Json {
  return changeBelow(path.segments, root, change);
}

function changeBelow(segments: readonly Segment[], value: Json, change: (value: Json) => Json): Json {
  if (segments.length === 0) return change(value);
  const [segment, ...rest] = segments;
  const isMeant = (key: string) => segment === undefined || key === segment;
  if (Array.isArray(value))
    return value.map((item, index) => (isMeant(String(index)) ? changeBelow(rest, item, change) : item));
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value))
    setMember(copy, key, isMeant(key) ? changeBelow(rest, item, change) : item);
  return copy;
}

/** Elements of a list, members of a mapping; nothing else has any. */
function membersOf(value: Json): readonly (Json | undefined)[] | undefined {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.keys(value).map((key) => value[key]) : undefined;
}

const INDEX = /^[0-9]+$/;

function step(value: Json | undefined, segment: string): Json | undefined {
  if (Array.isArray(value)) return INDEX.test(segment) ? (value[Number(segment)] as Json | undefined) : undefined;
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}
