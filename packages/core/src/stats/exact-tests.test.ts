import { describe, expect, it } from "vitest";
import { clopperPearson } from "./clopper-pearson.ts";
import { fisherExact } from "./fisher-exact.ts";
import { holm } from "./holm.ts";
import { mean } from "./mean.ts";
import { median } from "./median.ts";
import { signFlipTest } from "./permutation-test.ts";
import { powerOf, unseenProbability } from "./power.ts";
import { quantile } from "./quantile.ts";
import { signTest, signTestPValue } from "./sign-test.ts";
import * as special from "./special-functions.ts";

describe("order statistics", () => {
  it.each([
    { values: [], expected: 0 },
    { values: [5], expected: 5 },
    { values: [3, 1, 2], expected: 2 },
    { values: [10, 2, 4, 3], expected: 3.5 },
  ])("median of $values", ({ values, expected }) => {
    expect(median(values)).toBe(expected);
  });

  it("means and type-7 quantiles, as R computes them", () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBe(0);
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(quantile([15, 20, 35, 40, 50], 0.4)).toBeCloseTo(29, 12);
    expect(quantile([1, Number.POSITIVE_INFINITY], 0)).toBe(1);
  });
});

describe("special functions", () => {
  it("known values", () => {
    // Tables: chi-square 3.841459 is the 5 % point of 1 degree of freedom; 1.959964 of the normal; F(1,10) 4.964603.
    expect(special.chiSquareSurvival(3.841458820694124, 1)).toBeCloseTo(0.05, 10);
    expect(special.normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 10);
    expect(special.normalCdf(-1.959963984540054)).toBeCloseTo(0.025, 10);
    expect(special.fSurvival(4.964602743730711, 1, 10)).toBeCloseTo(0.05, 8);
    expect(special.betaCdf(0.5, 2, 2)).toBeCloseTo(0.5, 12);
    expect(special.binomialCdf(2, 5, 0.5)).toBeCloseTo(0.5, 12);
    expect(special.binomialSurvival(3, 5, 0.5)).toBeCloseTo(0.5, 12);
    expect(special.logChoose(10, 3)).toBeCloseTo(Math.log(120), 10);
  });

  it("far tails do not vanish", () => {
    // erfc(20 / sqrt 2) / 2, Abramowitz and Stegun table 26.2 extended.
    expect(special.normalSurvival(20)).toBeGreaterThan(0);
    expect(Math.log10(special.normalSurvival(20))).toBeCloseTo(-88.56, 2);
    expect(special.fSurvival(5000, 4, 60)).toBeGreaterThan(0);
    expect(special.chiSquareSurvival(600, 3)).toBeGreaterThan(0);
  });
});

describe("exact tests", () => {
  it("Clopper-Pearson, 4 of 17 and the edges", () => {
    const interval = clopperPearson(4, 17);
    expect(interval.low).toBeCloseTo(0.0681, 4);
    expect(interval.high).toBeCloseTo(0.499, 3);
    // With none of n seen the upper bound solves (1 - p)^n = 0.025.
    expect(clopperPearson(0, 10)).toEqual({ low: 0, high: expect.closeTo(1 - 0.025 ** 0.1, 10) });
    expect(clopperPearson(10, 10)).toEqual({ low: expect.closeTo(0.025 ** 0.1, 10), high: 1 });
    expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it("sign test: 8 of 8 is 2 in 256", () => {
    expect(signTestPValue(0, 8)).toBeCloseTo(2 / 256, 12);
    expect(signTestPValue(3, 0)).toBeCloseTo(0.25, 12);
    expect(signTestPValue(0, 0)).toBe(1);
    expect(signTestPValue(4, 4)).toBe(1);
    expect(signTest([1, 1, 1], [2, 1, 0])).toEqual({ up: 1, down: 1, equal: 1, pValue: 1 });
  });

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

  it("Fisher: 0 of 5 against 5 of 5 is 2 in 252; the lady tasting tea is 17 in 35", () => {
    expect(fisherExact({ leftHits: 0, leftMisses: 5, rightHits: 5, rightMisses: 0 }).twoSided).toBeCloseTo(2 / 252, 12);
    const tea = fisherExact({ leftHits: 3, leftMisses: 1, rightHits: 1, rightMisses: 3 });
    expect(tea.leftMore).toBeCloseTo(17 / 70, 12);
    expect(tea.twoSided).toBeCloseTo(34 / 70, 12);
    expect(fisherExact({ leftHits: 0, leftMisses: 0, rightHits: 3, rightMisses: 1 }).twoSided).toBeCloseTo(1, 12);
  });

  it("Holm: each p-value times what is left, never falling", () => {
    const corrected = holm([0.01, 0.04, 0.03]);
    expect(corrected[0]).toBeCloseTo(0.03, 12);
    expect(corrected[1]).toBeCloseTo(0.06, 12);
    expect(corrected[2]).toBeCloseTo(0.06, 12);
    expect(holm([])).toEqual([]);
  });

  it("power: what 15 pairs cannot see", () => {
    expect(unseenProbability(15, 0.1)).toBeCloseTo(0.2059, 4);
    expect(powerOf(3)).toMatchObject({
      tier: "low",
      recommendedSampleSize: 30,
      smallestPValue: expect.closeTo(0.25, 9),
    });
    expect(powerOf(100)).not.toHaveProperty("recommendedSampleSize");
  });
});
