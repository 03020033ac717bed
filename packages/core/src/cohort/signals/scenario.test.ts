import fc from "fast-check";
import { expect, it } from "vitest";
import { buildDesign } from "../design.ts";
import { pairIndex } from "../pairs.ts";
import { relabel } from "../relabel.ts";
import { createScenarioSums, hasRepeats } from "./scenario.ts";

const side = (index: number, baseline: number) => (index < baseline ? ("baseline" as const) : ("candidate" as const));
const oneScenario = (baseline: number, candidate: number) =>
  buildDesign(
    Array.from({ length: baseline + candidate }, (_, index) => ({ scenario: "s", side: side(index, baseline) })),
  );

it("is h (2 · mean between − mean inside baseline − mean inside candidate) over its mean, by hand for 2 + 2", () => {
  const design = oneScenario(2, 2);
  const block = new Float64Array(6);
  const set = (row: number, column: number, value: number) => {
    block[pairIndex(row, column)] = value;
  };
  set(1, 0, 0.1);
  set(3, 2, 0.2);
  for (const [row, column] of [
    [2, 0],
    [3, 0],
    [2, 1],
    [3, 1],
  ] as const)
    set(row, column, 0.8);
  // Means over ordered pairs with the zero diagonal: between 0.8, baseline 0.05, candidate 0.1; h = 1.
  const numerator = 2 * 0.8 - 0.05 - 0.1;
  const denominator = (2 * (0.1 + 0.2 + 4 * 0.8)) / (4 * 3);
  const sums = createScenarioSums(design, { width: 1, blocks: [block] }, 1);
  expect(sums.ratios(design.observed)[0]).toBeCloseTo(numerator / denominator, 12);
});

it("averages 1 over all labellings, whatever the distances and sizes", () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.integer({ min: 0, max: 100 })), ([baseline, candidate], stream) => {
      const design = oneScenario(baseline, candidate);
      const block = Float64Array.from({ length: pairIndex(baseline + candidate, 0) }, () => stream.next().value / 100);
      const sums = createScenarioSums(design, { width: 1, blocks: [block] }, 1);
      let total = 0;
      const labellings = relabel(design, { limit: 20_000, draws: 1, seed: 1 });
      labellings.forEach((labels) => {
        total += sums.ratios(labels)[0]!;
      });
      expect(total / labellings.count).toBeCloseTo(1, 9);
    }),
    { numRuns: 50 },
  );
});

it("is always 1 with one run a side, and knows that there are no repeats", () => {
  const design = oneScenario(1, 1);
  expect(createScenarioSums(design, { width: 1, blocks: [Float64Array.of(0.7)] }, 1).ratios(design.observed)[0]).toBe(
    1,
  );
  expect(hasRepeats(design)).toBe(false);
  expect(hasRepeats(oneScenario(2, 1))).toBe(true);
});
