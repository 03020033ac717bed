/**
 * Watches pairs of runs as they are made and says when a change is certain.
 *
 * Runs are handed to the sequential test in the order of the plan, whichever ends first: were they taken as they end, the short ones would come
 * first, and an agent that did not change would look as if it did less. For the same reason nothing behind a run that did not happen is taken in:
 * runs fail for reasons that have to do with what the agent does.
 */
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { createSequentialCohort, type EarlyStop } from "@spoor/core/internal/cohort/sequential-cohort";
import type { PlannedRun } from "./plan-scenario-runs.ts";

export interface ChangeWatch {
  /** A planned run was recorded: what the cohort lens sees of it. */
  recorded(run: PlannedRun, seen: readonly CohortRun[]): void;
  /** Undefined until a change is certain. */
  stop(): EarlyStop | undefined;
}

/** `known`: recorded runs to compare with; empty when the plan makes both sides. */
export function watchForChange(
  planned: readonly PlannedRun[],
  known: readonly CohortRun[],
  { alpha }: { readonly alpha: number },
): ChangeWatch {
  const cohort = createSequentialCohort(alpha);
  for (const run of known) cohort.add(run);
  const plannedPairs = countPairs(planned, known);
  const places = new Map(planned.map((run, place) => [keyOf(run), place]));
  const waiting = new Map<number, readonly CohortRun[]>();
  let next = 0;
  return {
    recorded(run, seen) {
      waiting.set(places.get(keyOf(run))!, seen);
      for (let due = waiting.get(next); due !== undefined; due = waiting.get(next)) {
        waiting.delete(next++);
        for (const one of due) if (cohort.state().verdict !== "changed") cohort.add(one);
      }
    },
    stop() {
      const { verdict, ...state } = cohort.state();
      return verdict === "changed" ? { ...state, verdict, alpha, plannedPairs } : undefined;
    },
  };
}

function keyOf({ scenario, run, side }: PlannedRun): string {
  return JSON.stringify([scenario, run, side]);
}

function countPairs(planned: readonly PlannedRun[], known: readonly CohortRun[]): number {
  const baseline = countByScenario([...known, ...planned].filter(({ side }) => side === "baseline"));
  const candidate = countByScenario(planned.filter(({ side }) => side === "candidate"));
  let pairs = 0;
  for (const [scenario, runs] of candidate) pairs += Math.min(runs, baseline.get(scenario) ?? 0);
  return pairs;
}

function countByScenario(runs: readonly { readonly scenario: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { scenario } of runs) counts.set(scenario, (counts.get(scenario) ?? 0) + 1);
  return counts;
}
