import { expect, it } from "vitest";
import { clopperPearson } from "./clopper-pearson.ts";

it("Clopper-Pearson, 4 of 17 and the edges", () => {
  const interval = clopperPearson(4, 17);
  expect(interval.low).toBeCloseTo(0.0681, 4);
  expect(interval.high).toBeCloseTo(0.499, 3);
  // With none of n seen the upper bound solves (1 - p)^n = 0.025.
  expect(clopperPearson(0, 10)).toEqual({ low: 0, high: expect.closeTo(1 - 0.025 ** 0.1, 10) });
  expect(clopperPearson(10, 10)).toEqual({ low: expect.closeTo(0.025 ** 0.1, 10), high: 1 });
  expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
});
