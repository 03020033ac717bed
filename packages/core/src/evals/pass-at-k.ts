/**
 * Of `runs` runs of a case `passed` passed. How likely is it that at least one of `k` runs passes (pass@k), and that all
 * of `k` runs pass (pass^k)? Both are the unbiased estimates over all choices of `k` of the runs that were made, so `k`
 * may not exceed their number. O(k).
 *
 * pass@k: Chen et al. (2021), "Evaluating large language models trained on code", equation 1.
 * pass^k: Yao et al. (2024), "τ-bench", section 3.
 */
export function passAtK(runs: number, passed: number, k: number): number {
  return 1 - shareOfChoices(runs - passed, runs, k);
}

/** The chance that all of `k` runs pass: C(passed, k) / C(runs, k). */
export function passHatK(runs: number, passed: number, k: number): number {
  return shareOfChoices(passed, runs, k);
}

/** Which share of all ways to choose `k` of `all` picks only among `some`: C(some, k) / C(all, k), without large numbers. */
function shareOfChoices(some: number, all: number, k: number): number {
  if (k < 1 || k > all) throw new RangeError(`k must be between 1 and ${all}, got ${k}`);
  let share = 1;
  for (let index = 0; index < k; index++) share *= Math.max(0, some - index) / (all - index);
  return share;
}
