/**
 * Which runs there are and in which order: every scenario once before any a second time, because scenarios tell more than repeats. Within a
 * round chance decides, so that nothing that drifts while the runs are made falls on the same scenarios each time. With a base the two
 * sides of a pair follow one another and take turns at going first.
 */
import type { Side } from "@spoor/core/internal/cohort/run";
import { createRandom, type Seed } from "@spoor/core/internal/stats/random";
import { shuffled } from "@spoor/core/internal/stats/shuffled";
import type { Scenario } from "./scenario.ts";

export interface PlannedRun extends Scenario {
  /** Which repeat, from 1. */
  readonly run: number;
  /** The agent as it is now is the candidate; the baseline is the one of the base's checkout. */
  readonly side: Side;
}

export interface PlanOptions {
  readonly repeat: number;
  readonly seed: Seed;
  readonly withBase: boolean;
}

export function planScenarioRuns(
  scenarios: readonly Scenario[],
  { repeat, seed, withBase }: PlanOptions,
): PlannedRun[] {
  const random = createRandom(seed);
  const pairs = Array.from({ length: repeat }, (_, index) =>
    shuffled(scenarios, random).map((scenario) => ({ ...scenario, run: index + 1 })),
  ).flat();
  if (!withBase) return pairs.map((pair) => ({ ...pair, side: "candidate" }));
  return pairs.flatMap((pair, index): PlannedRun[] => {
    const both: PlannedRun[] = [
      { ...pair, side: "baseline" },
      { ...pair, side: "candidate" },
    ];
    return index % 2 === 0 ? both : both.reverse();
  });
}
