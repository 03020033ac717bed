import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeFamily, pValues, rankFamily } from "./family.ts";

const table = (...rows: readonly (readonly number[])[]) => rows.map((row) => Float64Array.from(row));

it("ranks by the share of labellings that are at least as large, ties included", () => {
  expect([...pValues(Float64Array.from([3, 1, 3, 2]))]).toEqual([0.5, 1, 0.5, 0.75]);
});

it("leaves out signals that no relabelling moves, and says 1 when none is left", () => {
  expect(judgeFamily(table([1, 1, 1 + 1e-12], [0, 0, 0]))).toEqual({
    signals: [undefined, undefined],
    strongest: 1,
    together: 1,
    p: 1,
    reachable: 1,
  });
});

describe("with one signal", () => {
  it("all p-values agree", () => {
    const result = judgeFamily(table([9, 1, 2, 3]));
    expect(result).toMatchObject({ p: 0.25, strongest: 0.25, together: 0.25, reachable: 0.25 });
    expect(result.signals).toEqual([{ p: 0.25, adjusted: 0.25 }]);
  });
});

it("never gives p = 0, adjusts upwards only, and is uniform enough: the observed labelling is one of them", () => {
  const values = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (rows) => {
      const result = judgeFamily(table(...rows));
      expect(result.p).toBeGreaterThanOrEqual(result.reachable - 1e-12);
      expect(result.p).toBeGreaterThan(0);
      for (const signal of result.signals) if (signal) expect(signal.adjusted).toBeGreaterThanOrEqual(signal.p - 1e-12);
    }),
  );
});

it("keeps its level: over all labellings taken as observed in turn, at most a share α has p ≤ α", () => {
  const values = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 20, maxLength: 20 });
  const weights = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(values, { minLength: 2, maxLength: 4 }), weights, (rows, weighed) => {
      const ps = rows[0]!.map((_, observed) => {
        // Swapping puts another labelling first; the set of labellings stays the same.
        const swapped = rows.map((row) =>
          row.map((value, at) => (at === 0 ? row[observed]! : at === observed ? row[0]! : value)),
        );
        return judgeFamily(table(...swapped), weighed).p;
      });
      for (const alpha of [0.05, 0.1, 0.25])
        expect(ps.filter((p) => p <= alpha).length / ps.length).toBeLessThanOrEqual(alpha);
    }),
    { numRuns: 60 },
  );
});

describe("weights", () => {
  // Ten labellings; the first signal has its observed value third, the second first.
  const rows = table([8, 10, 9, 7, 6, 5, 4, 3, 2, 1], [10, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

  it("give a signal the p of a smaller one, and every adjusted p its share of the price", () => {
    // p = 0.3 and 0.1. With weight 4 the first counts as 0.075: the minimum is at most that under three labellings, the first three. The second
    // has to beat only itself.
    expect(judgeFamily(rows, [4, 1]).signals).toEqual([
      { p: 0.3, adjusted: 0.3 },
      { p: 0.1, adjusted: 0.3 },
    ]);
    // Without weights 0.1 is met or beaten under two labellings (the first, and the second where the other signal is largest).
    expect(judgeFamily(rows).signals).toEqual([
      { p: 0.3, adjusted: 0.3 },
      { p: 0.1, adjusted: 0.2 },
    ]);
  });

  it("change nothing where all are alike", () => {
    expect(judgeFamily(rows, [2, 2])).toEqual(judgeFamily(rows));
  });

  it("hold for the global p alone as well", () => {
    for (const weights of [undefined, [4, 1], [1, 4]])
      expect(rankFamily(rows, weights).p).toBe(judgeFamily(rows, weights).p);
    expect(rankFamily(table([1, 1])).p).toBe(1);
  });
});
