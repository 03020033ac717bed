/**
 * From many signals to one answer, without paying for each question separately.
 *
 * A signal's p is the share of labellings under which it is at least as large. `strongest` ranks labellings by their
 * smallest p (one loud aspect), `together` by the sum of −ln p (many quiet ones). The global p ranks the better of the
 * two against the same quantity under every labelling, so both looks are paid for exactly. Adjusted p-values are
 * Westfall and Young's step-down on the minimum p (Resampling-Based Multiple Testing, 1993).
 * Cost: one sort of the labellings per signal.
 */
export interface FamilyResult {
  /** One entry per signal; undefined for a signal that no relabelling moves. */
  readonly signals: readonly (SignalP | undefined)[];
  readonly strongest: number;
  readonly together: number;
  readonly p: number;
  /** The smallest global p this design could ever give. */
  readonly reachable: number;
}

export interface SignalP {
  readonly p: number;
  readonly adjusted: number;
}

const CONSTANT = 1e-9;
const SAME_P = 1e-12;

/** `table[k][b]` is signal k under labelling b; labelling 0 is the observed one. */
export function judgeFamily(table: readonly Float64Array[]): FamilyResult {
  const moving = table.map(varies);
  const ranks = table.map((values, signal) => (moving[signal] ? pValues(values) : undefined));
  const active = ranks.filter((rank) => rank !== undefined);
  if (active.length === 0) {
    return { signals: table.map(() => undefined), strongest: 1, together: 1, p: 1, reachable: 1 };
  }
  const count = active[0]!.length;
  const loudest = new Float64Array(count);
  const evidence = new Float64Array(count);
  for (let labelling = 0; labelling < count; labelling++) {
    let smallest = 1;
    let sum = 0;
    for (const rank of active) {
      const p = rank[labelling]!;
      if (p < smallest) smallest = p;
      sum -= Math.log(p);
    }
    loudest[labelling] = -smallest;
    evidence[labelling] = sum;
  }
  const strongest = pValues(loudest);
  const together = pValues(evidence);
  const best = strongest.map((value, labelling) => Math.min(value, together[labelling]!));
  return {
    signals: adjust(ranks),
    strongest: strongest[0]!,
    together: together[0]!,
    p: shareAtMost(best, best[0]!),
    reachable: shareAtMost(
      best,
      best.reduce((least, value) => Math.min(least, value)),
    ),
  };
}

/** For every labelling, the share of labellings whose value is at least as large (within rounding). */
export function pValues(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  const count = values.length;
  return values.map((value) => (count - lowerBound(sorted, value - CONSTANT * Math.max(1, Math.abs(value)))) / count);
}

/** The share of values that are at least `threshold` (within rounding). */
export function shareAtLeast(values: Float64Array, threshold: number): number {
  const limit = threshold - CONSTANT * Math.max(1, Math.abs(threshold));
  let reached = 0;
  for (const value of values) if (value >= limit) reached++;
  return reached / values.length;
}

function varies(values: Float64Array): boolean {
  for (const value of values) if (Math.abs(value - values[0]!) > CONSTANT) return true;
  return false;
}

/** Step-down: the a-th smallest p must beat the minimum over the signals from a on. */
function adjust(ranks: readonly (Float64Array | undefined)[]): (SignalP | undefined)[] {
  const order = ranks.flatMap((rank, signal) => (rank === undefined ? [] : [signal]));
  order.sort((left, right) => ranks[left]![0]! - ranks[right]![0]!);
  const minimum = new Float64Array(ranks[order[0]!]!.length).fill(Number.POSITIVE_INFINITY);
  const shares = new Map<number, number>();
  for (let at = order.length - 1; at >= 0; at--) {
    const rank = ranks[order[at]!]!;
    for (let labelling = 0; labelling < minimum.length; labelling++) {
      if (rank[labelling]! < minimum[labelling]!) minimum[labelling] = rank[labelling]!;
    }
    shares.set(order[at]!, shareAtMost(minimum, rank[0]!));
  }
  const result: (SignalP | undefined)[] = ranks.map(() => undefined);
  let running = 0;
  for (const signal of order) {
    running = Math.max(running, shares.get(signal)!);
    result[signal] = { p: ranks[signal]![0]!, adjusted: running };
  }
  return result;
}

function shareAtMost(values: Float64Array, limit: number): number {
  let reached = 0;
  for (const value of values) if (value <= limit + SAME_P) reached++;
  return reached / values.length;
}

/** Index of the first sorted value that is not below `limit`. */
function lowerBound(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
