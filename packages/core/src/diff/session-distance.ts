import { levenshtein } from "../stats/levenshtein.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

/** How far apart the tool calls of two whole runs are, in [0, 1], however they are spread over turns. */
export interface SessionDistance {
  /** Calls of the longer side. */
  readonly calls: number;
  /** Over tool names alone. */
  readonly names: number;
  /** Over names and argument values. */
  readonly calledWith: number;
}

/**
 * Edit distance over all tool calls of a run, divided by the longer length. Real agents make one call a turn, so a median over
 * turns says little; this sees a call that moved, was repeated or left out anywhere in the run.
 */
export function sessionDistance(
  table: FactsTable,
  baseline: readonly TurnFacts[],
  candidate: readonly TurnFacts[],
): SessionDistance {
  const before = flatten(baseline);
  const after = flatten(candidate);
  const calls = Math.max(before.length, after.length);
  if (calls === 0) return { calls, names: 0, calledWith: 0 };
  const calledWith = levenshtein(before, after) / calls;
  if (calledWith === 0) return { calls, names: 0, calledWith };
  const name = (id: number) => table.call(id).name;
  return { calls, names: levenshtein(Array.from(before, name), Array.from(after, name)) / calls, calledWith };
}

function flatten(turns: readonly TurnFacts[]): Int32Array {
  let length = 0;
  for (const facts of turns) length += facts.calls.length;
  const calls = new Int32Array(length);
  let at = 0;
  for (const facts of turns) {
    calls.set(facts.calls, at);
    at += facts.calls.length;
  }
  return calls;
}
