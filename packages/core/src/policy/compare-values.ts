/** One value against the value of a condition: whether the operator holds, and whether the two can be compared at all. */
import { type Json, jsonEqual, member } from "../trace/json.ts";
import type { Condition, Operator } from "./condition.ts";
import { compareTexts } from "./text-order.ts";

/** What cannot be compared does not hold: the reading of `when`, where a turn either matches or is left alone. */
export function compare({ op, value: expected, pattern }: Condition, actual: Json): boolean {
  switch (op) {
    case "==":
      return jsonEqual(actual, expected);
    case "!=":
      return !jsonEqual(actual, expected);
    case ">":
    case ">=":
    case "<":
    case "<=":
      return holdsInOrder(op, orderOf(actual, expected));
    case "in":
      return Array.isArray(expected) && expected.some((item) => jsonEqual(actual, item));
    case "not_in":
      return Array.isArray(expected) && !expected.some((item) => jsonEqual(actual, item));
    case "contains":
      return contains(actual, expected);
    case "not_contains":
      return !contains(actual, expected);
    case "matches_pattern":
      return typeof actual === "string" && pattern?.find(actual) !== undefined;
    case "longer_than":
      return lengthOf(actual) > Number(expected);
    case "shorter_than":
      return lengthOf(actual) < Number(expected);
  }
}

/** Whether the operator has an answer for these two: 89 has an order among numbers, "89", [89] and null have none. */
export function isComparable({ op, value: expected }: Condition, actual: Json): boolean {
  switch (op) {
    case "==":
    case "!=":
      return typeOf(actual) === typeOf(expected) || (op === "!=" && expected === null);
    case "in":
    case "not_in":
      return Array.isArray(expected) && expected.some((item) => typeOf(item) === typeOf(actual));
    case ">":
    case ">=":
    case "<":
    case "<=":
      return orderOf(actual, expected) !== undefined;
    case "contains":
    case "not_contains":
      if (typeof actual === "string") return typeof expected === "string";
      // An element of another kind may hold the value in a way that nobody looked at.
      return Array.isArray(actual) && (contains(actual, expected) || actual.every((item) => isLike(item, expected)));
    case "matches_pattern":
      return typeof actual === "string";
    case "longer_than":
    case "shorter_than":
      return !Number.isNaN(lengthOf(actual));
  }
}

/** Negative, zero or positive; undefined when the two have no order. */
export function orderOf(actual: Json, expected: Json): number | undefined {
  if (isNumber(actual) && isNumber(expected)) {
    if (Number.isNaN(Number(actual)) || Number.isNaN(Number(expected))) return undefined;
    return actual < expected ? -1 : actual > expected ? 1 : 0;
  }
  return typeof actual === "string" && typeof expected === "string" ? compareTexts(actual, expected) : undefined;
}

/** A number of any size; booleans and texts are none. */
export function isNumber(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function holdsInOrder(op: Operator, order: number | undefined): boolean {
  if (order === undefined) return false;
  if (op === ">") return order > 0;
  if (op === ">=") return order >= 0;
  return op === "<" ? order < 0 : order <= 0;
}

export const valueTypes = ["null", "boolean", "number", "string", "list", "object"] as const;
export type ValueType = (typeof valueTypes)[number];

export function typeOf(value: Json): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return isNumber(value) ? "number" : (typeof value as "boolean" | "string" | "object");
}

/** A content block is looked into for a word, so it can be compared with one. */
function isLike(item: Json, expected: Json): boolean {
  return typeOf(item) === typeOf(expected) || (typeof expected === "string" && isBlock(item));
}

function isBlock(item: Json): boolean {
  const type = member(item, "type");
  return type === "text" || type === "tool_use";
}

/** Characters of a text, elements of a list; anything else has no length, and no comparison with it holds. */
function lengthOf(value: Json): number {
  if (typeof value === "string") return [...value].length;
  return Array.isArray(value) ? value.length : Number.NaN;
}

function contains(actual: Json, expected: Json): boolean {
  if (typeof actual === "string") return typeof expected === "string" && actual.includes(expected);
  if (!Array.isArray(actual)) return false;
  return actual.some(
    (item) => jsonEqual(item, expected) || (typeof expected === "string" && blockHolds(item, expected)),
  );
}

/** A content block "contains" a word when its text does, or when it calls the tool of that name. */
function blockHolds(block: Json, word: string): boolean {
  const type = member(block, "type");
  if (type === "text") {
    const text = member(block, "text");
    return typeof text === "string" && text.includes(word);
  }
  return type === "tool_use" && member(block, "name") === word;
}
