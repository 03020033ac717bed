/** Conditions as they stand in a policy file → conditions that can be evaluated, with every slip reported. */
import { nearest } from "../text/nearest.ts";
import { describeType, shortJson } from "../text/words.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import { type Condition, isNumber, type Operator, operators } from "./conditions.ts";
import { doubtfulSegment, type Path, parsePath } from "./path.ts";
import { compilePattern } from "./pattern.ts";
import type { Place } from "./problems.ts";

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
