import { expect, it } from "vitest";
import { quantile } from "./quantile.ts";

it("type-7 quantiles, as R computes them", () => {
  expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
  expect(quantile([15, 20, 35, 40, 50], 0.4)).toBeCloseTo(29, 12);
  expect(quantile([1, Number.POSITIVE_INFINITY], 0)).toBe(1);
});
