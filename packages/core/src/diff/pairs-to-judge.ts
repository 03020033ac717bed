import type { Trace, Turn } from "../trace/trace.ts";
import { pairTraces } from "./pair-traces.ts";
import { type Pairing, pairTurns } from "./pair-turns.ts";
import { FactsTable } from "./turn-facts.ts";

export interface PairToJudge {
  readonly baseline: Turn;
  readonly candidate: Turn;
  /** Both say, call and end the same. */
  readonly same: boolean;
}

/** The pairs of turns that a diff of these traces compares. */
export function pairsToJudge(baseline: readonly Trace[], candidate: readonly Trace[], pairing: Pairing): PairToJudge[] {
  const table = new FactsTable();
  return pairTraces(baseline, candidate).pairs.flatMap((pair) =>
    pairTurns(table, pair.baseline, pair.candidate, pairing).pairs.map((turns) => ({
      baseline: turns.baseline.turn,
      candidate: turns.candidate.turn,
      same: turns.baseline.key === turns.candidate.key,
    })),
  );
}
