/**
 * Pairs up runs as they arrive and feeds them to the sequential test: the j-th baseline run of a scenario meets its j-th
 * candidate run. What waits for its partner is held as numbers only.
 */
import type { ReportHeader } from "../report/report.ts";
import { createObserver, type Observation } from "./observe.ts";
import type { CohortRun, Side } from "./run.ts";
import { createSequentialTest, pairDifference, sequentialGroups } from "./sequential.ts";

export interface SequentialState {
  /** `changed` once the wealth has reached 1/α; it never becomes `unchanged`. */
  readonly verdict: "changed" | "not_enough_evidence";
  readonly pairs: number;
  /** What a stake of 1 has grown to. Under no change it reaches 1/α with chance at most α. */
  readonly wealth: number;
  readonly threshold: number;
  readonly stoppedAfter: number | null;
  readonly groups: readonly { readonly group: string; readonly wealth: number }[];
  /** Runs that still wait for a partner on the other side. */
  readonly waiting: { readonly baseline: number; readonly candidate: number };
  /** Runs without any model response: counted as ended without an answer, and in nothing else. */
  readonly withoutResponse: number;
}

export interface SequentialReport extends ReportHeader<"spoor.cohort-sequential/1">, SequentialState {
  readonly alpha: number;
}

/** Runs that were not all made, because a change was certain before. */
export interface EarlyStop extends SequentialState {
  readonly verdict: "changed";
  readonly alpha: number;
  /** Pairs there would have been. */
  readonly plannedPairs: number;
}

export interface SequentialCohort {
  /** Takes in a run; true when it completed a pair. */
  add(run: CohortRun): boolean;
  state(): SequentialState;
}

export function createSequentialCohort(alpha: number): SequentialCohort {
  const observer = createObserver();
  const test = createSequentialTest(sequentialGroups.length, alpha);
  const waiting: Record<Side, Map<string, Observation[]>> = { baseline: new Map(), candidate: new Map() };
  let withoutResponse = 0;

  return {
    add(run) {
      if (run.turns === 0) withoutResponse++;
      const other: Side = run.side === "baseline" ? "candidate" : "baseline";
      const partner = waiting[other].get(run.scenario)?.shift();
      const own = observer.observe(run);
      if (partner === undefined) {
        const queue = waiting[run.side].get(run.scenario) ?? [];
        queue.push(own);
        waiting[run.side].set(run.scenario, queue);
        return false;
      }
      const [baseline, candidate] = run.side === "baseline" ? [own, partner] : [partner, own];
      test.add(pairDifference(baseline, candidate, observer.columns));
      return true;
    },
    state: () => ({
      verdict: test.stoppedAfter === undefined ? "not_enough_evidence" : "changed",
      pairs: test.pairs,
      wealth: test.wealth,
      threshold: 1 / alpha,
      stoppedAfter: test.stoppedAfter ?? null,
      groups: sequentialGroups.map((group, index) => ({ group, wealth: test.groupWealth[index]! })),
      waiting: { baseline: countWaiting(waiting.baseline), candidate: countWaiting(waiting.candidate) },
      withoutResponse,
    }),
  };
}

function countWaiting(queues: ReadonlyMap<string, readonly Observation[]>): number {
  let count = 0;
  for (const queue of queues.values()) count += queue.length;
  return count;
}
