/**
 * Corrects exact tests of counts for being many. A test whose numbers cannot reach significance, such as a case that passed every run
 * on both sides, can raise no false alarm and does not count: Tarone (1990), "A modified Bonferroni method for discrete data". Over the others
 * Holm (1979) keeps the chance of even one false alarm at `alpha`. Which they are depends on the margins alone, so that this stays exact.
 * O(n log n); keeps the input's order.
 */
import { holm } from "./holm.ts";

export interface DiscreteTest {
  readonly p: number;
  /** The smallest p that these margins could give. */
  readonly reachable: number;
}

export interface DiscreteFamily {
  /** 1 for tests that could not have shown anything. */
  readonly corrected: readonly number[];
  /** How many tests could have shown something. */
  readonly size: number;
}

export function correctDiscrete(tests: readonly DiscreteTest[], alpha: number): DiscreteFamily {
  const reachable = tests.map((test) => test.reachable).sort((left, right) => left - right);
  let size = 1;
  while (countUpTo(reachable, alpha / size) > size) size++;
  const counted = tests.flatMap(({ reachable: least }, index) => (least <= alpha / size ? [index] : []));
  const adjusted = holm(counted.map((index) => tests[index]!.p));
  const corrected = tests.map(() => 1);
  for (const [position, index] of counted.entries()) corrected[index] = adjusted[position]!;
  return { corrected, size: counted.length };
}

function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
