import { describe, expect, it } from "vitest";
import * as special from "./special-functions.ts";

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
