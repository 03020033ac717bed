import { expect, it } from "vitest";
import { fisherExact } from "./fisher-exact.ts";

it("Fisher: 0 of 5 against 5 of 5 is 2 in 252; the lady tasting tea is 17 in 35", () => {
  expect(fisherExact({ leftHits: 0, leftMisses: 5, rightHits: 5, rightMisses: 0 }).twoSided).toBeCloseTo(2 / 252, 12);
  const tea = fisherExact({ leftHits: 3, leftMisses: 1, rightHits: 1, rightMisses: 3 });
  expect(tea.leftMore).toBeCloseTo(17 / 70, 12);
  expect(tea.twoSided).toBeCloseTo(34 / 70, 12);
  expect(fisherExact({ leftHits: 0, leftMisses: 0, rightHits: 3, rightMisses: 1 }).twoSided).toBeCloseTo(1, 12);
});
