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

/**
 * `table[k][b]` is signal k under labelling b; labelling 0 is the observed one. `weights` say beforehand which signals are likelier to
 * see something: p counts as p / weight (Genovese, Roeder and Wasserman, 2006) and −ln p as often as the weight says. The labels decide nothing
 * about them, so the answer stays exact.
 */
export function judgeFamily(table: readonly Float64Array[], weights?: readonly number[]): FamilyResult {
  const ranked = rankSignals(table, weights);
  if (ranked.length === 0) {
    return { signals: table.map(() => undefined), strongest: 1, together: 1, p: 1, reachable: 1 };
  }
  const { strongest, together, best } = combine(ranked);
  const signals: (SignalP | undefined)[] = table.map(() => undefined);
  for (const { signal, judged } of adjust(ranked)) signals[signal] = judged;
  return {
    signals,
    strongest: strongest[0]!,
    together: together[0]!,
    p: shareAtMost(best, best[0]!),
    reachable: shareAtMost(
      best,
      best.reduce((least, value) => Math.min(least, value)),
    ),
  };
}

/** The global p alone. */
export function globalP(table: readonly Float64Array[], weights?: readonly number[]): number {
  const ranked = rankSignals(table, weights);
  if (ranked.length === 0) return 1;
  const { best } = combine(ranked);
  return shareAtMost(best, best[0]!);
}

/** A signal that some labelling moves: its p under every labelling, and that divided by its weight. */
interface Ranked {
  readonly signal: number;
  readonly weight: number;
  readonly p: Float64Array;
  readonly weighted: Float64Array;
}

function rankSignals(table: readonly Float64Array[], weights: readonly number[] | undefined): Ranked[] {
  return table.flatMap((values, signal): Ranked[] => {
    if (!varies(values)) return [];
    const weight = weights?.[signal] ?? 1;
    const p = pValues(values);
    return [{ signal, weight, p, weighted: weight === 1 ? p : p.map((value) => value / weight) }];
  });
}

function combine(ranked: readonly Ranked[]): { strongest: Float64Array; together: Float64Array; best: Float64Array } {
  const count = ranked[0]!.p.length;
  const loudest = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const evidence = new Float64Array(count);
  for (const { weight, p, weighted } of ranked) {
    for (let labelling = 0; labelling < count; labelling++) {
      const loudness = -weighted[labelling]!;
      if (loudness > loudest[labelling]!) loudest[labelling] = loudness;
      evidence[labelling]! -= weight * Math.log(p[labelling]!);
    }
  }
  const strongest = pValues(loudest);
  const together = pValues(evidence);
  return { strongest, together, best: strongest.map((value, labelling) => Math.min(value, together[labelling]!)) };
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
function adjust(ranked: readonly Ranked[]): { signal: number; judged: SignalP }[] {
  const order = [...ranked].sort((left, right) => left.weighted[0]! - right.weighted[0]!);
  const minimum = new Float64Array(order[0]!.p.length).fill(Number.POSITIVE_INFINITY);
  const shares: number[] = [];
  for (let at = order.length - 1; at >= 0; at--) {
    const { weighted } = order[at]!;
    for (let labelling = 0; labelling < minimum.length; labelling++) {
      if (weighted[labelling]! < minimum[labelling]!) minimum[labelling] = weighted[labelling]!;
    }
    shares[at] = shareAtMost(minimum, weighted[0]!);
  }
  let running = 0;
  return order.map(({ signal, p }, at) => {
    running = Math.max(running, shares[at]!);
    return { signal, judged: { p: p[0]!, adjusted: running } };
  });
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
