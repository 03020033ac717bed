import { expect, it } from "vitest";
import { cohenKappa } from "./cohen-kappa.ts";

it("agrees with a table worked by hand", () => {
  // 20, 5, 10, 15 of 50: 0.7 observed, 0.5 by chance, so 0.2 / 0.5.
  const kappa = cohenKappa({ both: 20, onlyFirst: 5, onlySecond: 10, neither: 15 })!;
  expect(kappa.value).toBeCloseTo(0.4, 12);
  // Rows 0.5 and 0.5, columns 0.6 and 0.4, with 1 - kappa = 0.6:
  // agreeing 0.4 * (1 - 1.1 * 0.6)^2 + 0.3 * (1 - 0.9 * 0.6)^2 = 0.04624 + 0.06348 = 0.10972
  // disagreeing 0.36 * (0.1 * (0.6 + 0.5)^2 + 0.2 * (0.4 + 0.5)^2) = 0.36 * (0.121 + 0.162) = 0.10188
  // less (0.4 - 0.5 * 0.6)^2 = 0.01, over 0.25 * 50: 0.2016 / 12.5 = 0.016128, whose root is 0.126996
  expect(kappa.low).toBeCloseTo(0.4 - 1.959964 * 0.126996, 5);
  expect(kappa.high).toBeCloseTo(0.4 + 1.959964 * 0.126996, 5);
});

it("is 1 for the same answers, below 0 for opposite ones, and unknown where nobody varies", () => {
  expect(cohenKappa({ both: 5, onlyFirst: 0, onlySecond: 0, neither: 5 })).toEqual({ value: 1, low: 1, high: 1 });
  expect(cohenKappa({ both: 0, onlyFirst: 5, onlySecond: 5, neither: 0 })!.value).toBe(-1);
  expect(cohenKappa({ both: 9, onlyFirst: 0, onlySecond: 0, neither: 0 })).toBeUndefined();
  expect(cohenKappa({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 })).toBeUndefined();
  // One rater always says yes: he agrees by chance alone.
  expect(cohenKappa({ both: 6, onlyFirst: 4, onlySecond: 0, neither: 0 })!.value).toBeCloseTo(0, 12);
});
