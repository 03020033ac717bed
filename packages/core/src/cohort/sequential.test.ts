import { expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { createSequentialTest } from "./sequential.ts";

const pair = (value: number) => [new Map([["feature", value]])];

it("does not bet on the first two pairs, then multiplies by 1 ± λ as the pair agrees or not", () => {
  const test = createSequentialTest(1, 0.05);
  expect(test.add(pair(1))).toBe(1);
  expect(test.add(pair(1))).toBe(1);
  expect(test.add(pair(1))).toBeCloseTo((1.15 + 1.35 + 1.6) / 3, 12);
  expect(test.add(pair(-1))).toBeCloseTo((1.15 * 0.85 + 1.35 * 0.65 + 1.6 * 0.4) / 3, 12);
});

it("leaves the wealth alone when earlier pairs have no opinion", () => {
  const test = createSequentialTest(1, 0.05);
  for (const value of [1, -1, 5]) expect(test.add(pair(value))).toBe(1);
});

it("stops when the wealth reaches 1/α, and remembers when", () => {
  const test = createSequentialTest(1, 0.05);
  for (let index = 0; index < 40; index++) test.add(pair(1));
  // Two pairs without a bet, then as many as (1.15ⁿ + 1.35ⁿ + 1.6ⁿ) / 3 ≥ 20 takes.
  let bets = 0;
  while ((1.15 ** bets + 1.35 ** bets + 1.6 ** bets) / 3 < 20) bets++;
  expect(test.stoppedAfter).toBe(bets + 2);
});

it("hardly ever stops on fair coins, however often one looks", () => {
  const random = createRandom(12);
  let stopped = 0;
  for (let stream = 0; stream < 400; stream++) {
    const test = createSequentialTest(1, 0.05);
    for (let index = 0; index < 100; index++) test.add(pair(random.below(2) === 0 ? 1 : -1));
    if (test.stoppedAfter !== undefined) stopped++;
  }
  // Ville: at most 5 %. Four standard errors above it are 9.4 %.
  expect(stopped / 400).toBeLessThan(0.094);
});
