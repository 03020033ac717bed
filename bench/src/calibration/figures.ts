/** Each figure of section 13, computed: one function per paragraph, rows for the table out. */
import { compareCohorts } from "@spoor/core/cohort/compare-cohorts";
import { runDistances } from "@spoor/core/cohort/distances";
import { commonestToolOf, plantedChanges } from "@spoor/core/cohort/plant";
import type { CohortRun } from "@spoor/core/cohort/run";
import { createSequentialTest, pairDifference, sequentialGroups } from "@spoor/core/cohort/sequential";
import { median } from "@spoor/core/stats/median";
import { createRandom } from "@spoor/core/stats/random";
import type { BenchmarkRow } from "../benchmark.ts";
import { Arena, behaviourOnly, byScenario, type Entry, randomSplit, shuffled, subCohort } from "./arena.ts";
import type { Corpora, CorpusRun } from "./corpora.ts";
import { publishedP, publishedPlanted, publishedRatios } from "./published.ts";

/** How much work a calibration does: everything in the benchmark, a fraction in the test suite. */
export interface Effort {
  /** Random splits per kind of cohort. */
  readonly splits: number;
  /** Sub-cohorts per power figure. */
  readonly subCohorts: number;
  /** Splits per planted change and share. */
  readonly planted: number;
  /** Orders per sequential figure. */
  readonly orders: number;
  readonly draws: number;
}

export const fullEffort: Effort = { splits: 500, subCohorts: 200, planted: 120, orders: 300, draws: 999 };

const comparisons = (corpora: Corpora): readonly (readonly [string, readonly CorpusRun[], readonly CorpusRun[]])[] => [
  [
    "airline trials 0+1 / 2+3",
    corpora.airline.filter(({ trial }) => trial < 2),
    corpora.airline.filter(({ trial }) => trial >= 2),
  ],
  ["gemini run1 / run3", corpora.gemini1, corpora.gemini3],
  ["tau2 prompts, trial 1 / 1", corpora.promptA.filter(isTrial(1)), corpora.promptB.filter(isTrial(1))],
  ["tau2 prompts, all / all", corpora.promptA, corpora.promptB],
  ["gpt-4.1 / gpt-4.1-mini", corpora.gpt41, corpora.gpt41mini],
  ["gpt-4.1 / o4-mini", corpora.gpt41, corpora.o4mini],
];

/** Ratios within 2 % or 0.02, global p within 0.04 (2,000 relabellings). */
export function ratioRows(corpora: Corpora): BenchmarkRow[] {
  return comparisons(corpora).flatMap(([name, baseline, candidate], index) => {
    const result = compareCohorts([...asSide(baseline, "baseline"), ...asSide(candidate, "candidate")]);
    const actual = new Map<string, number>(
      result.aspects.flatMap(({ signals }) => signals.map(({ kind, of, ratio }) => [`${kind}:${of}`, ratio] as const)),
    );
    let furthest = 0;
    let kept = true;
    for (const [signal, values] of Object.entries(publishedRatios)) {
      const expected = values[index] ?? undefined;
      const ratio = actual.get(signal);
      if (expected === undefined || ratio === undefined) {
        if (expected !== undefined || ratio !== undefined) kept = false;
        continue;
      }
      const off = Math.abs(ratio - expected);
      furthest = Math.max(furthest, off);
      if (off > Math.max(0.02, 0.02 * expected)) kept = false;
    }
    const { about, atMost } = publishedP[index]!;
    return [
      {
        what: `ratios, ${name}`,
        measured: `${actual.size} signals, furthest off ${furthest.toFixed(4)}`,
        against: "2 % or 0.02",
        kept,
      },
      about === undefined
        ? {
            what: `global p, ${name}`,
            measured: result.p.toFixed(4),
            against: `at most ${atMost}`,
            kept: result.p <= atMost!,
          }
        : {
            what: `global p, ${name}`,
            measured: result.p.toFixed(3),
            against: `${about}`,
            kept: Math.abs(result.p - about) <= 0.04,
          },
    ];
  });
}

/** 22 comparisons of unchanged agents; at most 3 alarms. */
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
      against: "at most 3 of 22",
      kept: alarms <= 3 && pairs.length === 22,
    },
  ];
}

/** Labels drawn inside scenarios: 3 to 6 % over all, no kind above 9 %. */
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
      if (arena.compare(entries, { draws: effort.draws, seed: split }).test.family.p <= 0.05) own++;
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
    against: "3 to 6 % (4.6 % of 22,000 published)",
    kept: share >= 0.03 && share <= 0.06,
  });
  return rows;
}

/** Share of random sub-cohorts of really different agents that are found; within 0.07. */
export function powerRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const { gpt41, gpt41mini, o4mini, gemini3, promptA, promptB } = corpora;
  const mini = ["gpt-4.1 / mini", gpt41, gpt41mini] as const;
  const o4 = ["gpt-4.1 / o4-mini", gpt41, o4mini] as const;
  const gemini = ["gemini / gpt-4.1", gemini3, gpt41] as const;
  const prompts = ["tau2 prompts", promptA, promptB] as const;
  const all = undefined;
  const cells = [
    [mini, 10, 1, all, 0.995],
    [o4, 10, 1, all, 0.995],
    [gemini, 10, 1, all, 0.995],
    [prompts, 10, 1, all, 0.78],
    [mini, 25, 1, all, 1],
    [o4, 25, 1, all, 1],
    [gemini, 25, 1, all, 1],
    [prompts, 25, 1, all, 1],
    [prompts, 5, 2, all, 0.94],
    [prompts, 25, 1, behaviourOnly, 0.75],
    [mini, 25, 1, behaviourOnly, 0.38],
    [o4, 25, 1, behaviourOnly, 0.43],
    [gemini, 25, 1, behaviourOnly, 1],
    [prompts, 25, 2, behaviourOnly, 1],
  ] as const;
  const arena = new Arena();
  const random = createRandom(7);
  return cells.map(([[name, baseline, candidate], size, repeats, aspects, expected]): BenchmarkRow => {
    let found = 0;
    for (let round = 0; round < effort.subCohorts; round++) {
      const entries = subCohort(baseline, candidate, size, repeats, random);
      const options = { draws: effort.draws, seed: round, ...(aspects === undefined ? {} : { aspects }) };
      if (arena.compare(entries, options).test.family.p <= 0.05) found++;
    }
    const share = found / effort.subCohorts;
    const what = `power, ${name}, ${size} × ${repeats}${aspects === undefined ? "" : " without wording"}`;
    return {
      what,
      measured: share.toFixed(2),
      against: `${expected} ± 0.07`,
      kept: Math.abs(share - expected) <= 0.07,
    };
  });
}

/** Known changes planted into the airline agent, 25 scenarios × 2 runs a side; within 0.12. */
export function plantedRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const scenarios = byScenario(corpora.airline, 4);
  const random = createRandom(99);
  const context = { random, commonestTool: commonestToolOf(corpora.airline) };
  const rows: BenchmarkRow[] = [];
  let foundInAll = 0;
  let ownStrongest = 0;
  let untouchedNamed = 0;
  for (const change of plantedChanges.filter(({ name }) => Object.hasOwn(publishedPlanted, name))) {
    const arena = new Arena();
    const planted = new Map(corpora.airline.map((run) => [run as CohortRun, change.plant(run, context)]));
    for (const [index, share] of [0.2, 0.5, 1].entries()) {
      const expected = publishedPlanted[change.name]![index] ?? undefined;
      if (expected === undefined) continue;
      let found = 0;
      for (let round = 0; round < effort.planted; round++) {
        const entries = randomSplit(scenarios, scenarios.length, 2, 2, random).map((entry): Entry => {
          const touched = entry.side === "candidate" && random.unit() < share ? planted.get(entry.run) : undefined;
          return touched === undefined ? entry : { ...entry, run: touched };
        });
        const { test } = arena.compare(entries, { draws: effort.draws, seed: round });
        if (test.family.p > 0.05) continue;
        found++;
        if (share < 1) continue;
        foundInAll++;
        const least = Math.min(...test.signals.map(({ judged }) => judged?.p ?? 1));
        const own = TOUCHED[change.name]!;
        if (test.signals.some(({ aspect, judged }) => judged?.p === least && own.includes(aspect))) ownStrongest++;
        if (test.signals.some(({ aspect, judged }) => !own.includes(aspect) && (judged?.adjusted ?? 1) <= 0.05))
          untouchedNamed++;
      }
      const rate = found / effort.planted;
      rows.push({
        what: `planted ${change.name} in ${percent(share)} of runs`,
        measured: rate.toFixed(2),
        against: `${expected} ± 0.12`,
        kept: Math.abs(rate - expected) <= 0.12,
      });
    }
  }
  const strongest = ownStrongest / Math.max(1, foundInAll);
  const named = untouchedNamed / Math.max(1, foundInAll);
  rows.push(
    {
      what: "planted: strongest signal is of the planted aspect",
      measured: percent(strongest),
      against: "at least 90 %",
      kept: strongest >= 0.9,
    },
    {
      what: "planted: an untouched aspect is named",
      measured: percent(named),
      against: "at most 10 %",
      kept: named <= 0.1,
    },
  );
  return rows;
}

/** The aspects that a planted change really touches: a missing call is also a missing effect, and less work. */
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  new_tool: ["tools", "order", "effects", "effort"],
  dropped_call: ["tools", "order", "args", "effects", "effort", "outcome"],
  missing_effect: ["tools", "order", "args", "effects", "effort"],
  new_key: ["args", "effects"],
  swapped: ["order"],
  retry: ["tools", "args", "effects", "effort", "outcome"],
};

/** How often `unchanged` is said of unchanged agents, and of agents with a new tool. */
export function unchangedRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const random = createRandom(5);
  const newTool = plantedChanges.find(({ name }) => name === "new_tool")!;
  const kinds = [
    ["tau2 40 × 1", byScenario(corpora.promptA, 2), 1, 0.17],
    ["AgentDojo 36 × 4", byScenario(corpora.attacked, 8), 4, 0.65],
    ["airline 25 × 2", byScenario(corpora.airline, 4), 2, 0],
  ] as const;
  return kinds.flatMap(([name, scenarios, repeats, expected]) => {
    const arena = new Arena();
    const context = { random, commonestTool: undefined };
    const planted = new Map(scenarios.flat().map((run) => [run as CohortRun, newTool.plant(run, context)]));
    const shareUnchanged = (touched: number) => {
      let said = 0;
      for (let round = 0; round < effort.planted; round++) {
        const entries = randomSplit(scenarios, scenarios.length, repeats, repeats, random).map((entry): Entry => {
          const changed = entry.side === "candidate" && random.unit() < touched ? planted.get(entry.run) : undefined;
          return changed === undefined ? entry : { ...entry, run: changed };
        });
        if (arena.compare(entries, { draws: effort.draws, seed: round }).verdict === "unchanged") said++;
      }
      return said / effort.planted;
    };
    const unchanged = shareUnchanged(0);
    const withTool = shareUnchanged(0.2);
    return [
      {
        what: `unchanged said of ${name}`,
        measured: unchanged.toFixed(2),
        against: `about ${expected} (± 0.12)`,
        kept: Math.abs(unchanged - expected) <= 0.12,
      },
      {
        what: `unchanged said of ${name} with a new tool in 20 %`,
        measured: withTool.toFixed(2),
        against: "at most 0.05",
        kept: withTool <= 0.05,
      },
    ];
  });
}

/** How well the run distance tells a failing candidate from a passing one, given a passing baseline; within 0.01. */
export function aucRows(corpora: Corpora): BenchmarkRow[] {
  const { gemini1, gemini3, gpt41, gpt41mini, o4mini, airline, promptA, promptB } = corpora;
  const sets = [
    ["tau-retail", [...gemini1, ...gemini3, ...gpt41, ...gpt41mini, ...o4mini], 0.931, 175, 266],
    ["tau-airline", airline, 0.763, 35, 58],
    ["tau2-retail", [...promptA, ...promptB], 0.984, 145, 810],
  ] as const;
  return sets.map(([name, runs, expected, failingPairs, passingPairs]): BenchmarkRow => {
    const arena = new Arena();
    const failing: number[] = [];
    const passing: number[] = [];
    for (const members of byScenario(runs)) {
      for (const baseline of members.filter(({ reward }) => reward === 1)) {
        for (const candidate of members) {
          if (candidate === baseline) continue;
          const distance = runDistances(arena.observe(baseline), arena.observe(candidate)).run;
          (candidate.reward === 1 ? passing : failing).push(distance);
        }
      }
    }
    let above = 0;
    for (const high of failing) for (const low of passing) above += high > low ? 1 : high === low ? 0.5 : 0;
    const auc = above / (failing.length * passing.length);
    const pairsKept = failing.length === failingPairs && passing.length === passingPairs;
    return {
      what: `AUC of the run distance, ${name}`,
      measured: `${auc.toFixed(3)} (${failing.length} against ${passing.length} pairs)`,
      against: `${expected} ± 0.01 (${failingPairs}, ${passingPairs})`,
      kept: Math.abs(auc - expected) <= 0.01 && pairsKept,
    };
  });
}

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

function isTrial(wanted: number): (run: CorpusRun) => boolean {
  return ({ trial }) => trial === wanted;
}

function asSide(runs: readonly CohortRun[], side: "baseline" | "candidate"): CohortRun[] {
  return runs.map((run) => ({ ...run, side }));
}

function sideOf(runs: readonly CohortRun[], side: "baseline" | "candidate"): Entry[] {
  return runs.map((run) => ({ run, side }));
}

/** Scenarios of a second agent get names of their own, so that both can stand in one cohort. */
function renamed(scenarios: readonly (readonly CorpusRun[])[]): CohortRun[][] {
  return scenarios.map((runs) => runs.map((run) => ({ ...run, scenario: `${run.scenario} (second agent)` })));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1).replace(/\.0$/, "")} %`;
}
