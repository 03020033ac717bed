/**
 * JSON as Spoor holds it: what `JSON.parse` gives, plus `bigint` for integers that a double cannot hold.
 * Own properties only: `__proto__` and `constructor` are ordinary keys, so look keys up with `member`.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const EMPTY_OBJECT: JsonObject = Object.freeze(Object.create(null) as JsonObject);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own member of an object, or undefined; never reaches the prototype. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function stringMember(value: Json | undefined, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === "string" ? found : undefined;
}

/** A finite number (a bigint is converted); anything else is undefined, so that "missing" never becomes 0. */
export function numberMember(value: Json | undefined, key: string): number | undefined {
  return finite(member(value, key));
}

function finite(value: Json | undefined): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "bigint" ? Number(value) : undefined;
}

/** A duration, a count, a price: what is less than nothing was never measured. */
export function amount(value: Json | undefined): number | undefined {
  const measured = finite(value);
  return measured === undefined || measured < 0 ? undefined : measured;
}

export function amountMember(value: Json | undefined, key: string): number | undefined {
  return amount(member(value, key));
}

/** A name: a text with something in it. */
export function nameMember(value: Json | undefined, key: string): string | undefined {
  const name = stringMember(value, key);
  return name === undefined || name.trim() === "" ? undefined : name;
}

/** A single value as text. Not `String`: an object of a trace may have a `toString` that is no function, and `String` throws. */
export function scalarText(value: Json | undefined): string | undefined {
  return typeof value === "object" || value === undefined ? undefined : String(value);
}

/** Sets an own property even when the key is `__proto__`, which plain assignment would lose. */
export function setMember(target: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Deep equality by mathematical value: `1` equals `1n`; key order is irrelevant. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left === "bigint" || typeof right === "bigint") {
    // biome-ignore lint/suspicious/noDoubleEquals: == compares a bigint with a number by value, which === never does
    return isNumeric(left) && isNumeric(right) && left == right;
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (left === undefined || right === undefined) return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) if (!jsonEqual(left[index], right[index])) return false;
    return true;
  }
  if (Array.isArray(right)) return false;
  // Counted by hand: this is asked for every message of every request, and two lists of keys would be most of its cost.
  let surplus = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !jsonEqual((left as JsonObject)[key], (right as JsonObject)[key])) return false;
    surplus++;
  }
  for (const _key in right) surplus--;
  return surplus === 0;
}

function isNumeric(value: Json | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Compact JSON text that prints bigints as digits; the one way Spoor writes JSON of traces. */
export function stringifyJson(value: Json, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    // Bigints are rare: nobody pays for looking whether there is one.
    if (!(error instanceof TypeError) || !/BigInt/.test(error.message)) throw error;
    return spell(value, " ".repeat(indent), "\n");
  }
}

/** `newline`: where a line of this depth begins. */
function spell(value: unknown, indent: string, newline: string): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if ("toJSON" in value && typeof value.toJSON === "function") return spell(value.toJSON(), indent, newline);
  const inner = newline + indent;
  const colon = indent === "" ? ":" : ": ";
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((entry) => spell(entry, indent, inner))
    : Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(([key, entry]) => `${JSON.stringify(key)}${colon}${spell(entry, indent, inner)}`);
  const [open, close] = isArray ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  if (indent === "") return `${open}${parts.join(",")}${close}`;
  return `${open}${inner}${parts.join(`,${inner}`)}${newline}${close}`;
}
