import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignStretch, GAP_EXTEND, GAP_OPEN, type Stretch } from "./align-stretch.ts";
import type { AlignedStep } from "./alignment.ts";

/** Cost of a path, counted by hand: matches at their cost, each run of gaps opened once. */
function costOf(steps: readonly AlignedStep[], stretch: Stretch): number {
  let total = 0;
  let previous: AlignedStep["kind"] = "match";
  for (const step of steps) {
    if (step.kind === "match") total += stretch.cost(step.baseline, step.candidate);
    else total += step.kind === previous ? GAP_EXTEND : GAP_OPEN;
    previous = step.kind;
  }
  return total;
}

/** The cheapest path by trying every one; an insertion never follows a deletion, except where the run begins. */
function cheapest(
  stretch: Stretch,
  row: number,
  column: number,
  previous: AlignedStep["kind"],
  moved: boolean,
): number {
  if (row === stretch.height && column === stretch.width) return 0;
  let best = Number.POSITIVE_INFINITY;
  if (row < stretch.height && column < stretch.width) {
    best = stretch.cost(row, column) + cheapest(stretch, row + 1, column + 1, "match", true);
  }
  if (column < stretch.width && (previous !== "delete" || !moved)) {
    const gap = previous === "insert" ? GAP_EXTEND : GAP_OPEN;
    best = Math.min(best, gap + cheapest(stretch, row, column + 1, "insert", moved));
  }
  if (row < stretch.height && (previous !== "insert" || !moved)) {
    const gap = previous === "delete" ? GAP_EXTEND : GAP_OPEN;
    best = Math.min(best, gap + cheapest(stretch, row + 1, column, "delete", moved));
  }
  return best;
}

describe("alignment of a stretch", () => {
  const costs = fc.integer({ min: 1, max: 5 }).chain((height) =>
    fc.integer({ min: 1, max: 5 }).chain((width) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 10 }), { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    ),
  );

  it("walks a path that is as cheap as any", () => {
    fc.assert(
      fc.property(costs, (table) => {
        const stretch: Stretch = {
          height: table.length,
          width: table[0]!.length,
          cost: (row, column) => table[row]![column]! / 10,
        };
        const steps = alignStretch(stretch, Math.max(stretch.height, stretch.width));
        expect(costOf(steps, stretch)).toBeCloseTo(cheapest(stretch, 0, 0, "match", false), 9);
      }),
      { numRuns: 300 },
    );
  });

  it("in a wide enough band finds the same", () => {
    const cost = (row: number, column: number) => (row === column + 1 ? 0 : 0.9);
    const stretch: Stretch = { height: 40, width: 39, cost };
    expect(alignStretch(stretch, 3)).toEqual(alignStretch(stretch, 40));
    expect(alignStretch(stretch, 3)[0]).toEqual({ kind: "delete", baseline: 0 });
  });

  it.each([
    { height: 0, width: 2, kinds: ["insert", "insert"] },
    { height: 2, width: 0, kinds: ["delete", "delete"] },
    { height: 0, width: 0, kinds: [] },
  ])("$height against $width turns", ({ height, width, kinds }) => {
    expect(alignStretch({ height, width, cost: () => 1 }, 5).map((step) => step.kind)).toEqual(kinds);
  });
});
