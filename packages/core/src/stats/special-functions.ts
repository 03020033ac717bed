/**
 * The special functions that all exact statistics share, in one place so that the library behind them can be exchanged.
 * Upper tails are computed as upper tails: `1 - cdf` is 0 far out, and a p-value must not vanish.
 * Reference: NIST Digital Library of Mathematical Functions, chapters 7 and 8, https://dlmf.nist.gov.
 */
import { betainc, betaincinv, erfc, erfcinv, gammainc, gammaln } from "#stdlib";

/** Natural logarithm of the gamma function. */
export function logGamma(x: number): number {
  return gammaln(x);
}

/** ln of the number of ways to choose k of n. */
export function logChoose(n: number, k: number): number {
  return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1);
}

/** P(X <= x) of a beta variable. */
export function betaCdf(x: number, a: number, b: number): number {
  return betainc(clampUnit(x), a, b, true, false);
}

/** P(X > x) of a beta variable. */
export function betaSurvival(x: number, a: number, b: number): number {
  return betainc(clampUnit(x), a, b, true, true);
}

/** The x with P(X <= x) = p of a beta variable. */
export function betaQuantile(p: number, a: number, b: number): number {
  return betaincinv(p, a, b, false);
}

/** The x with P(X > x) = p of a beta variable. */
export function betaQuantileUpper(p: number, a: number, b: number): number {
  return betaincinv(p, a, b, true);
}

/** P(X > x) of an F variable with d1 and d2 degrees of freedom. */
export function fSurvival(x: number, d1: number, d2: number): number {
  if (x <= 0) return 1;
  if (x === Infinity) return 0;
  return betainc(d2 / (d2 + d1 * x), d2 / 2, d1 / 2, true, false);
}

/** P(X > x) of a chi-square variable. */
export function chiSquareSurvival(x: number, degreesOfFreedom: number): number {
  return x <= 0 ? 1 : gammainc(x / 2, degreesOfFreedom / 2, true, true);
}

/** P(Z <= z) of a standard normal variable, accurate in the far lower tail. */
export function normalCdf(z: number): number {
  return 0.5 * erfc(-z / Math.SQRT2);
}

/** P(Z > z) of a standard normal variable, accurate in the far upper tail. */
export function normalSurvival(z: number): number {
  return 0.5 * erfc(z / Math.SQRT2);
}

/** The z with P(Z <= z) = p of a standard normal variable. */
export function normalQuantile(p: number): number {
  return -Math.SQRT2 * erfcinv(2 * p);
}

/** P(X <= k) when n trials each succeed with probability p. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  if (p <= 0) return 1;
  if (p >= 1) return 0;
  return betainc(p, Math.floor(k) + 1, n - Math.floor(k), true, true);
}

/** P(X >= k) when n trials each succeed with probability p. */
export function binomialSurvival(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n) return 0;
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  return betainc(p, Math.ceil(k), n - Math.ceil(k) + 1, true, false);
}

function clampUnit(x: number): number {
  return Math.min(Math.max(x, 0), 1);
}
