/**
 * Paired bootstrap: how far the difference between two sides would wander if other turns of the same kind had been
 * recorded. Pairs are drawn with replacement 1,000 times; the interval spans the middle 95 % of the differences.
 * Efron (1979), "Bootstrap methods: another look at the jackknife". Bit for bit the draws of Shadow, so that its intervals stay what they were.
 *
 * The draws depend only on seed and sample size, so all series of one size share them. A draw is kept as "how often each pair
 * was picked"; a median then walks that axis's own rank order until half of the picks are counted, without sorting.
 * Cost: resamples · pairs for the draws, plus at most that again per series and side that moves.
 */
import { medianOfSorted } from "./median.ts";
import { quantileOfSorted } from "./quantile.ts";
import { createRandom, type Random, type Seed } from "./random.ts";

export interface PairedSeries {
  readonly baseline: ArrayLike<number>;
  readonly candidate: ArrayLike<number>;
  /** The difference of medians, or of means for rates. */
  readonly statistic: "median" | "mean";
}

export interface BootstrapInterval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  readonly seed: Seed;
  readonly resamples?: number;
  /**
   * For pairs that belong together (turns of one conversation): the cluster of each pair, numbered from 0. Whole clusters
   * are drawn instead of pairs.
   */
  readonly clusters?: ArrayLike<number>;
}

const RESAMPLES = 1000;
const LOW = 0.025;
const HIGH = 0.975;

/** The 95 % interval of candidate minus baseline. */
export function bootstrapInterval(series: PairedSeries, options: BootstrapOptions): BootstrapInterval {
  return bootstrapIntervals([series], options)[0]!;
}

/** The 95 % intervals of several series at once; series of one length share their draws. */
export function bootstrapIntervals(series: readonly PairedSeries[], options: BootstrapOptions): BootstrapInterval[] {
  const resamples = options.resamples ?? RESAMPLES;
  const statistics = series.map((one) => (isUnmoved(one) ? undefined : createStatistic(one, resamples)));
  const sizes = new Set(series.map((one) => one.baseline.length));
  for (const size of sizes) {
    const live = statistics.filter((one) => one !== undefined && one.size === size) as ResampledStatistic[];
    if (live.length > 0) resample(live, size, resamples, options);
  }
  return statistics.map((one) => (one === undefined ? { low: 0, high: 0 } : intervalOf(one.differences)));
}

/** Two equal lists give the same statistic under every draw: nothing to compute. */
function isUnmoved(series: PairedSeries): boolean {
  for (let index = 0; index < series.baseline.length; index++) {
    if (series.baseline[index] !== series.candidate[index]) return false;
  }
  return true;
}

interface ResampledStatistic {
  readonly size: number;
  readonly differences: Float64Array;
  readonly baseline: (picks: Picks, total: number) => number;
  readonly candidate: (picks: Picks, total: number) => number;
}

type Picks = Uint16Array | Uint32Array;

function createStatistic(series: PairedSeries, resamples: number): ResampledStatistic {
  const side = series.statistic === "median" ? createMedian : createMean;
  return {
    size: series.baseline.length,
    differences: new Float64Array(resamples),
    baseline: side(series.baseline),
    candidate: side(series.candidate),
  };
}

function resample(
  statistics: readonly ResampledStatistic[],
  size: number,
  resamples: number,
  options: BootstrapOptions,
): void {
  const random = createRandom(options.seed);
  // A pair cannot be picked more often than there are picks.
  const picks = size < 65536 && options.clusters === undefined ? new Uint16Array(size) : new Uint32Array(size);
  const clusters = options.clusters === undefined ? undefined : new ClusterDraws(options.clusters, size);
  for (let round = 0; round < resamples; round++) {
    const total = clusters === undefined ? drawPairs(random, picks) : clusters.draw(random, picks);
    for (const statistic of statistics) {
      statistic.differences[round] = statistic.candidate(picks, total) - statistic.baseline(picks, total);
    }
  }
}

function drawPairs(random: Random, picks: Picks): number {
  picks.fill(0);
  random.tally(picks);
  return picks.length;
}

class ClusterDraws {
  private readonly clusterOf: Uint32Array;
  private readonly sizes: Uint32Array;
  private readonly picked: Uint32Array;

  constructor(clusters: ArrayLike<number>, pairs: number) {
    this.clusterOf = Uint32Array.from({ length: pairs }, (_, pair) => clusters[pair]!);
    let count = 0;
    for (const cluster of this.clusterOf) count = Math.max(count, cluster + 1);
    this.sizes = new Uint32Array(count);
    for (const cluster of this.clusterOf) this.sizes[cluster]!++;
    this.picked = new Uint32Array(count);
  }

  draw(random: Random, picks: Picks): number {
    const count = this.picked.length;
    this.picked.fill(0);
    random.tally(this.picked);
    let total = 0;
    for (let cluster = 0; cluster < count; cluster++) total += this.picked[cluster]! * this.sizes[cluster]!;
    for (let pair = 0; pair < picks.length; pair++) picks[pair] = this.picked[this.clusterOf[pair]!]!;
    return total;
  }
}

/** The median of the picked values, by walking the values in ascending order and counting picks. */
function createMedian(values: ArrayLike<number>): (picks: Picks, total: number) => number {
  const order = Uint32Array.from({ length: values.length }, (_, index) => index).sort(
    (left, right) => values[left]! - values[right]!,
  );
  const sorted = Float64Array.from(order, (index) => values[index]!);
  if (sorted[0] === sorted[sorted.length - 1]) {
    const constant = medianOfSorted(sorted);
    return () => constant;
  }
  return (picks, total) => {
    // 1-based ranks of the two middle picks; equal when the total is odd.
    const lower = (total + 1) >> 1;
    const upper = (total >> 1) + 1;
    let counted = 0;
    let position = -1;
    while (counted < lower) counted += picks[order[++position]!]!;
    const low = sorted[position]!;
    while (counted < upper) counted += picks[order[++position]!]!;
    return lower === upper ? low : (low + sorted[position]!) / 2;
  };
}

function createMean(values: ArrayLike<number>): (picks: Picks, total: number) => number {
  const held = Float64Array.from(values);
  return (picks, total) => {
    let sum = 0;
    for (let index = 0; index < held.length; index++) sum += picks[index]! * held[index]!;
    return sum / total;
  };
}

function intervalOf(differences: Float64Array): BootstrapInterval {
  differences.sort();
  return { low: quantileOfSorted(differences, LOW), high: quantileOfSorted(differences, HIGH) };
}
