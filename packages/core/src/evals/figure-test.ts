/**
 * Could chance alone have moved the mean of a figure as far? Where cases were run several times, the runs of a case could as well have
 * stood on the other side: the labels are handed out anew within each case, as the cohort test does. With one run on each side that comes
 * to changing signs, which is what is done then. Two-sided; few labellings are all counted, of many a seeded sample. Each
 * case weighs the same, however often it was run. Cost: runs × labellings.
 */
import { buildDesign } from "../cohort/design.ts";
import { relabel } from "../cohort/relabel.ts";
import { drawsFor, ENUMERATION_LIMIT } from "../stats/draws-for.ts";
import { mean } from "../stats/mean.ts";
import { signFlipTest } from "../stats/permutation-test.ts";

/** One case: the figure of each run, on both sides at least one. */
export interface FigureCase {
  readonly baseline: readonly number[];
  readonly candidate: readonly number[];
}

export type FigureMethod =
  /** One run a side: each case's difference could as well have had the other sign. */
  | "paired"
  /** Repeats: labels handed out anew within each case. */
  | "within_cases";

export interface FigureTest {
  readonly method: FigureMethod;
  readonly chance: number;
}

const SEED = 42;
// Two sums that differ only by rounding are the same.
const TIE = 1e-12;

export function testFigure(cases: readonly FigureCase[]): FigureTest {
  if (cases.every(({ baseline, candidate }) => baseline.length === 1 && candidate.length === 1)) {
    const differences = cases.map(({ baseline, candidate }) => candidate[0]! - baseline[0]!);
    return { method: "paired", chance: signFlipTest(differences, { seed: SEED }).pValue };
  }
  return { method: "within_cases", chance: chanceWithin(cases.filter(varies)) };
}

/** A case whose runs are all alike moves nothing, however they are labelled. */
function varies({ baseline, candidate }: FigureCase): boolean {
  return [...baseline, ...candidate].some((value) => value !== baseline[0]);
}

function chanceWithin(cases: readonly FigureCase[]): number {
  if (cases.length === 0) return 1;
  const runs = cases.flatMap(({ baseline, candidate }, index) => [
    ...baseline.map((value) => ({ scenario: String(index), side: "baseline" as const, value })),
    ...candidate.map((value) => ({ scenario: String(index), side: "candidate" as const, value })),
  ]);
  const design = buildDesign(runs);
  // Less the mean of its case, so that large figures lose no digits.
  const means = cases.map(({ baseline, candidate }) => mean([...baseline, ...candidate]));
  const values = Float64Array.from(design.order, (at) => runs[at]!.value - means[Number(runs[at]!.scenario)]!);
  const size = values.reduce((sum, value) => sum + Math.abs(value), 0);
  let seen = 0;
  let hits = 0;
  const labellings = relabel(design, {
    limit: ENUMERATION_LIMIT,
    draws: drawsFor(runs.length, 1),
    seed: SEED,
  });
  labellings.forEach((labels, index) => {
    let moved = 0;
    for (const { start, end, baseline, candidate } of design.scenarios) {
      let sum = 0;
      for (let at = start; at < end; at++) if (labels[at] === 1) sum += values[at]!;
      // What one side has the other lacks: the values of a case add up to 0.
      moved += sum * (1 / candidate + 1 / baseline);
    }
    if (index === 0) seen = Math.abs(moved) - TIE * size;
    if (Math.abs(moved) >= seen) hits++;
  });
  return hits / labellings.count;
}
