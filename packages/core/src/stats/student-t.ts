/**
 * Student's t: how many standard errors an estimate from few values may stray. O(1).
 * NIST Digital Library of Mathematical Functions, section 8.17, https://dlmf.nist.gov/8.17.
 */
import { betaQuantile } from "./special-functions.ts";

/** The t with P(|T| > t) = `tails` for so many degrees of freedom. */
export function studentTwoSided(tails: number, degreesOfFreedom: number): number {
  const x = betaQuantile(tails, degreesOfFreedom / 2, 0.5);
  return Math.sqrt((degreesOfFreedom * (1 - x)) / x);
}
