/**
 * Conditions of `when` and `trigger`: a path, an operator, a value. All must hold. A condition whose path is missing or null
 * holds for no operator; with `*` in the path it holds when it holds for at least one of the values.
 * (Arguments of calls are judged more strictly: judge-arguments.ts.)
 */

import { shortJson } from "../text/words.ts";
import type { JsonObject } from "../trace/json.ts";
import { compare, orderOf } from "./compare-values.ts";
import { type Condition, type Operator, ORDERS } from "./condition.ts";
import { valueAt, valuesAt } from "./path.ts";

/** True when every condition holds for `root`. */
export function allHold(conditions: readonly Condition[], root: JsonObject): boolean {
  for (const condition of conditions) if (!holds(condition, root)) return false;
  return true;
}

function holds(condition: Condition, root: JsonObject): boolean {
  if (condition.path.many) return valuesAt(condition.path, root).some((value) => compare(condition, value));
  const value = valueAt(condition.path, root);
  return value !== undefined && compare(condition, value);
}

/**
 * Why it cannot be told whether all conditions hold: a date is compared with what is no date of that form. Undefined when it
 * can, or when another condition fails anyway.
 */
export function unclear(conditions: readonly Condition[], root: JsonObject): string | undefined {
  let why: string | undefined;
  for (const condition of conditions) {
    const { path, op, value: expected } = condition;
    if (holds(condition, root)) continue;
    if (typeof expected !== "string" || !ORDERS.has(op)) return undefined;
    const odd = valuesAt(path, root).find((value) => orderOf(value, expected) === undefined);
    if (odd === undefined) return undefined;
    why ??= `${path.text} is ${shortJson(odd)}, which has no order with ${shortJson(expected)}`;
  }
  return why;
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
