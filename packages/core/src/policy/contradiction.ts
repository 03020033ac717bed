/**
 * Conditions that no value can satisfy together: `amount > 100` and `amount < 50`, a number that matches a pattern, a text
 * with members. Only what is certain: with `*` in a path two conditions may hold for two different values.
 */
import { listOf, shortJson } from "../text/words.ts";
import { type Json, jsonEqual } from "../trace/json.ts";
import { compare, orderOf, typeOf, type ValueType, valueTypes } from "./compare-values.ts";
import { type Condition, ORDERS } from "./condition.ts";
import type { Path } from "./path.ts";

/** The first conditions that exclude each other, in words; undefined when none do. */
export function findContradiction(conditions: readonly Condition[]): string | undefined {
  const single = conditions.filter(({ path }) => !path.many);
  for (const [index, left] of single.entries()) {
    for (const right of single.slice(index + 1)) {
      const excluded = samePath(left.path, right.path) ? excludes(left, right) : excludesMembers(left, right);
      if (excluded) return `${words(left)} and ${words(right)} exclude each other`;
    }
    const together = single.filter(({ path }) => samePath(path, left.path));
    const allowed = allowedValues(left);
    if (allowed !== undefined && !allowed.some((value) => together.every((one) => compare(one, value))))
      return `${listOf(together.map(words))} leave no value`;
  }
  return undefined;
}

function samePath(left: Path, right: Path): boolean {
  return left.segments.length === right.segments.length && isWithin(left, right);
}

function isWithin(inner: Path, outer: Path): boolean {
  return outer.segments.every((segment, index) => segment === inner.segments[index]);
}

function excludes(left: Condition, right: Condition): boolean {
  const allowed = allowedValues(left) ?? allowedValues(right);
  if (allowed !== undefined) return !allowed.some((value) => compare(left, value) && compare(right, value));
  const types = typesOf(left);
  if (!typesOf(right).some((type) => types.includes(type))) return true;
  return [
    [left, right],
    [right, left],
  ].some(([one, other]) => isEmptyInterval(one!, other!) || isEmptyLength(one!, other!) || isBoth(one!, other!));
}

/** `refund > 5` and `refund.amount == 3`: what has an order has no members. */
function excludesMembers(left: Condition, right: Condition): boolean {
  const [outer, inner] = left.path.segments.length < right.path.segments.length ? [left, right] : [right, left];
  if (!isWithin(inner.path, outer.path)) return false;
  return !typesOf(outer).some((type) => type === "object" || type === "list");
}

/** The only values for which a condition can hold, where it names them. */
function allowedValues({ op, value }: Condition): readonly Json[] | undefined {
  if (op === "==") return [value];
  return op === "in" && Array.isArray(value) ? value : undefined;
}

/** The types of values for which it can hold. */
export function typesOf(condition: Condition): readonly ValueType[] {
  const { op, value } = condition;
  const allowed = allowedValues(condition);
  if (allowed !== undefined) return allowed.map(typeOf);
  if (ORDERS.has(op)) return [typeOf(value)];
  if (op === "matches_pattern") return ["string"];
  if (op === "longer_than" || op === "shorter_than") return ["string", "list"];
  if (op === "contains") return typeof value === "string" ? ["string", "list"] : ["list"];
  return valueTypes;
}

function isEmptyInterval(lower: Condition, upper: Condition): boolean {
  const opens = lower.op === ">" || lower.op === ">=";
  const closes = upper.op === "<" || upper.op === "<=";
  if (!opens || !closes) return false;
  const order = orderOf(lower.value, upper.value);
  if (order === undefined) return true;
  return order > 0 || (order === 0 && (lower.op === ">" || upper.op === "<"));
}

/** Lengths are whole numbers: nothing is longer than 5 and shorter than 6. */
function isEmptyLength(lower: Condition, upper: Condition): boolean {
  if (lower.op !== "longer_than" || upper.op !== "shorter_than") return false;
  return Math.floor(Number(lower.value)) + 1 >= Number(upper.value);
}

function isBoth(yes: Condition, no: Condition): boolean {
  return yes.op === "contains" && no.op === "not_contains" && jsonEqual(yes.value, no.value);
}

function words({ path, op, value }: Condition): string {
  return `${path.text} ${op} ${shortJson(value)}`;
}
