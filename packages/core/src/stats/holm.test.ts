import { expect, it } from "vitest";
import { holm } from "./holm.ts";

it("Holm: each p-value times what is left, never falling", () => {
  const corrected = holm([0.01, 0.04, 0.03]);
  expect(corrected[0]).toBeCloseTo(0.03, 12);
  expect(corrected[1]).toBeCloseTo(0.06, 12);
  expect(corrected[2]).toBeCloseTo(0.06, 12);
  expect(holm([])).toEqual([]);
});
