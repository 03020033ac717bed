/** Conditions on one path that no value can satisfy together: `amount > 100` and `amount < 50`. */
import { shortJson } from "../text/words.ts";
import { compare, orderOf } from "./compare-values.ts";
import type { Condition } from "./condition.ts";

/** The first two conditions that exclude each other, in words; undefined when none do. */
export function findContradiction(conditions: readonly Condition[]): string | undefined {
  for (const [index, left] of conditions.entries()) {
    // With `*`, two conditions may hold for two different values.
    if (left.path.many) continue;
    for (const right of conditions.slice(index + 1)) {
      if (right.path.text === left.path.text && excludes(left, right))
        return `${words(left)} and ${words(right)} exclude each other`;
    }
  }
  return undefined;
}

function excludes(left: Condition, right: Condition): boolean {
  const allowed = allowedValues(left) ?? allowedValues(right);
  if (allowed !== undefined) return !allowed.some((value) => compare(left, value) && compare(right, value));
  return isEmptyInterval(left, right) || isEmptyInterval(right, left);
}

/** The only values for which a condition can hold, where it names them. */
function allowedValues({ op, value }: Condition): readonly Condition["value"][] | undefined {
  if (op === "==") return [value];
  return op === "in" && Array.isArray(value) ? value : undefined;
}

function isEmptyInterval(lower: Condition, upper: Condition): boolean {
  const opens = lower.op === ">" || lower.op === ">=";
  const closes = upper.op === "<" || upper.op === "<=";
  if (!opens || !closes) return false;
  const order = orderOf(lower.value, upper.value);
  if (order === undefined) return true;
  return order > 0 || (order === 0 && (lower.op === ">" || upper.op === "<"));
}

function words({ path, op, value }: Condition): string {
  return `${path.text} ${op} ${shortJson(value)}`;
}
