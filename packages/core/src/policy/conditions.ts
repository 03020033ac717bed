/**
 * Conditions of `when`, `trigger` and `args`: a path, an operator, a value. All must hold. A condition whose path is missing
 * or null holds for no operator; with `*` in the path it holds when it holds for at least one of the values.
 */
import { nearest } from "../text/nearest.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member } from "../trace/json.ts";
import { doubtfulSegment, type Path, parsePath, valueAt, valuesAt } from "./path.ts";
import { compilePattern, type Pattern } from "./pattern.ts";
import type { Place } from "./problems.ts";
import { describeType, shortJson } from "./words.ts";

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
  const pattern = op === "matches_pattern" && typeof value === "string" ? compilePattern(value) : undefined;
  if (typeof pattern === "string") place.child("value").problem(pattern);
  if (place.errorCount > before || path === undefined || op === undefined || value === undefined) return undefined;
  return { path, op, value, ...(pattern === undefined || typeof pattern === "string" ? {} : { pattern }) };
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
  ["matches", "matches_pattern"],
  ["regex", "matches_pattern"],
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
  } else if (op === "longer_than" || op === "shorter_than") {
    if (!isNumber(value)) place.problem(`"${op}" needs a number, found ${describeType(value)}.`);
  } else if (op === "matches_pattern") {
    if (typeof value !== "string")
      place.problem(`"${op}" needs a regular expression as text, found ${describeType(value)}.`);
  } else if ((op === "in" || op === "not_in") && !Array.isArray(value)) {
    place.warning(`"${op}" needs a list; with ${describeType(value)} it never matches.`);
  }
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
export function describeCondition(condition: Condition): string {
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
