/**
 * What could have changed unseen, and what did not: for each rate and size two intervals for "candidate minus baseline".
 *
 * `low` to `high` hold for all of them at once: what may have moved unseen, and what is named. Estimate: the mean over scenarios of
 * the difference between the sides' means, weighted by h. Its standard error comes from how much that difference varies between
 * scenarios. The critical value is the larger of the relabelling quantile of the largest |z| and Student's t.
 *
 * `alone` is what decides `inside`, by two one-sided tests at α. "All of them lie within their tolerance" is wrong as soon as one
 * does not, so each may be tested at α by itself and no price is paid for their number (Berger 1982, intersection-union tests).
 * Sizes: Student's t(1 − α). Rates: score intervals (Tango for pairs; otherwise Newcombe with the sample sizes that would give the
 * standard error between scenarios) at `RATE_LEVEL` · α. For rates every half-width is at least 1 − α^(1/n): something never seen in n
 * runs may still happen in that share of runs. Cost: one pass per column.
 */
import { type DifferenceInterval, newcombeInterval, tangoInterval } from "../stats/score-intervals.ts";
import { normalQuantile } from "../stats/special-functions.ts";
import { studentTwoSided } from "../stats/student-t.ts";
import type { Design } from "./design.ts";

/**
 * Counts jump: of 40 pairs with a true difference of 20 points, at most 3 show it in 2.9 % and at most 4 in 7.6 % of cohorts, and nothing
 * lies between. A test at exactly α therefore works at little more than half of it; this much more lets 4 of 40 through.
 */
const RATE_LEVEL = 1.2;

export type IntervalKind = "rate" | "size";

export interface IntervalColumn {
  readonly item: string;
  readonly kind: IntervalKind;
  /** By place of the design. */
  readonly values: Float64Array;
}

export interface Interval {
  readonly item: string;
  readonly kind: IntervalKind;
  readonly baselineMean: number;
  readonly candidateMean: number;
  /** Candidate minus baseline: points for a rate, log2 for a size. */
  readonly difference: number;
  readonly standardError: number;
  /** Simultaneous: holds for all items at once. */
  readonly low: number;
  readonly high: number;
  /** The values that two one-sided tests of this item alone leave over. */
  readonly alone: DifferenceInterval;
  readonly tolerance: number;
  /** Whether `alone` lies within ± tolerance. */
  readonly inside: boolean;
}

export interface Intervals {
  readonly critical: number;
  readonly items: readonly Interval[];
}

export interface IntervalOptions {
  readonly alpha: number;
  /** Largest difference of a rate that still counts as unchanged. */
  readonly toleranceRate: number;
  /** Largest factor of a size that still counts as unchanged. */
  readonly toleranceSize: number;
}

/** `largestZ`: the largest |z| of these columns under every labelling. Undefined with fewer than two scenarios. */
export function simultaneousIntervals(
  design: Design,
  columns: readonly IntervalColumn[],
  largestZ: Float64Array,
  options: IntervalOptions,
): Intervals | undefined {
  if (design.scenarios.length < 2) return undefined;
  const critical = criticalValue(largestZ, design.scenarios.length, options.alpha);
  const floor = unseenShare(countCandidates(design), options.alpha);
  const quantile = studentTwoSided(2 * options.alpha, design.scenarios.length - 1);
  const items = columns.map((column): Interval => {
    const { item, kind } = column;
    const { difference, standardError } = estimate(design, column.values);
    const halfWidth = Math.max(critical * standardError, kind === "rate" ? floor : 0);
    const tolerance = kind === "rate" ? options.toleranceRate : Math.log2(options.toleranceSize);
    const means = sideMeans(design, column.values);
    const tested =
      kind === "rate" ? rateAlone(design, column.values, { difference, standardError }, options) : undefined;
    const least = kind === "rate" ? floor : quantile * standardError;
    const alone = {
      low: Math.min(tested?.low ?? difference, difference - least),
      high: Math.max(tested?.high ?? difference, difference + least),
    };
    return {
      item,
      kind,
      ...means,
      difference,
      standardError,
      low: difference - halfWidth,
      high: difference + halfWidth,
      alone,
      tolerance,
      inside: alone.low >= -tolerance && alone.high <= tolerance,
    };
  });
  return { critical, items };
}

/** Those that were not seen to move and may have moved by more than their tolerance, the furthest first. `seen`: what is named as moved. */
export function unseenItems(items: readonly Interval[], seen: ReadonlySet<string> = new Set()): string[] {
  const reach = ({ low, high, tolerance }: Interval) => Math.max(-low, high) / tolerance;
  return items
    .filter(({ item, low, high, inside }) => !inside && low <= 0 && high >= 0 && !seen.has(item))
    .sort((left, right) => reach(right) - reach(left))
    .map(({ item }) => item);
}

/** The score interval of a 0/1 column, one-sided at `RATE_LEVEL` · α on either end. */
function rateAlone(
  design: Design,
  values: Float64Array,
  { difference, standardError }: { readonly difference: number; readonly standardError: number },
  options: IntervalOptions,
): DifferenceInterval {
  const { scenarios } = design;
  const level = Math.min(0.5, RATE_LEVEL * options.alpha);
  if (scenarios.every(({ start, end }) => end - start === 2)) {
    let gained = 0;
    let lost = 0;
    for (const { start } of scenarios) {
      const [one, other] = [values[start]!, values[start + 1]!];
      const change = design.observed[start] === 1 ? one - other : other - one;
      if (change > 0) gained++;
      if (change < 0) lost++;
    }
    return tangoInterval(gained, lost, scenarios.length, normalQuantile(1 - level));
  }
  const { baseline, candidate } = weightedMeans(design, values);
  const [of, candidates] = [design.order.length - countCandidates(design), countCandidates(design)];
  const plain = (baseline * (1 - baseline)) / of + (candidate * (1 - candidate)) / candidates;
  // Runs of one scenario resemble each other, and scenarios are compared with themselves: both change what a run is worth.
  const worth = plain <= 1e-12 || standardError <= 1e-9 ? 1 : plain / standardError ** 2;
  const scored = newcombeInterval(
    { share: baseline, of: of * worth },
    { share: candidate, of: candidates * worth },
    studentTwoSided(2 * level, scenarios.length - 1),
  );
  // Where no scenario differs from another there is no standard error to scale with, and the floor alone speaks.
  return standardError <= 1e-9 ? { low: difference, high: difference } : scored;
}

/** The share of runs in which something may still happen although none of `runs` runs showed it. */
export function unseenShare(runs: number, alpha: number): number {
  return runs === 0 ? 1 : 1 - alpha ** (1 / runs);
}

function criticalValue(largestZ: Float64Array, scenarios: number, alpha: number): number {
  const sorted = largestZ.slice().sort();
  // The tiny subtraction keeps 0.95 · 20 from being rounded up to 20.
  const rank = Math.max(1, Math.ceil((1 - alpha) * sorted.length - 1e-9));
  return Math.max(sorted[rank - 1] ?? 0, studentTwoSided(alpha, scenarios - 1));
}

function estimate(design: Design, values: Float64Array): { difference: number; standardError: number } {
  const { scenarios } = design;
  const differences = scenarios.map(({ start, end, baseline, candidate }) => {
    let sums = 0;
    for (let place = start; place < end; place++) {
      sums += design.observed[place] === 1 ? values[place]! / candidate : -values[place]! / baseline;
    }
    return sums;
  });
  let weights = 0;
  let weighted = 0;
  for (const [index, { weight }] of scenarios.entries()) {
    weights += weight;
    weighted += weight * differences[index]!;
  }
  const difference = weighted / weights;
  let squares = 0;
  for (const [index, { weight }] of scenarios.entries()) squares += (weight * (differences[index]! - difference)) ** 2;
  const variance = ((scenarios.length / (scenarios.length - 1)) * squares) / weights ** 2;
  return { difference, standardError: Math.sqrt(variance) };
}

/** The means of both sides over scenarios, weighted by h, so that their difference is the estimate. */
function weightedMeans(design: Design, values: Float64Array): { baseline: number; candidate: number } {
  const sums = [0, 0];
  let weights = 0;
  for (const { start, end, baseline, candidate, weight } of design.scenarios) {
    weights += weight;
    for (let place = start; place < end; place++) {
      const side = design.observed[place]!;
      sums[side]! += (weight * values[place]!) / (side === 1 ? candidate : baseline);
    }
  }
  return { baseline: sums[0]! / weights, candidate: sums[1]! / weights };
}

/** The plain means of both sides over their runs. */
function sideMeans(design: Design, values: Float64Array): { baselineMean: number; candidateMean: number } {
  let baseline = 0;
  let candidate = 0;
  for (let place = 0; place < values.length; place++) {
    if (design.observed[place] === 1) candidate += values[place]!;
    else baseline += values[place]!;
  }
  const candidates = countCandidates(design);
  return { baselineMean: baseline / (values.length - candidates), candidateMean: candidate / candidates };
}

/** Candidate runs in usable scenarios. */
export function countCandidates(design: Design): number {
  let count = 0;
  for (const { candidate } of design.scenarios) count += candidate;
  return count;
}
