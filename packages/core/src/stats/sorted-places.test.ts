import fc from "fast-check";
import { expect, it } from "vitest";
import { SortedPlaces } from "./sorted-places.ts";

const below = (values: readonly number[], limit: number) => values.filter((value) => value < limit).length;

it.each([
  { name: "spread evenly", values: [3, 1, 2, 4] },
  { name: "all equal", values: [2, 2, 2] },
  { name: "one", values: [5] },
  { name: "none", values: [] },
  { name: "one far from all others", values: [1, 1.5, 2, 1e300, 3] },
  { name: "closer than numbers can tell", values: [1, 1 + Number.EPSILON, 1, 1 + 2 * Number.EPSILON] },
  { name: "infinite", values: [Number.NEGATIVE_INFINITY, 0, 1, Number.POSITIVE_INFINITY] },
  { name: "the largest distance", values: [-Number.MAX_VALUE, 0, Number.MAX_VALUE] },
])("counts the values below a limit: $name", ({ values }) => {
  const places = new SortedPlaces(Float64Array.from(values));
  for (const limit of [...values, -1, 0, 1.2, 2, 2.5, 1e299, 1e301])
    expect(places.firstFrom(limit)).toBe(below(values, limit));
});

it("counts the same as a look at all of them", () => {
  const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 40 }), number, (values, limit) => {
      const places = new SortedPlaces(Float64Array.from(values));
      for (const each of [limit, ...values]) expect(places.firstFrom(each)).toBe(below(values, each));
    }),
  );
});
