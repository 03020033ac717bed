/**
 * Conditions of `when`, `trigger` and `args`: a path, an operator, a value. All must hold. A condition whose path is missing
 * or null holds for no operator; with `*` in the path it holds when it holds for at least one of the values.
 */
import { nearest } from "../text/nearest.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member } from "../trace/json.ts";
import { doubtfulSegment, type Path, parsePath, valueAt, valuesAt } from "./path.ts";
import type { Place } from "./problems.ts";
import { describeType, shortJson } from "./words.ts";

export const operators = ["==", "!=", ">", ">=", "<", "<=", "in", "not_in", "contains", "not_contains"] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  readonly path: Path;
  readonly op: Operator;
  readonly value: Json;
}

/** True when every condition holds for `root`. */
export function allHold(conditions: readonly Condition[], root: JsonObject): boolean {
  for (const condition of conditions) if (!holds(condition, root)) return false;
  return true;
}

/** The first value for which a condition holds; undefined when there is none. */
export function matchedValue(condition: Condition, root: Json): Json | undefined {
  if (condition.path.many)
    return valuesAt(condition.path, root).find((value) => compare(condition.op, value, condition.value));
  const value = valueAt(condition.path, root);
  return value !== undefined && compare(condition.op, value, condition.value) ? value : undefined;
}

function holds(condition: Condition, root: JsonObject): boolean {
  return matchedValue(condition, root) !== undefined;
}

function compare(op: Operator, actual: Json, expected: Json): boolean {
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
  }
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

function isNumber(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Reads a list of conditions, or a single one; null and `[]` are none. */
export function parseConditions(raw: Json, place: Place): Condition[] {
  if (raw === null) return [];
  const list = Array.isArray(raw) ? raw : [raw];
  const conditions: Condition[] = [];
  list.forEach((item: Json, index) => {
    const condition = parseCondition(item, Array.isArray(raw) ? place.child(index) : place);
    if (condition !== undefined) conditions.push(condition);
  });
  return conditions;
}

const CONDITION_KEYS = ["path", "op", "value"];

function parseCondition(raw: Json, place: Place): Condition | undefined {
  if (!isObject(raw))
    return place.problem(`a condition must be a mapping with path, op and value, found ${describeType(raw)}.`);
  const before = place.errorCount;
  for (const key of Object.keys(raw)) {
    if (CONDITION_KEYS.includes(key)) continue;
    const close = nearest(key, CONDITION_KEYS);
    const hint = close === undefined ? "A condition has path, op and value." : `Did you mean ${close}?`;
    place.keyProblem(key, `unknown key "${key}" in a condition. ${hint}`);
  }
  const path = parseConditionPath(member(raw, "path"), place);
  const op = parseOperator(raw, place);
  const value = member(raw, "value");
  if (value === undefined) place.problem("the condition has no value; to compare with nothing, write value: null.");
  else if (op !== undefined) checkValue(op, value, place.child("value"));
  if (place.errorCount > before || path === undefined || op === undefined || value === undefined) return undefined;
  return { path, op, value };
}

function parseConditionPath(raw: Json | undefined, place: Place): Path | undefined {
  if (raw === undefined) return place.problem("the condition has no path.");
  if (typeof raw !== "string" || raw === "") {
    const found = raw === "" ? "an empty text" : describeType(raw);
    return place.child("path").problem(`path must be a text such as request.params.amount, found ${found}.`);
  }
  return parsedPath(raw, place.child("path"));
}

/** A path with a warning about what is probably a slip. */
export function parsedPath(text: string, place: Place): Path {
  const path = parsePath(text);
  const doubtful = doubtfulSegment(path);
  if (doubtful !== undefined) {
    const better = doubtful.replace(/\[(\d+|\*)?\]$/, (_all, index: string | undefined) => `.${index ?? "*"}`);
    place.warning(`"${doubtful}" is read as the name of a key. For an element of a list write ${better}.`);
  }
  return path;
}

function parseOperator(raw: JsonObject, place: Place): Operator | undefined {
  const op = member(raw, "op");
  if (op === undefined) return place.problem(`the condition has no op. Operators: ${operators.join(" ")}.`);
  const found = operators.find((operator) => operator === op);
  if (found !== undefined) return found;
  const guess = typeof op === "string" ? (OTHER_SPELLINGS.get(op) ?? nearest(op, operators)) : undefined;
  const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
  return place.child("op").problem(`unknown operator ${shortJson(op)}.${hint} Operators: ${operators.join(" ")}.`);
}

const OTHER_SPELLINGS: ReadonlyMap<string, Operator> = new Map([
  ["=", "=="],
  ["===", "=="],
  ["eq", "=="],
  ["<>", "!="],
  ["!==", "!="],
  ["ne", "!="],
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
  ["not in", "not_in"],
  ["includes", "contains"],
]);

/** A value that can never satisfy its operator would switch the rule off in silence. */
function checkValue(op: Operator, value: Json, place: Place): void {
  if (op === ">" || op === ">=" || op === "<" || op === "<=") {
    if (isNumber(value)) return;
    if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) {
      place.warning(`"${op}" compares numbers only; the text ${shortJson(value)} never matches. Remove the quotes.`);
    } else {
      const found = typeof value === "string" ? `the text ${shortJson(value)}` : describeType(value);
      place.problem(`"${op}" needs a number, found ${found}.`);
    }
  } else if ((op === "in" || op === "not_in") && !Array.isArray(value)) {
    place.warning(`"${op}" needs a list; with ${describeType(value)} it never matches.`);
  }
}

/** `request.params.amount > 500` */
export function describeCondition(condition: Condition): string {
  const op = {
    "==": "is",
    "!=": "is not",
    in: "is one of",
    not_in: "is none of",
    not_contains: "does not contain",
  } as const;
  const words = Object.hasOwn(op, condition.op) ? op[condition.op as keyof typeof op] : condition.op;
  return `${condition.path.text} ${words} ${shortJson(condition.value)}`;
}

/** `a is 1 and b > 2` */
export function describeConditions(conditions: readonly Condition[]): string {
  return conditions.map(describeCondition).join(" and ");
}
