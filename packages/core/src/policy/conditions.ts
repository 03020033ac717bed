/**
 * Conditions of `when`, `trigger` and `args`: a path, an operator, a value. All must hold. A condition whose path is missing
 * or null holds for no operator; with `*` in the path it holds when it holds for at least one of the values.
 */

import type { Pattern } from "../text/pattern.ts";
import { shortJson } from "../text/words.ts";
import { type Json, type JsonObject, jsonEqual, member } from "../trace/json.ts";
import { type Path, valueAt, valuesAt } from "./path.ts";

export const operators = [
  "==",
  "!=",
  ">",
  ">=",
  "<",
  "<=",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "matches_pattern",
  "longer_than",
  "shorter_than",
] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  readonly path: Path;
  readonly op: Operator;
  readonly value: Json;
  /** The compiled value of `matches_pattern`. */
  readonly pattern?: Pattern;
}

/** True when every condition holds for `root`. */
export function allHold(conditions: readonly Condition[], root: JsonObject): boolean {
  for (const condition of conditions) if (!holds(condition, root)) return false;
  return true;
}

/** The first value for which a condition holds; undefined when there is none. */
export function matchedValue(condition: Condition, root: Json): Json | undefined {
  if (condition.path.many) return valuesAt(condition.path, root).find((value) => compare(condition, value));
  const value = valueAt(condition.path, root);
  return value !== undefined && compare(condition, value) ? value : undefined;
}

function holds(condition: Condition, root: JsonObject): boolean {
  return matchedValue(condition, root) !== undefined;
}

function compare({ op, value: expected, pattern }: Condition, actual: Json): boolean {
  switch (op) {
    case "==":
      return jsonEqual(actual, expected);
    case "!=":
      return !jsonEqual(actual, expected);
    case ">":
      return isNumber(actual) && isNumber(expected) && actual > expected;
    case ">=":
      return isNumber(actual) && isNumber(expected) && actual >= expected;
    case "<":
      return isNumber(actual) && isNumber(expected) && actual < expected;
    case "<=":
      return isNumber(actual) && isNumber(expected) && actual <= expected;
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

/** A number of any size; booleans and texts are none. */
export function isNumber(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

const OPERATOR_WORDS: Readonly<Partial<Record<Operator, string>>> = {
  "==": "is",
  "!=": "is not",
  in: "is one of",
  not_in: "is none of",
  not_contains: "does not contain",
  matches_pattern: "matches",
  longer_than: "is longer than",
  shorter_than: "is shorter than",
};

/** `request.params.amount > 500` */
function describeCondition(condition: Condition): string {
  return `${condition.path.text} ${OPERATOR_WORDS[condition.op] ?? condition.op} ${describeValue(condition)}`;
}

/** `a is 1 and b > 2` */
export function describeConditions(conditions: readonly Condition[]): string {
  return conditions.map(describeCondition).join(" and ");
}

const ARGUMENT_WORDS: Readonly<Partial<Record<Operator, string>>> = {
  "==": "",
  "!=": "other than",
  in: "one of",
  not_in: "none of",
  contains: "containing",
  not_contains: "not containing",
  matches_pattern: "matching",
  longer_than: "longer than",
  shorter_than: "shorter than",
};

/** The same as something a call has: `amount > 75 and command matching /rm/`. */
export function describeArguments(conditions: readonly Condition[]): string {
  return conditions
    .map((condition) => [condition.path.text, ARGUMENT_WORDS[condition.op] ?? condition.op, describeValue(condition)])
    .map((words) => words.filter((word) => word !== "").join(" "))
    .join(" and ");
}

function describeValue({ value, pattern }: Condition): string {
  return pattern === undefined ? shortJson(value) : `/${pattern.source}/`;
}
