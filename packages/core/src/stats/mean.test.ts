import { expect, it } from "vitest";
import { mean } from "./mean.ts";

it("the mean, which of nothing is 0", () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBe(0);
});
