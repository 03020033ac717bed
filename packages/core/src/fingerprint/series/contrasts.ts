/**
 * What a number of a run does along a series, in standard errors: the largest step between all earlier and all later
 * points (`shift`: it moved and stayed), and the largest distance of one point from all others (`spike`).
 *
 * The scale is the standard deviation over all runs, which no relabelling changes. Runs without the number count nowhere.
 */
export interface Column {
  /** One value per run; NaN where it was not recorded. */
  readonly values: Float64Array;
  /** Standard deviation over all runs; 0 when nothing varies. */
  readonly deviation: number;
}

export interface Contrast {
  /** Absolute, in standard errors. */
  readonly size: number;
  /** The first later point of a shift, or the point of a spike; 0 when there is none. */
  readonly point: number;
}

export function column(values: Float64Array): Column {
  let count = 0;
  let sum = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count++;
    sum += value;
  }
  const mean = sum / count;
  let squares = 0;
  for (const value of values) if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  const deviation = count < 2 ? 0 : Math.sqrt(squares / (count - 1));
  // Sums of equal decimals differ in the last bits; that is no variation.
  return { values, deviation: deviation <= 1e-12 * Math.max(1, Math.abs(mean)) ? 0 : deviation };
}

/** Sums and counts per point under one labelling, written into the given arrays. */
export function sumByPoint({ values }: Column, labels: Uint16Array, sums: Float64Array, counts: Float64Array): void {
  sums.fill(0);
  counts.fill(0);
  for (let run = 0; run < values.length; run++) {
    const value = values[run]!;
    if (Number.isNaN(value)) continue;
    const point = labels[run]!;
    sums[point]! += value;
    counts[point]! += 1;
  }
}

export function shift(deviation: number, sums: Float64Array, counts: Float64Array): Contrast {
  let [sumBefore, before] = [0, 0];
  const [sumAll, all] = totals(sums, counts);
  let best: Contrast = { size: 0, point: 0 };
  for (let point = 1; point < sums.length; point++) {
    sumBefore += sums[point - 1]!;
    before += counts[point - 1]!;
    const size = distance(deviation, sumBefore, before, sumAll - sumBefore, all - before);
    if (size > best.size + 1e-9) best = { size, point };
  }
  return best;
}

export function spike(deviation: number, sums: Float64Array, counts: Float64Array): Contrast {
  const [sumAll, all] = totals(sums, counts);
  let best: Contrast = { size: 0, point: 0 };
  for (let point = 0; point < sums.length; point++) {
    const size = distance(deviation, sums[point]!, counts[point]!, sumAll - sums[point]!, all - counts[point]!);
    if (size > best.size + 1e-9) best = { size, point };
  }
  return best;
}

/** Half the width of the band in which a point's mean stays while its distance from the others is below `critical`. */
export function bandHalf(deviation: number, critical: number, count: number, all: number): number {
  const others = all - count;
  return ((critical * deviation * others) / all) * Math.sqrt(1 / count + 1 / others);
}

function distance(deviation: number, left: number, n: number, right: number, m: number): number {
  if (n === 0 || m === 0 || deviation === 0) return 0;
  return Math.abs(left / n - right / m) / (deviation * Math.sqrt(1 / n + 1 / m));
}

function totals(sums: Float64Array, counts: Float64Array): [sum: number, count: number] {
  return [sums.reduce((total, sum) => total + sum, 0), counts.reduce((total, count) => total + count, 0)];
}
