import { expect, it } from "vitest";
import { signTest, signTestPValue } from "./sign-test.ts";

it("sign test: 8 of 8 is 2 in 256", () => {
  expect(signTestPValue(0, 8)).toBeCloseTo(2 / 256, 12);
  expect(signTestPValue(3, 0)).toBeCloseTo(0.25, 12);
  expect(signTestPValue(0, 0)).toBe(1);
  expect(signTestPValue(4, 4)).toBe(1);
  expect(signTest([1, 1, 1], [2, 1, 0])).toEqual({ up: 1, down: 1, equal: 1, pValue: 1 });
});
