import { betaQuantileUpper, betaSurvival, logGamma } from "./special-functions.ts";

/** The x with P(X > x) = p of an F variable with d1 and d2 degrees of freedom. */
export function fQuantileUpper(p: number, d1: number, d2: number): number {
  const share = betaQuantileUpper(p, d1 / 2, d2 / 2);
  return (d2 * share) / (d1 * (1 - share));
}

/**
 * P(X > x) of a noncentral F variable: how likely a test statistic exceeds x when there is a real effect of size lambda.
 * A Poisson-weighted sum of beta tails, taken outwards from its largest weight until the rest cannot matter.
 * Cost: about sqrt(lambda) terms. NIST Digital Library of Mathematical Functions, 8.17; Johnson, Kotz and Balakrishnan,
 * Continuous Univariate Distributions 2, chapter 30.
 */
export function noncentralFSurvival(x: number, d1: number, d2: number, lambda: number): number {
  if (x <= 0) return 1;
  const half = lambda / 2;
  const share = (d1 * x) / (d1 * x + d2);
  if (half === 0) return betaSurvival(share, d1 / 2, d2 / 2);
  const middle = Math.floor(half);
  let sum = 0;
  for (let j = middle; j >= 0; j--) {
    const weight = poisson(j, half);
    sum += weight * betaSurvival(share, d1 / 2 + j, d2 / 2);
    if (weight < 1e-17) break;
  }
  for (let j = middle + 1; ; j++) {
    const weight = poisson(j, half);
    sum += weight * betaSurvival(share, d1 / 2 + j, d2 / 2);
    if (weight < 1e-17) break;
  }
  return Math.min(1, Math.max(0, sum));
}

function poisson(j: number, rate: number): number {
  return Math.exp(-rate + (j === 0 ? 0 : j * Math.log(rate)) - logGamma(j + 1));
}
