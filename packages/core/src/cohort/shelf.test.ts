import { expect, it } from "vitest";
import { Shelf } from "./shelf.ts";

it("gives zeros that belong to nobody else", () => {
  const shelf = new Shelf(Int32Array);
  const arrays = Array.from({ length: 50 }, (_, index) => shelf.take(index * 40));
  for (const [index, array] of arrays.entries()) {
    expect(array.every((value) => value === 0)).toBe(true);
    array.fill(index + 1);
  }
  for (const [index, array] of arrays.entries()) {
    expect(array).toHaveLength(index * 40);
    expect(array.every((value) => value === index + 1)).toBe(true);
  }
});

it.each([0, 1, 16_384, 16_385])("keeps a copy of %i numbers", (length) => {
  const numbers = Array.from({ length: length + 3 }, (_, index) => index / 2);
  const kept = new Shelf(Float64Array).keep(numbers, length);
  numbers.fill(-1);
  expect(kept).toHaveLength(length);
  expect(kept.every((value, index) => value === index / 2)).toBe(true);
});
