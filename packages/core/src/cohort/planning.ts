/**
 * How many runs are needed, before recording them and after a verdict that had too few.
 *
 * Rules of thumb for one question asked alone; under the whole family expect 1.5 to 2 times as many. `simulatePlan` asks
 * the agent's own noise instead. Cost: a few evaluations of a distribution function.
 */
import { binomialSurvival, normalQuantile } from "../stats/special-functions.ts";
import { type Interval, type Intervals, unseenShare } from "./intervals.ts";

export interface PlanOptions {
  readonly alpha?: number;
  /** The chance with which the change should be found. */
  readonly power?: number;
}

/** How many candidate runs must show a new tool: k runs all on one side have chance 2^-k. */
export function occurrencesNeeded(alpha = 0.05): number {
  return Math.ceil(-Math.log2(alpha) - 1e-12);
}

/** Runs a side so that a tool called in this share of candidate runs is found. Undefined for a share of 0. */
export function runsForNewTool(share: number, options: PlanOptions = {}): number | undefined {
  const { alpha = 0.05, power = 0.8 } = options;
  if (!(share > 0)) return undefined;
  const occurrences = occurrencesNeeded(alpha);
  const enough = (runs: number) => binomialSurvival(occurrences, runs, share) >= power;
  let high = occurrences;
  while (!enough(high)) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return Math.max(high, occurrences);
}

/** Runs a side so that a difference of means is found, given the variance between runs of one scenario. */
export function runsForMean(variance: number, difference: number, options: PlanOptions = {}): number | undefined {
  const { alpha = 0.05, power = 0.8 } = options;
  if (difference === 0) return undefined;
  const z = normalQuantile(1 - alpha / 2) + normalQuantile(power);
  return Math.ceil((2 * variance * z * z) / (difference * difference) - 1e-9);
}

/** What would have settled a comparison that did not. */
export interface Needed {
  /** Runs a side in all; null when it would take more than ten times the present ones. */
  readonly runsPerSide: number | null;
  /** The item whose interval asks for the most runs. */
  readonly because: string;
}

/** Beyond this multiple of the present runs a number would only pretend to be one. */
const MOST_TIMES = 10;

/**
 * Runs × (half-width alone / room)², the largest over all items, where room is what the tolerance leaves beside the estimate.
 * Where the half-width is the floor for rates, which falls with 1/n and not with 1/√n, the n that brings the floor down.
 */
export function runsNeeded(
  intervals: Intervals,
  runsBaseline: number,
  runsCandidate: number,
  alpha: number,
): Needed | undefined {
  // Two unequal sides know as much as two sides of their harmonic mean.
  const runs = (2 * runsBaseline * runsCandidate) / (runsBaseline + runsCandidate);
  let most = 0;
  let because: string | undefined;
  for (const item of intervals.items) {
    if (item.inside) continue;
    const needed = runsForInterval(item, runs, unseenShare(runsCandidate, alpha), alpha);
    if (because === undefined || needed > most) {
      most = needed;
      because = item.item;
    }
  }
  if (because === undefined) return undefined;
  return { runsPerSide: most > MOST_TIMES * runs ? null : Math.ceil(most), because };
}

function runsForInterval(item: Interval, runs: number, floorNow: number, alpha: number): number {
  const room = item.tolerance - Math.abs(item.difference);
  if (room <= 0) return Number.POSITIVE_INFINITY;
  const halfWidth = Math.max(item.alone.high - item.difference, item.difference - item.alone.low);
  const isFloor = item.kind === "rate" && halfWidth <= floorNow + 1e-9;
  const spread = isFloor ? 0 : runs * (halfWidth / room) ** 2;
  const floor = item.kind === "rate" && room < 1 ? Math.log(alpha) / Math.log1p(-room) : 0;
  return Math.max(spread, floor);
}
