/** The same calls in another order, over a whole run: nothing was added, dropped or called with other arguments. Linear in the calls. */
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

export interface Reordering {
  /** The first call out of place: `tool` now runs before `before`. Absent when both are calls of one tool. */
  readonly moved?: { readonly tool: string; readonly before: string };
}

export function findReordering(
  table: FactsTable,
  baseline: readonly TurnFacts[],
  candidate: readonly TurnFacts[],
): Reordering | undefined {
  const before = baseline.flatMap((turn) => Array.from(turn.calls));
  const after = candidate.flatMap((turn) => Array.from(turn.calls));
  const at = before.findIndex((id, index) => id !== after[index]);
  if (at < 0 || before.length !== after.length || !isPermutation(before, after)) return undefined;
  const tool = table.call(after[at]!).name;
  const other = table.call(before[at]!).name;
  return tool === other ? {} : { moved: { tool, before: other } };
}

function isPermutation(left: readonly number[], right: readonly number[]): boolean {
  const sorted = (ids: readonly number[]) => [...ids].sort((one, other) => one - other);
  const [one, other] = [sorted(left), sorted(right)];
  return one.every((id, index) => id === other[index]);
}
