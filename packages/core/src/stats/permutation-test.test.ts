import { expect, it } from "vitest";
import { signFlipTest } from "./permutation-test.ts";

it("sign flips: all arrangements of three equal steps", () => {
  expect(signFlipTest([1, 1, 1], { seed: 1 })).toEqual({ pValue: 0.25, exact: true, rounds: 8 });
  expect(signFlipTest([1, 2, 3], { seed: 1 }).pValue).toBe(0.25);
  expect(signFlipTest([1, -1], { seed: 1 }).pValue).toBe(1);
  expect(signFlipTest([0, 0], { seed: 1 }).pValue).toBe(1);
});

it("sign flips: the drawn version comes close to the exact one and repeats", () => {
  const differences = [0.3, -0.1, 0.5, 0.2, -0.4, 0.6, 0.1, 0.2, -0.05, 0.7];
  const exact = signFlipTest(differences, { seed: 1 });
  const drawn = signFlipTest(differences, { seed: 1, exactUpTo: 0 });
  expect(drawn.exact).toBe(false);
  expect(Math.abs(drawn.pValue - exact.pValue)).toBeLessThan(0.02);
  expect(signFlipTest(differences, { seed: 1, exactUpTo: 0 })).toEqual(drawn);
});
