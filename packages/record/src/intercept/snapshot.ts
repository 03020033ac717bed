/**
 * Arguments as the tool will read them, as JSON. Unlike `JSON.stringify` it sees what a class instance or a prototype offers
 * (a tool reads `input.amount` without asking where it stands), reads a Map by its keys, and never turns a value it cannot
 * write into one that passes: not a number, a function or a symbol becomes its name in brackets, which no number equals.
 */
import { type Json, setMember } from "@spoor/core/internal/trace/json";

const MAX_DEPTH = 100;

export function snapshot(value: unknown, depth = 0): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      return Number.isFinite(value) ? value : `[${value}]`;
    case "object":
      return value === null ? null : snapshotObject(value, depth);
    case "undefined":
      return null;
    default:
      return `[${typeof value}]`;
  }
}

function snapshotObject(value: object, depth: number): Json {
  if (depth >= MAX_DEPTH) throw new RangeError("The arguments are nested too deeply, or in a circle.");
  if (Array.isArray(value)) return value.map((item) => snapshot(item, depth + 1));
  const scalar = scalarOf(value);
  if (scalar !== undefined) return scalar;
  if (Object.getPrototypeOf(value) === Object.prototype) return snapshotMembers(value, Object.keys(value), depth);
  if (value instanceof Set) return [...value].map((item) => snapshot(item, depth + 1));
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) {
    const copy: Record<string, Json> = {};
    for (const [key, item] of value) setMember(copy, String(key), snapshot(item, depth + 1));
    return copy;
  }
  return snapshotMembers(value, keysOf(value), depth);
}

function snapshotMembers(value: object, keys: Iterable<string>, depth: number): Json {
  const copy: Record<string, Json> = {};
  for (const key of keys) {
    const found = (value as Record<string, unknown>)[key];
    if (found !== undefined && key !== "toJSON") setMember(copy, key, snapshot(found, depth + 1));
  }
  return copy;
}

/**
 * A date, a decimal, an address: one value, as it writes itself. What writes itself as an object is read by its members all the
 * same, because that is what the tool will do.
 */
function scalarOf(value: object): Json | undefined {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== "function") return undefined;
  const written: unknown = toJSON.call(value);
  return typeof written === "object" && written !== null ? undefined : snapshot(written);
}

/** Own members, and for what is no plain object also what its prototypes offer, but for methods. */
function keysOf(value: object): Iterable<string> {
  const proto = Object.getPrototypeOf(value) as object | null;
  if (isRoot(proto)) return Object.keys(value);
  const keys = new Set(Object.keys(value));
  for (let level = proto; !isRoot(level); level = Object.getPrototypeOf(level) as object | null) {
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(level!)))
      if (key !== "constructor" && typeof descriptor.value !== "function") keys.add(key);
  }
  return keys;
}

/** The end of every chain: no prototype, or the Object.prototype of any realm. */
export function isRoot(proto: object | null): boolean {
  if (proto === null || proto === Object.prototype) return true;
  return Object.getPrototypeOf(proto) === null && Object.hasOwn(proto, "isPrototypeOf");
}
