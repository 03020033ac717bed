/**
 * What a sample of this size can and cannot show, in numbers that can be said in words.
 */
import { signTestPValue } from "./sign-test.ts";

const powerTiers = ["low", "moderate", "adequate", "robust"] as const;
export type PowerTier = (typeof powerTiers)[number];

export interface PowerStatement {
  readonly tier: PowerTier;
  /** Pairs that would lift the sample into the next tier that matters; absent when there are enough. */
  readonly recommendedSampleSize?: number;
  /** How often a habit shown in one turn of ten would not appear even once in a sample of this size. */
  readonly unseenTenth: number;
  /** The smallest sign-test p-value this many pairs can ever reach: all of them moved the same way. */
  readonly smallestPValue: number;
}

/** Below this many pairs no severity is supported by statistics. */
export const SMALL_SAMPLE = 5;

/** What `pairs` pairs can show. Tiers: low below 5, moderate below 30, adequate below 100, then robust. */
export function powerOf(pairs: number): PowerStatement {
  const tier = tierOf(pairs);
  const recommended = tier === "low" ? 30 : tier === "robust" ? undefined : 100;
  return {
    tier,
    ...(recommended === undefined ? {} : { recommendedSampleSize: recommended }),
    unseenTenth: unseenProbability(pairs, 0.1),
    smallestPValue: signTestPValue(pairs, 0),
  };
}

/** The chance that something which happens in `share` of all turns happens in none of `count` turns. */
export function unseenProbability(count: number, share: number): number {
  return (1 - share) ** count;
}

function tierOf(pairs: number): PowerTier {
  if (pairs < SMALL_SAMPLE) return "low";
  if (pairs < 30) return "moderate";
  return pairs < 100 ? "adequate" : "robust";
}
