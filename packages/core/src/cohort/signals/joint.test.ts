import { expect, it } from "vitest";
import { createRandom } from "../../stats/random.ts";
import { buildDesign } from "../design.ts";
import { buildDeviations } from "../deviations.ts";
import { relabel } from "../relabel.ts";
import { createJointForm } from "./joint.ts";
import { createShiftSums } from "./shift.ts";

const designOf = (scenarios: number, repeats: number) =>
  buildDesign(
    Array.from({ length: 2 * scenarios * repeats }, (_, index) => ({
      scenario: `s${String(Math.floor(index / (2 * repeats))).padStart(2, "0")}`,
      side: index % 2 === 0 ? ("baseline" as const) : ("candidate" as const),
    })),
  );

/** Rows of random numbers, and the joint ratio under every labelling. */
function ratiosOf(scenarios: number, repeats: number, width: number, seed: number) {
  const random = createRandom(seed);
  const design = designOf(scenarios, repeats);
  const rows = Array.from(design.order, () => ({
    columns: Int32Array.from({ length: width }, (_, column) => column),
    values: Float64Array.from({ length: width }, () => random.below(5)),
  }));
  const columns = Array.from({ length: width }, (_, column) => column);
  const deviations = buildDeviations(
    design,
    rows,
    columns.map(() => ({ absent: "zero" as const, dependsOn: -1 })),
  );
  const sums = createShiftSums(design, deviations);
  const joint = createJointForm(design, deviations, columns)!;
  const ratios: number[] = [];
  relabel(design, { limit: 20_000, draws: 0, seed: 1 }).forEach((labels) => {
    sums.addUp(labels);
    ratios.push(joint.ratio(labels, (column) => sums.z(column)));
  });
  return { ratios, rows, sums };
}

it.each([
  { scenarios: 6, repeats: 1, width: 4 },
  { scenarios: 5, repeats: 1, width: 9 },
  { scenarios: 3, repeats: 2, width: 3 },
])("has mean 1 over all relabellings: $scenarios × $repeats, $width columns", ({ scenarios, repeats, width }) => {
  const { ratios } = ratiosOf(scenarios, repeats, width, 3);
  expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeCloseTo(1, 9);
});

it("of one column alone is its squared z", () => {
  const { ratios, sums } = ratiosOf(6, 1, 1, 5);
  expect(ratios.at(-1)).toBeCloseTo(sums.z(0) ** 2, 9);
});

// Fewer columns than candidate runs, and more: two ways to the same number.
it.each([3, 9])(
  "with one run a side and %i columns is eᵀ G (G + ½I)⁻¹ e over its mean, G the products of the scaled differences",
  (width) => {
    const scenarios = 5;
    const { ratios, rows } = ratiosOf(scenarios, 1, width, 8);
    const differences = Array.from({ length: scenarios }, (_, scenario) =>
      Array.from(rows[2 * scenario]!.values, (value, column) => rows[2 * scenario + 1]!.values[column]! - value),
    );
    const norms = differences[0]!.map((_, column) => Math.hypot(...differences.map((row) => row[column]!)));
    const scaled = differences.map((row) => row.map((value, column) => value / norms[column]!));
    const products = scaled.map((one) =>
      scaled.map((other) => one.reduce((sum, value, at) => sum + value * other[at]!, 0)),
    );
    const diagonal = products.reduce((sum, row, at) => sum + row[at]!, 0) / scenarios;
    const form = timesInverse(products.map((row) => row.map((value) => value / diagonal)));
    const trace = form.reduce((sum, row, at) => sum + row[at]!, 0);
    const observed = form.flat().reduce((sum, value) => sum + value, 0);
    expect(ratios[0]).toBeCloseTo(observed / trace, 9);
  },
);

it("keeps to a bounded number of columns, chosen without the labels", () => {
  const { ratios } = ratiosOf(4, 1, 400, 2);
  expect(ratios).toHaveLength(16);
  expect(ratios.every(Number.isFinite)).toBe(true);
});

/** G (G + ½I)⁻¹ by Gauss and Jordan. */
function timesInverse(g: readonly (readonly number[])[]): number[][] {
  const size = g.length;
  const rows = g.map((row, i) => [
    ...row.map((value, j) => value + (i === j ? 0.5 : 0)),
    ...Array.from({ length: size }, (_, j) => Number(i === j)),
  ]);
  for (let pivot = 0; pivot < size; pivot++) {
    const divisor = rows[pivot]![pivot]!;
    rows[pivot] = rows[pivot]!.map((value) => value / divisor);
    for (let other = 0; other < size; other++) {
      const factor = rows[other]![pivot]!;
      if (other !== pivot) rows[other] = rows[other]!.map((value, at) => value - factor * rows[pivot]![at]!);
    }
  }
  const inverse = rows.map((row) => row.slice(size));
  return g.map((row) => inverse.map((_, j) => row.reduce((sum, value, k) => sum + value * inverse[k]![j]!, 0)));
}
