/**
 * Did a cloud of response vectors move? Hotelling's two-sample T² compares the mean vectors of two groups in all dimensions
 * at once, with the pooled covariance shrunk towards a round one so that small samples stay stable.
 *
 * Assumes independent responses and, for the F distribution, roughly normal means; the permutation p-values assume only
 * that the two groups could be exchanged. Two groups that are each constant, at different places, have no covariance to
 * measure by: T² is unbounded then (null), and the p-value is the share of relabellings that separate them as cleanly.
 *
 * H. Hotelling (1931), "The generalization of Student's ratio"; shrinkage: Chen, Wiesel, Eldar and Hero (2010), "Shrinkage
 * algorithms for MMSE covariance estimation" (OAS). Cost: rows · D² + D³, times the permutations.
 */
import { SpoorError } from "../../errors.ts";
import { columnMeans, covariance, inverseQuadraticForm, type Matrix } from "../../stats/matrix.ts";
import { fQuantileUpper, noncentralFSurvival } from "../../stats/noncentral-f.ts";
import { createRandom, type Seed } from "../../stats/random.ts";
import { fSurvival } from "../../stats/special-functions.ts";

export interface HotellingOptions {
  readonly alpha?: number;
  /** 0: F distribution. Above 0: that many random relabellings. -1: every relabelling when there are at most 13,000. */
  readonly permutations?: number;
  readonly seed?: Seed;
}

export interface HotellingResult {
  /** Null when unbounded: both groups are constant, at different places. */
  readonly t2: number | null;
  /** Null when the F distribution does not exist (too few rows). */
  readonly fStat: number | null;
  readonly pValue: number;
  readonly df1: number;
  readonly df2: number;
  readonly n1: number;
  readonly n2: number;
  readonly dimensions: number;
  readonly shrinkage: number;
  /** Chance that a shift of the observed size is found with this many rows; null when undefined. */
  readonly power: number | null;
  readonly decision: "reject" | "fail_to_reject" | "underpowered";
  readonly usedExactPermutation: boolean;
  readonly relabellings?: number;
}

/** A group of rows by what the statistic needs of it. */
export interface GroupMoments {
  readonly rows: number;
  readonly mean: readonly number[];
  /** Unbiased. */
  readonly covariance: Matrix;
}

export interface T2 {
  readonly t2: number;
  readonly shrinkage: number;
  /** Both groups are constant, at different places: the statistic is unbounded. */
  readonly constantShift: boolean;
}

const MOST_EXACT = 13_000;
const TIE = 1e-9;

export function hotelling(x1: Matrix, x2: Matrix, options: HotellingOptions = {}): HotellingResult {
  const { alpha = 0.05, permutations = 0 } = options;
  checkInput(x1, x2, permutations);
  const n1 = x1.length;
  const n2 = x2.length;
  const dimensions = x1[0]!.length;
  const { t2, shrinkage, constantShift } = statistic(x1, x2);
  const df2 = n1 + n2 - dimensions - 1;
  if (constantShift) return separated(x1, x2, alpha, Math.max(0, df2));
  const fStat = df2 > 0 ? (df2 / ((n1 + n2 - 2) * dimensions)) * t2 : null;
  const relabelled = relabel(x1, x2, t2, permutations, options.seed ?? 42);
  const pValue = relabelled?.pValue ?? (fStat === null ? 1 : fSurvival(fStat, dimensions, df2));
  const power = df2 > 0 ? powerOf(t2, dimensions, df2, alpha) : null;
  return {
    t2,
    fStat,
    pValue,
    df1: dimensions,
    df2: Math.max(0, df2),
    n1,
    n2,
    dimensions,
    shrinkage,
    power,
    decision: decide(pValue, alpha, power),
    usedExactPermutation: relabelled?.exact ?? false,
    ...(relabelled === undefined ? {} : { relabellings: relabelled.count }),
  };
}

/** The statistic alone. */
export function t2OfGroups(one: GroupMoments, other: GroupMoments): T2 {
  const [n1, n2] = [one.rows, other.rows];
  const pooled = one.covariance.map((row, i) =>
    row.map((value, j) => ((n1 - 1) * value + (n2 - 1) * other.covariance[i]![j]!) / (n1 + n2 - 2)),
  );
  const { matrix, shrinkage } = shrink(pooled, n1 + n2 - 2);
  const difference = one.mean.map((value, i) => value - other.mean[i]!);
  const t2 = ((n1 * n2) / (n1 + n2)) * inverseQuadraticForm(matrix, difference);
  const constantShift =
    pooled.every((row) => row.every((value) => value === 0)) && difference.some((value) => value !== 0);
  return { t2, shrinkage, constantShift };
}

/** Of all relabellings only this one, and with equal sizes its mirror image, keeps both groups constant. */
function separated(x1: Matrix, x2: Matrix, alpha: number, df2: number): HotellingResult {
  const [n1, n2, dimensions] = [x1.length, x2.length, x1[0]!.length];
  const relabellings = choose(n1 + n2, n1);
  const pValue = (n1 === n2 ? 2 : 1) / relabellings;
  return {
    t2: null,
    fStat: null,
    pValue,
    df1: dimensions,
    df2,
    n1,
    n2,
    dimensions,
    shrinkage: 0,
    power: null,
    decision: pValue < alpha ? "reject" : "underpowered",
    usedExactPermutation: true,
    relabellings,
  };
}

function checkInput(x1: Matrix, x2: Matrix, permutations: number): void {
  const fail = (message: string) => {
    throw new SpoorError("statistics.bad-input", message);
  };
  if (x1.length < 2) fail(`x1 must have at least 2 rows; got ${x1.length}`);
  if (x2.length < 2) fail(`x2 must have at least 2 rows; got ${x2.length}`);
  const [left, right] = [x1[0]!.length, x2[0]!.length];
  if (left !== right) fail(`x1 and x2 must have the same number of columns; got ${left} vs ${right}`);
  if (permutations < -1) fail(`permutations must be >= -1; got ${permutations}`);
}

function statistic(x1: Matrix, x2: Matrix): T2 {
  return t2OfGroups(momentsOf(x1), momentsOf(x2));
}

function momentsOf(rows: Matrix): GroupMoments {
  const mean = columnMeans(rows);
  return { rows: rows.length, mean, covariance: covariance(rows, mean) };
}

function shrink(pooled: readonly number[][], degrees: number): { matrix: Matrix; shrinkage: number } {
  const size = pooled.length;
  let trace = 0;
  let traceOfSquare = 0;
  for (let i = 0; i < size; i++) {
    trace += pooled[i]![i]!;
    for (let j = 0; j < size; j++) traceOfSquare += pooled[i]![j]! ** 2;
  }
  const denominator = (degrees + 1 - 2 / size) * (traceOfSquare - trace ** 2 / size);
  if (Math.abs(denominator) < 1e-12) return { matrix: pooled, shrinkage: 0 };
  const shrinkage = Math.min(1, Math.max(0, ((1 - 2 / size) * traceOfSquare + trace ** 2) / denominator));
  const round = (trace / size) * shrinkage;
  const matrix = pooled.map((row, i) => row.map((value, j) => (1 - shrinkage) * value + (i === j ? round : 0)));
  return { matrix, shrinkage };
}

/** The noncentrality is T² itself; the sample sizes are already in it. */
function powerOf(t2: number, df1: number, df2: number, alpha: number): number {
  if (t2 <= 0) return alpha;
  return noncentralFSurvival(fQuantileUpper(alpha, df1, df2), df1, df2, t2);
}

/** Without an F distribution p is 1, unless relabellings gave it; theirs is exact however few rows there are, so it decides. */
function decide(pValue: number, alpha: number, power: number | null): HotellingResult["decision"] {
  if (pValue < alpha) return "reject";
  return power === null || power < 0.5 ? "underpowered" : "fail_to_reject";
}

interface Relabelled {
  readonly pValue: number;
  readonly exact: boolean;
  readonly count: number;
}

function relabel(x1: Matrix, x2: Matrix, seen: number, permutations: number, seed: Seed): Relabelled | undefined {
  const all = [...x1, ...x2];
  if (permutations > 0) return drawRelabellings(all, x1.length, seen, permutations, seed);
  if (permutations === -1 && choose(all.length, x1.length) <= MOST_EXACT)
    return countRelabellings(all, x1.length, seen);
  return undefined;
}

function isAtLeast(value: number, seen: number): boolean {
  return value >= seen - TIE * Math.abs(seen);
}

function countRelabellings(all: Matrix, size: number, seen: number): Relabelled {
  const chosen = Array.from({ length: size }, (_, index) => index);
  let count = 0;
  let hits = 0;
  for (;;) {
    const first = new Set(chosen);
    const left = all.filter((_, index) => first.has(index));
    const right = all.filter((_, index) => !first.has(index));
    count++;
    if (isAtLeast(statistic(left, right).t2, seen)) hits++;
    let place = size - 1;
    while (place >= 0 && chosen[place] === all.length - size + place) place--;
    if (place < 0) return { pValue: hits / count, exact: true, count };
    chosen[place]!++;
    for (let next = place + 1; next < size; next++) chosen[next] = chosen[next - 1]! + 1;
  }
}

function drawRelabellings(all: Matrix, size: number, seen: number, rounds: number, seed: Seed): Relabelled {
  const random = createRandom(seed);
  const shuffled = [...all];
  let hits = 0;
  for (let round = 0; round < rounds; round++) {
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = random.below(index + 1);
      [shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!];
    }
    if (isAtLeast(statistic(shuffled.slice(0, size), shuffled.slice(size)).t2, seen)) hits++;
  }
  return { pValue: (hits + 1) / (rounds + 1), exact: false, count: rounds };
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let index = 1; index <= Math.min(k, n - k); index++) ways = (ways * (n - index + 1)) / index;
  return Math.round(ways);
}
