/**
 * Canonical JSON: one spelling for every JSON value, so that equal values have equal bytes and equal content ids.
 *
 * No white space; keys in NFC, sorted by their UTF-8 bytes; strings in NFC; numbers positional, never with an exponent.
 * (RFC 8785 differs in the last two, which is why no library is used.) Cost: linear in the value, plus sorting of keys.
 */

import { SpoorError } from "../errors.ts";
import { isAscii } from "../trace/is-ascii.ts";
import { isObject, type Json, type JsonObject } from "../trace/json.ts";

export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case "string":
      return canonicalString(value);
    case "number":
      return canonicalNumber(value);
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return canonicalBigInt(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value as JsonObject);
    default:
      throw new SpoorError("json.not-json", `A ${typeof value} has no JSON form.`);
  }
}

function canonicalArray(values: readonly Json[]): string {
  let text = "[";
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ",";
    text += canonicalJson(values[index]!);
  }
  return `${text}]`;
}

function canonicalObject(value: JsonObject): string {
  const keys = Object.keys(value);
  if (keys.length > 1 || (keys.length === 1 && !isAscii(keys[0]!))) return canonicalMembers(value, keys);
  return keys.length === 0 ? "{}" : `{${canonicalString(keys[0]!)}:${canonicalJson(value[keys[0]!]!)}}`;
}

function canonicalMembers(value: JsonObject, keys: string[]): string {
  order(keys);
  let text = "";
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const name = NAMES.get(key) ?? learnName(key);
    if (name === undefined) return canonicalUnicode(value);
    text += (index === 0 ? "{" : ",") + name + canonicalJson(value[key]!);
  }
  return `${text}}`;
}

/** `"key":` of keys that come again and again; only ASCII, which needs no normalising and sorts by its units. */
const NAMES = new Map<string, string>();
const MOST_NAMES = 2_000;

function learnName(key: string): string | undefined {
  if (!isAscii(key)) return undefined;
  const name = `${JSON.stringify(key)}:`;
  if (NAMES.size < MOST_NAMES) NAMES.set(key, name);
  return name;
}

/** Sorts in place: most objects are in order or have few keys, for which the general way takes several times as long. */
function order(keys: string[]): void {
  if (keys.length > 16) {
    keys.sort();
    return;
  }
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index]!;
    let at = index;
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
}

/** Two keys may become one after normalisation: both are written, in their original order. */
function canonicalUnicode(value: JsonObject): string {
  const normalised = Object.keys(value).map((key) => ({ key, name: key.normalize("NFC") }));
  normalised.sort((left, right) => compareCodePoints(left.name, right.name));
  let text = "{";
  for (let index = 0; index < normalised.length; index++) {
    const { key, name } = normalised[index]!;
    text += `${index === 0 ? "" : ","}${canonicalString(name)}:${canonicalJson(value[key]!)}`;
  }
  return `${text}}`;
}

function canonicalString(text: string): string {
  if (isAscii(text)) return JSON.stringify(text);
  if (!text.isWellFormed()) {
    throw new SpoorError("json.lone-surrogate", "A text holds half of a surrogate pair, which has no UTF-8 form.");
  }
  return JSON.stringify(text.normalize("NFC"));
}

function canonicalNumber(value: number): string {
  if (Number.isSafeInteger(value)) return value === 0 ? "0" : String(value);
  if (!Number.isFinite(value)) throw new SpoorError("json.not-finite", `${value} has no JSON form.`);
  const text = String(value);
  return text.includes("e") ? positional(text) : text;
}

/** Integers of 64 bits keep their digits; beyond that they are doubles, as every reader of the format holds them. */
function canonicalBigInt(value: bigint): string {
  return value >= -(2n ** 63n) && value < 2n ** 64n ? String(value) : canonicalNumber(Number(value));
}

/** `1.5e+21` → `1500000000000000000000`, `1e-7` → `0.0000001`. */
function positional(text: string): string {
  const [mantissa, exponentText] = text.split("e") as [string, string];
  const negative = mantissa.startsWith("-");
  const [whole, fraction = ""] = (negative ? mantissa.slice(1) : mantissa).split(".") as [string, string?];
  const digits = whole + fraction;
  const point = whole.length + Number(exponentText);
  const sign = negative ? "-" : "";
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + "0".repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * Order by code point, which is the order of the UTF-8 bytes. JavaScript's own order compares UTF-16 units and differs
 * once a surrogate pair meets a character above U+D7FF.
 */
export function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      const aHigh = a >= 0xd800 && a <= 0xdfff;
      const bHigh = b >= 0xd800 && b <= 0xdfff;
      if (aHigh !== bHigh && a >= 0xd800 && b >= 0xd800) return aHigh ? 1 : -1;
      return a - b;
    }
  }
  return left.length - right.length;
}

/** The member names of an object in canonical order; empty for anything that is not an object. */
export function sortedKeys(value: Json | undefined): string[] {
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  return keys.every(isAscii) ? keys.sort() : keys.sort(compareCodePoints);
}
