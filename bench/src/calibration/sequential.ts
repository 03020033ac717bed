/** How soon the sequential test stops on changed agents, and how seldom on unchanged ones. */
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { createSequentialTest, pairDifference, sequentialGroups } from "@spoor/core/internal/cohort/sequential";
import { median } from "@spoor/core/internal/stats/median";
import { createRandom } from "@spoor/core/internal/stats/random";
import type { BenchmarkRow } from "../benchmark.ts";
import { Arena, byScenario, percent, shuffled } from "./arena.ts";
import { type Corpora, isTrial } from "./corpora.ts";
import type { Effort } from "./effort.ts";

/** Median number of pairs until the sequential test stops; within 3. */
export function sequentialRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const { gpt41, gpt41mini, o4mini, gemini1, gemini3, promptA, promptB, airline } = corpora;
  const arena = new Arena();
  const random = createRandom(31);
  const changed = [
    ["gpt-4.1 / mini", gpt41, gpt41mini, 17],
    ["gpt-4.1 / o4-mini", gpt41, o4mini, 17],
    ["gemini / gpt-4.1", gemini3, gpt41, 14],
    ["tau2 prompts", promptA, promptB, 32],
  ] as const;
  const rows = changed.map(([name, baseline, candidate, expected]): BenchmarkRow => {
    const pairs = pairsOf(baseline, candidate);
    const stops = Array.from(
      { length: effort.orders },
      () => stopAfter(arena, shuffled(pairs, random)) ?? pairs.length + 1,
    );
    const middle = median(stops);
    return {
      what: `sequential, ${name}: pairs until it stops`,
      measured: `${middle}`,
      against: `${expected} ± 3`,
      kept: Math.abs(middle - expected) <= 3,
    };
  });
  const unchanged = [
    [airline.filter(isTrial(0)), airline.filter(isTrial(1))],
    [airline.filter(isTrial(2)), airline.filter(isTrial(3))],
    [gemini1, gemini3],
    [promptA.filter(isTrial(1)), promptA.filter(isTrial(2))],
    [promptB.filter(isTrial(1)), promptB.filter(isTrial(2))],
  ] as const;
  let stopped = 0;
  for (const [baseline, candidate] of unchanged) {
    const pairs = pairsOf(baseline, candidate);
    for (let order = 0; order < effort.orders; order++)
      if (stopAfter(arena, shuffled(pairs, random)) !== undefined) stopped++;
  }
  const share = stopped / (unchanged.length * effort.orders);
  rows.push({
    what: "sequential, unchanged agents that stop",
    measured: percent(share),
    against: "at most 2.5 %",
    kept: share <= 0.025,
  });
  return rows;
}

/** The j-th baseline run of a scenario with its j-th candidate run. */
function pairsOf(baseline: readonly CohortRun[], candidate: readonly CohortRun[]): [CohortRun, CohortRun][] {
  const candidates = new Map(byScenario(candidate).map((runs) => [runs[0]!.scenario, runs]));
  return byScenario(baseline).flatMap((runs) => {
    const others = candidates.get(runs[0]!.scenario) ?? [];
    return runs.slice(0, others.length).map((run, index): [CohortRun, CohortRun] => [run, others[index]!]);
  });
}

function stopAfter(arena: Arena, pairs: readonly [CohortRun, CohortRun][]): number | undefined {
  const test = createSequentialTest(sequentialGroups.length, 0.05);
  for (const [baseline, candidate] of pairs) {
    test.add(pairDifference(arena.observe(baseline), arena.observe(candidate), arena.columns));
    if (test.stoppedAfter !== undefined) return test.stoppedAfter;
  }
  return undefined;
}
