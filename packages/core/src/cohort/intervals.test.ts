import { describe, expect, it } from "vitest";
import { interval } from "../../test/cohort.ts";
import { buildDesign } from "./design.ts";
import { simultaneousIntervals, unseenItems, unseenShare } from "./intervals.ts";

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

describe("two one-sided tests decide each item by itself", () => {
  const rate = (gained: number, lost: number, count: number) => ({
    item: "has:f",
    kind: "rate" as const,
    values: Float64Array.from({ length: 2 * count }, (_, index) => {
      const pair = index >> 1;
      const isCandidate = index % 2 === 1;
      return pair < gained ? Number(isCandidate) : pair < gained + lost ? Number(!isCandidate) : 0;
    }),
  });
  const only = (design: ReturnType<typeof pairs>, column: ReturnType<typeof rate>, largest = 0) =>
    simultaneousIntervals(design, [column], Float64Array.of(largest), options)!.items[0]!;

  // Limits of Tango's score test at 6 % a side, the nuisance share found by maximising the likelihood numerically (SciPy).
  it.each([
    { gained: 4, lost: 0, count: 40, low: 0.037312, high: 0.197953, inside: true },
    { gained: 5, lost: 0, count: 40, low: 0.060887, high: 0.228163, inside: false },
    { gained: 5, lost: 1, count: 40, low: 0.005817, high: 0.208539, inside: false },
    { gained: 3, lost: 2, count: 40, low: -0.072522, high: 0.126449, inside: true },
    { gained: 10, lost: 10, count: 40, low: -0.173546, high: 0.173546, inside: true },
    { gained: 0, lost: 5, count: 25, low: -0.348132, high: -0.094199, inside: false },
  ])("$gained gained and $lost lost of $count pairs: inside $inside", ({ gained, lost, count, low, high, inside }) => {
    const item = only(pairs(count), rate(gained, lost, count));
    expect(item.alone.low).toBeCloseTo(Math.min(low, item.difference - unseenShare(count, 0.05)), 5);
    expect(item.alone.high).toBeCloseTo(Math.max(high, item.difference + unseenShare(count, 0.05)), 5);
    expect(item.inside).toBe(inside);
  });

  it("pays nothing for the number of items: the simultaneous interval may be wider than the tolerance", () => {
    const item = only(pairs(40), rate(3, 2, 40), 4);
    expect(item.high).toBeGreaterThan(0.2);
    expect(item.inside).toBe(true);
  });

  it("uses Student's t with one tail for sizes", () => {
    const values = Float64Array.of(0, 1, 0, 0, 0, 1, 0, 0);
    const { items } = simultaneousIntervals(
      pairs(4),
      [{ item: "turns", kind: "size", values }],
      Float64Array.of(0),
      options,
    )!;
    const { difference, standardError, alone } = items[0]!;
    // Differences 1, 0, 1, 0: mean 0.5, standard error √(1/3)/2; t quantile 0.95 with 3 degrees of freedom, from any table.
    expect([difference, standardError]).toEqual([0.5, expect.closeTo(Math.sqrt(1 / 3) / 2, 12)]);
    expect(alone.high).toBeCloseTo(0.5 + (2.353363 * Math.sqrt(1 / 3)) / 2, 5);
  });

  it("knows less of repeats that all agree inside their scenario than of as many scenarios", () => {
    const inScenarios = (scenarios: number, repeats: number) => {
      const design = buildDesign(
        Array.from({ length: 2 * scenarios * repeats }, (_, index) => ({
          scenario: `s${String(Math.floor(index / (2 * repeats))).padStart(2, "0")}`,
          side: index % 2 === 0 ? ("baseline" as const) : ("candidate" as const),
        })),
      );
      // The candidate has it in every run of every tenth scenario.
      const values = Float64Array.from(design.observed, (label, place) =>
        label === 1 && Math.floor(place / (2 * repeats)) % 10 === 0 ? 1 : 0,
      );
      return simultaneousIntervals(design, [{ item: "has:f", kind: "rate", values }], Float64Array.of(0), options)!
        .items[0]!;
    };
    const [few, many] = [inScenarios(20, 4), inScenarios(40, 2)];
    expect(few.difference).toBeCloseTo(0.1, 12);
    expect(many.difference).toBeCloseTo(0.1, 12);
    expect(few.alone.high).toBeGreaterThan(many.alone.high);
  });
});

it("what could have moved unseen holds 0 and leaves its tolerance, the furthest in multiples of it first", () => {
  const items = [
    interval("moved", 0.1, 0.5),
    interval("narrow", -0.1, 0.1),
    interval("wide", -0.3, 0.25),
    // Wider in points, less in multiples of its tolerance.
    interval("tolerant", -0.4, 0.45, { tolerance: 0.4 }),
    interval("one-sided", 0, 0.5),
  ];
  expect(unseenItems(items)).toEqual(["one-sided", "wide", "tolerant"]);
  // What is named as moved was seen.
  expect(unseenItems(items, new Set(["one-sided", "narrow"]))).toEqual(["wide", "tolerant"]);
});
