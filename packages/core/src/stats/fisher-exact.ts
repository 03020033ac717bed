import { logChoose } from "./special-functions.ts";

/** Two groups, each with a number of hits and a number of misses. */
export interface TwoByTwo {
  readonly leftHits: number;
  readonly leftMisses: number;
  readonly rightHits: number;
  readonly rightMisses: number;
}

export interface FisherExact {
  /** How often chance alone gives a table at least this unlikely, in either direction. */
  readonly twoSided: number;
  /** How often chance alone gives the left group this few hits or fewer. */
  readonly leftFewer: number;
  /** How often chance alone gives the left group this many hits or more. */
  readonly leftMore: number;
}

// Two tables of equal probability must not be told apart by the last bits of a logarithm.
const TIE = 1 + 1e-7;

/**
 * Do two groups differ in how often something happens? Fisher's exact test: all tables with the same margins, no
 * approximation, valid for the smallest samples. O(size of the smaller margin).
 *
 * R. A. Fisher (1922), "On the interpretation of chi-square from contingency tables"; the two-sided value sums every
 * table that is no more likely than the one seen, as R's `fisher.test` does.
 */
export function fisherExact(table: TwoByTwo): FisherExact {
  const left = table.leftHits + table.leftMisses;
  const right = table.rightHits + table.rightMisses;
  const hits = table.leftHits + table.rightHits;
  const fewest = Math.max(0, hits - right);
  const most = Math.min(hits, left);
  const all = logChoose(left + right, hits);
  const chance = (k: number) => Math.exp(logChoose(left, k) + logChoose(right, hits - k) - all);

  const seen = chance(table.leftHits);
  let twoSided = 0;
  let leftFewer = 0;
  let leftMore = 0;
  for (let k = fewest; k <= most; k++) {
    const probability = chance(k);
    if (probability <= seen * TIE) twoSided += probability;
    if (k <= table.leftHits) leftFewer += probability;
    if (k >= table.leftHits) leftMore += probability;
  }
  return { twoSided: Math.min(1, twoSided), leftFewer: Math.min(1, leftFewer), leftMore: Math.min(1, leftMore) };
}
