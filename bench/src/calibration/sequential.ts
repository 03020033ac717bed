/** How soon the sequential test stops on changed agents, and how seldom on unchanged ones. */
import { plantedChanges } from "@spoor/core/internal/cohort/plant";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import {
  createSequentialTest,
  pairDifference,
  type SavedTest,
  sequentialGroups,
} from "@spoor/core/internal/cohort/sequential";
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
  return [...rows, ...carryRows(corpora, effort)];
}

const REQUESTS = 20;
const PAIRS_EACH = 10;

/**
 * Twenty pull requests one after the other, ten pairs each, looked at after every pair and stopped at the first alarm. Which run of a pair of
 * an unchanged agent is called the candidate's is a coin, so nothing changed by construction. The evidence is saved and read back between
 * pull requests, as --carry does; beside it what asking each of them anew would cost, and what a change in a fifth of the runs comes to.
 */
function carryRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const { airline, promptA, promptB, gemini1, gemini3 } = corpora;
  const arena = new Arena();
  const random = createRandom(47);
  const alike = [
    ...pairsOf(airline.filter(isTrial(0)), airline.filter(isTrial(1))),
    ...pairsOf(airline.filter(isTrial(2)), airline.filter(isTrial(3))),
    ...pairsOf(gemini1, gemini3),
    ...pairsOf(promptA.filter(isTrial(1)), promptA.filter(isTrial(2))),
    ...pairsOf(promptB.filter(isTrial(1)), promptB.filter(isTrial(2))),
  ];
  const newTool = plantedChanges.find(({ name }) => name === "new_tool")!;
  const chains = effort.orders;
  const planted = new Map<CohortRun, CohortRun>();
  const withNewTool = (run: CohortRun): CohortRun => {
    const made = planted.get(run) ?? newTool.plant(run, { random, commonestTool: undefined })!;
    planted.set(run, made);
    return made;
  };
  const outcome = (share: number) => {
    let [carried, anew] = [0, 0];
    const requests: number[] = [];
    for (let chain = 0; chain < chains; chain++) {
      const draw = (): readonly [CohortRun, CohortRun] => {
        const pair = alike[random.below(alike.length)]!;
        const [baseline, candidate] = random.below(2) === 0 ? pair : [pair[1], pair[0]];
        return [baseline, random.unit() < share ? withNewTool(candidate) : candidate];
      };
      const { withCarry, withoutCarry } = playRequests(arena, draw);
      if (withCarry !== undefined) carried++;
      if (withoutCarry) anew++;
      requests.push(withCarry ?? REQUESTS + 1);
    }
    return { carried: carried / chains, anew: anew / chains, requests: median(requests) };
  };
  const unchanged = outcome(0);
  const changed = outcome(0.2);
  // Four standard errors above 5 %: the bound is Ville's, the slack the sample's.
  const most = 0.05 + 4 * Math.sqrt((0.05 * 0.95) / chains);
  const series = `${REQUESTS} pull requests, ${PAIRS_EACH} pairs each`;
  return [
    {
      what: `--carry, unchanged agents: ${series}, any alarm`,
      measured: percent(unchanged.carried),
      against: `at most 5 %, within chance of ${chains} series; ${percent(unchanged.anew)} when each is asked anew`,
      kept: unchanged.carried <= most,
    },
    {
      what: `--carry, a new tool in 20 % of runs: found within ${series}`,
      measured: `${percent(changed.carried)}, after ${changed.requests} (median)`,
      against: `${percent(changed.anew)} when each is asked anew`,
      kept: changed.carried >= changed.anew,
    },
  ];
}

/** The pull request at which carried evidence suffices, and whether any of them alone would have. */
function playRequests(
  arena: Arena,
  draw: () => readonly [CohortRun, CohortRun],
): { withCarry: number | undefined; withoutCarry: boolean } {
  let saved: SavedTest | undefined;
  let withCarry: number | undefined;
  let withoutCarry = false;
  for (let request = 1; request <= REQUESTS; request++) {
    const carried = saved === undefined ? undefined : { test: saved, names: sequentialGroups };
    const going = createSequentialTest(sequentialGroups.length, 0.05, carried);
    const alone = createSequentialTest(sequentialGroups.length, 0.05);
    for (let pair = 0; pair < PAIRS_EACH; pair++) {
      const [baseline, candidate] = draw();
      const difference = pairDifference(arena.observe(baseline), arena.observe(candidate), arena.columns);
      going.add(difference);
      alone.add(difference);
    }
    if (going.stoppedAfter !== undefined) withCarry ??= request;
    if (alone.stoppedAfter !== undefined) withoutCarry = true;
    saved = JSON.parse(JSON.stringify(going.save(sequentialGroups))) as SavedTest;
  }
  return { withCarry, withoutCarry };
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
