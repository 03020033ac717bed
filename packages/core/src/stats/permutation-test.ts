import { createRandom, type Seed } from "./random.ts";

export interface PermutationTest {
  readonly pValue: number;
  /** Every arrangement was counted; otherwise `rounds` of them were drawn. */
  readonly exact: boolean;
  readonly rounds: number;
}

export interface PermutationOptions {
  readonly seed: Seed;
  /** Arrangements to draw when there are too many to count. */
  readonly rounds?: number;
  /** Up to this many moved pairs every arrangement is counted (2^pairs of them). */
  readonly exactUpTo?: number;
}

// Two sums that differ only by rounding are the same arrangement.
const TIE = 1e-12;

/**
 * Could the average paired difference be chance? If the two sides were alike, each pair's difference could as well have the
 * other sign; the p-value is the share of sign arrangements whose sum is at least as far from 0 as the one seen.
 * Sees how far pairs moved (the sign test does not). Cost: 2^n sums up to `exactUpTo` moved pairs, else rounds · n.
 *
 * R. A. Fisher (1935), "The Design of Experiments", section 21; the drawn version counts the seen arrangement too
 * (Phipson and Smyth, 2010), so it is never 0.
 */
export function signFlipTest(differences: ArrayLike<number>, options: PermutationOptions): PermutationTest {
  const moved = Array.from(differences).filter((difference) => difference !== 0);
  if (moved.length === 0) return { pValue: 1, exact: true, rounds: 1 };
  const scale = moved.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const seen = Math.abs(moved.reduce((sum, difference) => sum + difference, 0)) - TIE * scale;
  return moved.length <= (options.exactUpTo ?? 16) ? countAll(moved, seen) : draw(moved, seen, options);
}

/** Walks all sign patterns in Gray-code order, so that each step changes one sign. */
function countAll(moved: readonly number[], seen: number): PermutationTest {
  const rounds = 2 ** moved.length;
  const signs = moved.map(() => 1);
  let sum = moved.reduce((total, difference) => total + difference, 0);
  let hits = 1;
  for (let step = 1; step < rounds; step++) {
    const flipped = 31 - Math.clz32(step & -step);
    signs[flipped] = -signs[flipped]!;
    sum += 2 * signs[flipped]! * moved[flipped]!;
    if (Math.abs(sum) >= seen) hits++;
  }
  return { pValue: hits / rounds, exact: true, rounds };
}

function draw(moved: readonly number[], seen: number, options: PermutationOptions): PermutationTest {
  const rounds = options.rounds ?? 9999;
  const random = createRandom(options.seed);
  let hits = 1;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    let bits = 0;
    for (let index = 0; index < moved.length; index++) {
      if (index % 32 === 0) bits = random.uint32();
      sum += bits & 1 ? moved[index]! : -moved[index]!;
      bits >>>= 1;
    }
    if (Math.abs(sum) >= seen) hits++;
  }
  return { pValue: hits / (rounds + 1), exact: false, rounds };
}
