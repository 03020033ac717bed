/** How often an unchanged agent is called changed: real batches, and labels drawn at random. */
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { createRandom } from "@spoor/core/internal/stats/random";
import type { BenchmarkRow } from "../benchmark.ts";
import { Arena, byScenario, type Entry, percent, randomSplit } from "./arena.ts";
import { type Corpora, type CorpusRun, isTrial } from "./corpora.ts";
import type { Effort } from "./effort.ts";

/** 22 comparisons of unchanged agents; at most 1 alarm, as many as 5 % are. */
export function batchRows(corpora: Corpora): BenchmarkRow[] {
  const arena = new Arena();
  const { airline, promptA, promptB, gemini1, gemini3 } = corpora;
  const pairs: [readonly CohortRun[], readonly CohortRun[]][] = [];
  for (const [first, second] of [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ] as const) {
    pairs.push([airline.filter(isTrial(first)), airline.filter(isTrial(second))]);
  }
  for (const chosen of [
    [0, 1],
    [0, 2],
    [0, 3],
  ]) {
    pairs.push([
      airline.filter(({ trial }) => chosen.includes(trial)),
      airline.filter(({ trial }) => !chosen.includes(trial)),
    ]);
  }
  for (const prompt of [promptA, promptB]) {
    for (const [first, second] of [
      [1, 2],
      [1, 3],
      [2, 3],
    ] as const)
      pairs.push([prompt.filter(isTrial(first)), prompt.filter(isTrial(second))]);
    for (const one of [1, 2, 3]) pairs.push([prompt.filter(({ trial }) => trial !== one), prompt.filter(isTrial(one))]);
  }
  pairs.push([gemini1, gemini3]);
  const alarms = pairs.filter(([baseline, candidate]) => {
    const entries = [...sideOf(baseline, "baseline"), ...sideOf(candidate, "candidate")];
    return arena.compare(entries, { draws: 1999, seed: 42 }).test.family.p <= 0.05;
  }).length;
  return [
    {
      what: "false alarms, whole batches",
      measured: `${alarms} of ${pairs.length}`,
      against: "at most 1 of 22",
      kept: alarms <= 1 && pairs.length === 22,
    },
  ];
}

/** Labels drawn inside scenarios: 4 to 6 % over all, no kind above 9 %. */
export function splitRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const { airline, promptA, promptB, gemini1, gemini3, attacked } = corpora;
  const kinds: readonly (readonly [string, readonly (readonly CohortRun[])[], number, number])[] = [
    ["airline 1+1", byScenario(airline, 2), 1, 1],
    ["airline 2+2", byScenario(airline, 4), 2, 2],
    ["airline 3+1", byScenario(airline, 4), 3, 1],
    ["tau2 1+1", [...byScenario(promptA, 2), ...renamed(byScenario(promptB, 2))], 1, 1],
    ["tau2 2+1", [...byScenario(promptA, 3), ...renamed(byScenario(promptB, 3))], 2, 1],
    ["gemini 1+1", byScenario([...gemini1, ...gemini3], 2), 1, 1],
    ["AgentDojo 1+1", byScenario(attacked, 2), 1, 1],
    ["AgentDojo 2+2", byScenario(attacked, 4), 2, 2],
    ["AgentDojo 4+4", byScenario(attacked, 8), 4, 4],
  ];
  const arena = new Arena();
  const random = createRandom(2024);
  let alarms = 0;
  const rows = kinds.map(([name, scenarios, baseline, candidate]): BenchmarkRow => {
    let own = 0;
    for (let split = 0; split < effort.splits; split++) {
      const size = Math.min(scenarios.length, 5 + random.below(36));
      const entries = randomSplit(scenarios, size, baseline, candidate, random);
      if (arena.isFound(entries, { draws: effort.draws, limit: effort.limit, seed: split })) own++;
    }
    alarms += own;
    const share = own / effort.splits;
    return {
      what: `false alarms, ${name}`,
      measured: `${percent(share)} of ${effort.splits} splits`,
      against: "at most 9 %",
      kept: share <= 0.09,
    };
  });
  const share = alarms / (kinds.length * effort.splits);
  rows.push({
    what: "false alarms, all random splits",
    measured: `${percent(share)} of ${kinds.length * effort.splits}`,
    against: "4 to 6 % (4.6 % of 22,000 published)",
    kept: share >= 0.04 && share <= 0.06,
  });
  return rows;
}

function sideOf(runs: readonly CohortRun[], side: "baseline" | "candidate"): Entry[] {
  return runs.map((run) => ({ run, side }));
}

/** Scenarios of a second agent get names of their own, so that both can stand in one cohort. */
function renamed(scenarios: readonly (readonly CorpusRun[])[]): CohortRun[][] {
  return scenarios.map((runs) => runs.map((run) => ({ ...run, scenario: `${run.scenario} (second agent)` })));
}
