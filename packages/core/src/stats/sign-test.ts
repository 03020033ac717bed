import { binomialCdf } from "./special-functions.ts";

export interface SignTest {
  readonly up: number;
  readonly down: number;
  readonly equal: number;
  /** Two-sided p-value; 1 when nothing moved. */
  readonly pValue: number;
}

/**
 * Did the candidate move in one direction more often than a coin would? Pairs that did not move are left out.
 * Exact for every sample size; says nothing about how far they moved. O(n).
 *
 * Dixon and Mood (1946), "The statistical sign test". Differences within `tolerance` count as equal.
 */
export function signTest(baseline: ArrayLike<number>, candidate: ArrayLike<number>, tolerance = 1e-9): SignTest {
  let up = 0;
  let down = 0;
  const count = Math.min(baseline.length, candidate.length);
  for (let index = 0; index < count; index++) {
    const difference = candidate[index]! - baseline[index]!;
    if (difference > tolerance) up++;
    else if (difference < -tolerance) down++;
  }
  return { up, down, equal: count - up - down, pValue: signTestPValue(up, down) };
}

/** The two-sided p-value of `up` against `down` moves: twice the smaller binomial tail, at most 1. */
export function signTestPValue(up: number, down: number): number {
  const moved = up + down;
  return moved === 0 ? 1 : Math.min(1, 2 * binomialCdf(Math.min(up, down), moved, 0.5));
}
