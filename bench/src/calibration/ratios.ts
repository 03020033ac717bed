/** Figures that depend on no random number: the ratios of six comparisons, and the AUC of the run distance. */
import type { SignalName } from "@spoor/core/internal/cohort/aspects";
import { compareCohorts } from "@spoor/core/internal/cohort/compare-cohorts";
import { runDistances } from "@spoor/core/internal/cohort/distances";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import type { BenchmarkRow } from "../benchmark.ts";
import { Arena, byScenario } from "./arena.ts";
import { type Corpora, type CorpusRun, isTrial } from "./corpora.ts";
import { publishedP, publishedRatios } from "./published.ts";

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
    // The figures were published for the first fourteen signals, each counting once.
    const judges = ({ kind, of }: SignalName) => Object.hasOwn(publishedRatios, `${kind}:${of}`);
    const result = compareCohorts([...asSide(baseline, "baseline"), ...asSide(candidate, "candidate")], {
      judges,
      weightOf: () => 1,
    });
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

/** How well the run distance tells a failing candidate from a passing one, given a passing baseline. */
export function aucRows(corpora: Corpora): BenchmarkRow[] {
  const { gemini1, gemini3, gpt41, gpt41mini, o4mini, airline, promptA, promptB } = corpora;
  const sets = [
    ["tau-retail", [...gemini1, ...gemini3, ...gpt41, ...gpt41mini, ...o4mini], 0.96, 0.931, 175, 266],
    ["tau-airline", airline, 0.81, 0.763, 35, 58],
    ["tau2-retail", [...promptA, ...promptB], 0.99, 0.984, 145, 810],
  ] as const;
  return sets.map(([name, runs, least, withText, failingPairs, passingPairs]): BenchmarkRow => {
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
      against: `at least ${least} (${failingPairs}, ${passingPairs}); ${withText} with free text in effects`,
      kept: auc >= least && pairsKept,
    };
  });
}

function asSide(runs: readonly CohortRun[], side: "baseline" | "candidate"): CohortRun[] {
  return runs.map((run) => ({ ...run, side }));
}
