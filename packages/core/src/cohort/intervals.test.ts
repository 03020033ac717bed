import { expect, it } from "vitest";
import { buildDesign } from "./design.ts";
import { simultaneousIntervals, unseenShare } from "./intervals.ts";

const options = { alpha: 0.05, toleranceRate: 0.2, toleranceSize: 1.25 };
const pairs = (count: number) =>
  buildDesign(
    Array.from({ length: 2 * count }, (_, index) => ({
      scenario: `s${String(index >> 1).padStart(2, "0")}`,
      side: index % 2 === 0 ? ("baseline" as const) : ("candidate" as const),
    })),
  );

it("makes no interval from one scenario", () => {
  expect(simultaneousIntervals(pairs(1), [], Float64Array.of(0), options)).toBeUndefined();
});

it("never claims more about a rate than n runs without a sighting can carry: 14 runs for 20 points", () => {
  expect(unseenShare(13, 0.05)).toBeGreaterThan(0.2);
  expect(unseenShare(14, 0.05)).toBeLessThan(0.2);
});

it.each([
  [13, false],
  [14, true],
])("%i identical pairs are within tolerance: %s", (count, inside) => {
  const column = { item: "has:f", kind: "rate" as const, values: new Float64Array(2 * count).fill(1) };
  const intervals = simultaneousIntervals(pairs(count), [column], new Float64Array(8), options)!;
  expect(intervals.items[0]).toMatchObject({ difference: 0, standardError: 0, inside });
});

it("takes the larger of the relabelling quantile and Student's t", () => {
  const column = { item: "turns", kind: "size" as const, values: Float64Array.of(0, 1, 0, 0, 0, 1, 0, 0) };
  const critical = (largest: number) =>
    simultaneousIntervals(pairs(4), [column], Float64Array.of(largest), options)!.critical;
  // t quantile 0.975 with 3 degrees of freedom, from any table.
  expect(critical(0)).toBeCloseTo(3.182446, 5);
  expect(critical(4)).toBe(4);
});
