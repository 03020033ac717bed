import { betaQuantile, betaQuantileUpper } from "./special-functions.ts";

export interface ShareInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * Which true shares are plausible when `hits` of `total` were seen: the exact (Clopper-Pearson) interval. It covers the
 * true share at least as often as `confidence` says, whatever the sample size. O(1).
 *
 * Clopper and Pearson (1934), "The use of confidence or fiducial limits illustrated in the case of the binomial".
 * Nothing observed (`total` 0) says nothing: the interval is 0 to 1.
 */
export function clopperPearson(hits: number, total: number, confidence = 0.95): ShareInterval {
  if (total === 0) return { low: 0, high: 1 };
  const tail = (1 - confidence) / 2;
  return {
    low: hits === 0 ? 0 : betaQuantile(tail, hits, total - hits + 1),
    high: hits === total ? 1 : betaQuantileUpper(tail, hits + 1, total - hits),
  };
}
