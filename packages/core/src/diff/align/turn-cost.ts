/**
 * What it costs to take two turns for the same turn: 0 when they do and say the same, at most 1.
 * Four things count: which tools are called how often, what is said, why the turn ended, and the arguments.
 */
import type { FactsTable, TurnFacts } from "../turn-facts.ts";

const WEIGHT_STRUCTURE = 0.4;
const WEIGHT_TEXT = 0.25;
const WEIGHT_STOP = 0.15;
const WEIGHT_ARGUMENTS = 0.2;

export function turnCost(table: FactsTable, left: TurnFacts, right: TurnFacts): number {
  if (left.key === right.key) return 0;
  return (
    WEIGHT_STRUCTURE * structuralDistance(table, left, right) +
    WEIGHT_TEXT * (1 - table.textSimilarity(left, right)) +
    WEIGHT_STOP * (left.stopReason === right.stopReason ? 0 : 1) +
    WEIGHT_ARGUMENTS * (firstArgumentsDiffer(table, left, right) ? 1 : 0)
  );
}

/** The larger of: shapes not shared, and how far the numbers of calls are apart. */
function structuralDistance(table: FactsTable, left: TurnFacts, right: TurnFacts): number {
  if (left.callsId === right.callsId) return 0;
  const shapes = shapeDistance(table.shapeSet(left), table.shapeSet(right));
  const most = Math.max(left.calls.length, right.calls.length);
  return Math.max(shapes, Math.abs(left.calls.length - right.calls.length) / most);
}

function shapeDistance(left: Int32Array, right: Int32Array): number {
  if (left.length === 0 && right.length === 0) return 0;
  const shared = countShared(left, right);
  return 1 - shared / (left.length + right.length - shared);
}

/** How many numbers two ascending lists of distinct numbers share. */
function countShared(left: Int32Array, right: Int32Array): number {
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const a = left[i]!;
    const b = right[j]!;
    if (a === b) shared++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return shared;
}

/** True when both turns make calls of the same shapes, in whatever number and order. */
export function sameShapes(table: FactsTable, left: TurnFacts, right: TurnFacts): boolean {
  if (left.callsId === right.callsId) return true;
  const one = table.shapeSet(left);
  const other = table.shapeSet(right);
  return one.length === other.length && one.every((shape, index) => shape === other[index]);
}

/** With equal shapes: does the first call of some tool have other arguments? (Later calls are seen in call-changes.ts.) */
function firstArgumentsDiffer(table: FactsTable, left: TurnFacts, right: TurnFacts): boolean {
  if (left.callsId === right.callsId || left.calls.length === 0) return false;
  return sameShapes(table, left, right) && firstChangedTool(table, left, right) !== undefined;
}

/** The first tool, by name, whose first call on either side has other arguments. */
export function firstChangedTool(
  table: FactsTable,
  left: TurnFacts,
  right: TurnFacts,
): { readonly baseline: number; readonly candidate: number } | undefined {
  const leftFirst = firstCalls(table, left);
  const rightFirst = firstCalls(table, right);
  let found: { name: string; baseline: number; candidate: number } | undefined;
  for (const [name, baseline] of leftFirst) {
    const candidate = rightFirst.get(name);
    if (candidate === undefined || candidate === baseline) continue;
    if (found === undefined || name < found.name) found = { name, baseline, candidate };
  }
  return found;
}

function firstCalls(table: FactsTable, facts: TurnFacts): Map<string, number> {
  const first = new Map<string, number>();
  for (const id of facts.calls) {
    const { name } = table.call(id);
    if (!first.has(name)) first.set(name, id);
  }
  return first;
}
