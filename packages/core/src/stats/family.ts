/**
 * From many signals to one answer, without paying for each question separately.
 *
 * A signal's p is the share of labellings under which it is at least as large. `strongest` ranks labellings by their
 * smallest p (one loud aspect), `together` by the sum of −ln p (many quiet ones). The global p ranks the better of the
 * two against the same quantity under every labelling, so both looks are paid for exactly. Adjusted p-values are
 * Westfall and Young's step-down on the minimum p (Resampling-Based Multiple Testing, 1993).
 * Cost: one sort of the labellings per signal.
 */
import { SortedPlaces } from "./sorted-places.ts";

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
  return rankFamily(table, weights).judge();
}

/** The global p, and everything else for those who ask. */
export interface RankedFamily {
  readonly p: number;
  judge(): FamilyResult;
}

export function rankFamily(table: readonly Float64Array[], weights?: readonly number[]): RankedFamily {
  const ranked = rankSignals(table, weights);
  const signals: (SignalP | undefined)[] = table.map(() => undefined);
  if (ranked.length === 0) {
    return { p: 1, judge: () => ({ signals, strongest: 1, together: 1, p: 1, reachable: 1 }) };
  }
  const { strongest, together, best } = combine(ranked);
  const p = shareAtMost(best, best[0]!);
  return {
    p,
    judge() {
      for (const { signal, judged } of adjust(ranked)) signals[signal] = judged;
      const least = best.reduce((smallest, value) => Math.min(smallest, value));
      return { signals, strongest: strongest[0]!, together: together[0]!, p, reachable: shareAtMost(best, least) };
    },
  };
}

/** A signal that some labelling moves: under every labelling how many reach it, and that share divided by the weight. */
interface Ranked {
  readonly signal: number;
  readonly weight: number;
  readonly reached: Int32Array;
  readonly weighted: Float64Array;
}

function rankSignals(table: readonly Float64Array[], weights: readonly number[] | undefined): Ranked[] {
  return table.flatMap((values, signal): Ranked[] => {
    if (!varies(values)) return [];
    const weight = weights?.[signal] ?? 1;
    const reached = countReached(values);
    const weighted = new Float64Array(values.length);
    for (let at = 0; at < reached.length; at++) weighted[at] = reached[at]! / reached.length;
    if (weight !== 1) for (let at = 0; at < reached.length; at++) weighted[at]! /= weight;
    return [{ signal, weight, reached, weighted }];
  });
}

function combine(ranked: readonly Ranked[]): { strongest: Float64Array; together: Float64Array; best: Float64Array } {
  const count = ranked[0]!.reached.length;
  const loudest = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const evidence = new Float64Array(count);
  const logarithms = new Float64Array(count + 1);
  for (let reached = 1; reached <= count; reached++) logarithms[reached] = Math.log(reached / count);
  for (const { weight, reached, weighted } of ranked) {
    for (let labelling = 0; labelling < count; labelling++) {
      const loudness = -weighted[labelling]!;
      if (loudness > loudest[labelling]!) loudest[labelling] = loudness;
      evidence[labelling]! -= weight * logarithms[reached[labelling]!]!;
    }
  }
  const strongest = pValues(loudest);
  const together = pValues(evidence);
  const best = new Float64Array(count);
  for (let at = 0; at < count; at++) best[at] = Math.min(strongest[at]!, together[at]!);
  return { strongest, together, best };
}

/** For every labelling, the share of labellings whose value is at least as large (within rounding). */
export function pValues(values: Float64Array): Float64Array {
  const reached = countReached(values);
  const shares = new Float64Array(values.length);
  for (let at = 0; at < shares.length; at++) shares[at] = reached[at]! / shares.length;
  return shares;
}

/** For every labelling, how many labellings have a value that is at least as large (within rounding). */
function countReached(values: Float64Array): Int32Array {
  const places = new SortedPlaces(values);
  const reached = new Int32Array(values.length);
  for (let at = 0; at < reached.length; at++) {
    const value = values[at]!;
    reached[at] = reached.length - places.firstFrom(value - CONSTANT * Math.max(1, Math.abs(value)));
  }
  return reached;
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
  const minimum = new Float64Array(order[0]!.reached.length).fill(Number.POSITIVE_INFINITY);
  const shares: number[] = [];
  for (let at = order.length - 1; at >= 0; at--) {
    const { weighted } = order[at]!;
    for (let labelling = 0; labelling < minimum.length; labelling++) {
      if (weighted[labelling]! < minimum[labelling]!) minimum[labelling] = weighted[labelling]!;
    }
    shares[at] = shareAtMost(minimum, weighted[0]!);
  }
  let running = 0;
  return order.map(({ signal, reached }, at) => {
    running = Math.max(running, shares[at]!);
    return { signal, judged: { p: reached[0]! / reached.length, adjusted: running } };
  });
}

function shareAtMost(values: Float64Array, limit: number): number {
  let reached = 0;
  for (const value of values) if (value <= limit + SAME_P) reached++;
  return reached / values.length;
}
