/** The turn pairs that moved most, with the numbers of every axis: the axes' own values, so that nothing here can contradict a row. */
import { type AxisName, axes } from "./axes.ts";
import type { AxisValues } from "./axis.ts";

export interface PairScore {
  /** Position among all pairs of the diff, from 0. */
  readonly pairIndex: number;
  readonly scores: readonly AxisScore[];
  /** Sum of the normalised deltas. */
  readonly score: number;
  /** The axis that moved most; the later one on ties. */
  readonly dominantAxis: AxisName;
}

export interface AxisScore {
  readonly axis: AxisName;
  readonly baseline: number;
  readonly candidate: number;
  readonly delta: number;
  /** In units of what counts as a large move for the axis, at most 4. */
  readonly normalised: number;
}

const CAP = 4;

/** The `limit` pairs with the largest scores; pairs that did not move at all are left out. */
export function drillDown(values: readonly AxisValues[], pairs: number, limit = 5): PairScore[] {
  const totals = new Float64Array(pairs);
  axes.forEach((axis, index) => {
    const { baseline, candidate } = values[index]!;
    for (let pair = 0; pair < pairs; pair++) {
      const delta = Math.abs(candidate[pair]! - baseline[pair]!);
      // Most pairs did not move, and NaN (a side without a value) is not above 0 either.
      if (delta > 0) totals[pair]! += Math.min(CAP, delta / axis.largeMove);
    }
  });
  return Array.from(totals.keys())
    .filter((pair) => totals[pair]! > 0)
    .sort((one, other) => totals[other]! - totals[one]! || one - other)
    .slice(0, limit)
    .map((pair) => scorePair(values, pair, totals[pair]!));
}

function scorePair(values: readonly AxisValues[], pairIndex: number, score: number): PairScore {
  const scores = axes.flatMap((axis, index): AxisScore[] => {
    const baseline = values[index]!.baseline[pairIndex]!;
    const candidate = values[index]!.candidate[pairIndex]!;
    if (Number.isNaN(baseline) || Number.isNaN(candidate)) return [];
    const size = normalised(axis.largeMove, values[index]!, pairIndex);
    return [{ axis: axis.name, baseline, candidate, delta: candidate - baseline, normalised: size }];
  });
  const largest = Math.max(...scores.map((one) => one.normalised));
  return { pairIndex, scores, score, dominantAxis: scores.findLast((one) => one.normalised === largest)!.axis };
}

function normalised(largeMove: number, { baseline, candidate }: AxisValues, pair: number): number {
  const delta = Math.abs(candidate[pair]! - baseline[pair]!);
  return Number.isNaN(delta) ? 0 : Math.min(CAP, delta / largeMove);
}
