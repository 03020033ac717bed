/**
 * Many questions, one error rate: a signal counts when its p is smaller than the smallest p over all signals is in 95 of
 * 100 labellings. Single-step, so that the line a signal must cross can be drawn beside it.
 *
 * Westfall and Young (1993), Resampling-Based Multiple Testing. Cost: one sort of the labellings per signal.
 */
import { pValues } from "./family.ts";

export interface MinP {
  /** One entry per signal; undefined for a signal that no relabelling moves. */
  readonly signals: readonly (MinPSignal | undefined)[];
  /** The adjusted p of the strongest signal; 1 when none moves. */
  readonly p: number;
}

export interface MinPSignal {
  readonly p: number;
  readonly adjusted: number;
  /** The smallest p and adjusted p that any labelling of these data gives. */
  readonly reachable: number;
  readonly reachableAdjusted: number;
  /** The smallest value that counts at `alpha`; undefined when none does. */
  readonly critical: number | undefined;
}

const CONSTANT = 1e-9;
const SAME_P = 1e-12;

/** `table[k][b]` is signal k under labelling b; labelling 0 is the observed one. */
export function judgeMinP(table: readonly Float64Array[], alpha: number): MinP {
  const ranks = table.map((values) => (varies(values) ? pValues(values) : undefined));
  const active = ranks.filter((rank) => rank !== undefined);
  if (active.length === 0) return { signals: table.map(() => undefined), p: 1 };
  const smallest = active[0]!.map((_, labelling) => Math.min(...active.map((rank) => rank[labelling]!))).sort();
  const adjust = (p: number) => shareAtMost(smallest, p);
  const signals = table.map((values, index) => {
    const rank = ranks[index];
    if (rank === undefined) return undefined;
    const reachable = rank.reduce((least, p) => Math.min(least, p));
    return {
      p: rank[0]!,
      adjusted: adjust(rank[0]!),
      reachable,
      reachableAdjusted: adjust(reachable),
      critical: smallestThatCounts(values, rank, (p) => adjust(p) <= alpha),
    };
  });
  return { signals, p: Math.min(...signals.map((signal) => signal?.adjusted ?? 1)) };
}

function varies(values: Float64Array): boolean {
  return values.some((value) => Math.abs(value - values[0]!) > CONSTANT);
}

function shareAtMost(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit + SAME_P) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

function smallestThatCounts(values: Float64Array, ranks: Float64Array, counts: (p: number) => boolean) {
  let least: number | undefined;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if ((least === undefined || value < least) && counts(ranks[index]!)) least = value;
  }
  return least;
}
