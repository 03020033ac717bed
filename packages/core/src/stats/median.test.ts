import { expect, it } from "vitest";
import { median } from "./median.ts";

it.each([
  { values: [], expected: 0 },
  { values: [5], expected: 5 },
  { values: [3, 1, 2], expected: 2 },
  { values: [10, 2, 4, 3], expected: 3.5 },
])("median of $values", ({ values, expected }) => {
  expect(median(values)).toBe(expected);
});
