/**
 * What could have changed unseen: for each rate and size an interval for "candidate minus baseline" that holds for all of
 * them at once. `unchanged` is only said when every interval lies within its tolerance.
 *
 * Estimate: the mean over scenarios of the difference between the sides' means, weighted by h. Its standard error comes
 * from how much that difference varies between scenarios. The critical value is the larger of the relabelling quantile of
 * the largest |z| and Student's t. For rates the half-width is at least 1 − α^(1/n): something never seen in n runs may
 * still happen in that share of runs. Cost: one pass per column.
 */
import { studentTwoSided } from "../stats/student-t.ts";
import type { Design } from "./design.ts";

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
  readonly low: number;
  readonly high: number;
  readonly tolerance: number;
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
  const items = columns.map((column): Interval => {
    const { item, kind } = column;
    const { difference, standardError } = estimate(design, column.values);
    const halfWidth = Math.max(critical * standardError, kind === "rate" ? floor : 0);
    const tolerance = kind === "rate" ? options.toleranceRate : Math.log2(options.toleranceSize);
    const low = difference - halfWidth;
    const high = difference + halfWidth;
    const inside = low >= -tolerance && high <= tolerance;
    return { item, kind, ...sideMeans(design, column.values), difference, standardError, low, high, tolerance, inside };
  });
  return { critical, items };
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
