import { describe, expect, it } from "vitest";
import { buildDesign } from "../design.ts";
import { buildDeviations } from "../deviations.ts";
import { relabel } from "../relabel.ts";
import { createShiftSums } from "./shift.ts";

const zero = { absent: "zero" as const, dependsOn: -1 };

/** One 0/1 column; per scenario the baseline values, then the candidate values. */
function binary(...scenarios: readonly (readonly [readonly number[], readonly number[]])[]) {
  const runs = scenarios.flatMap(([baseline, candidate], index) => [
    ...baseline.map((value) => ({ scenario: `s${index}`, side: "baseline" as const, value })),
    ...candidate.map((value) => ({ scenario: `s${index}`, side: "candidate" as const, value })),
  ]);
  const design = buildDesign(runs);
  const rows = runs.map(({ value }) => ({ columns: Int32Array.of(0), values: Float64Array.of(value) }));
  const sums = createShiftSums(design, buildDeviations(design, rows, [zero]));
  return { design, sums };
}

it("is the Cochran-Mantel-Haenszel statistic for a yes-or-no feature", () => {
  const { design, sums } = binary(
    [
      [1, 0, 0],
      [1, 1, 1],
    ],
    [
      [0, 0],
      [1, 0, 1],
    ],
  );
  sums.addUp(design.observed);
  // Stratum 1: 3 of 3 against 1 of 3, expected 2, variance 3·3·4·2/(36·5) = 0.4.
  // Stratum 2: 2 of 3 against 0 of 2, expected 1.2, variance 3·2·2·3/(25·4) = 0.36.
  const chiSquare = (1 + 0.8) ** 2 / (0.4 + 0.36);
  expect(sums.ratio({ columns: [0], scaled: false })).toBeCloseTo(chiSquare, 12);
  expect(sums.z(0) ** 2).toBeCloseTo(chiSquare, 12);
});

it("with one run a side is the sign-flip statistic Σd / √Σd²", () => {
  const { design, sums } = binary([[0], [1]], [[0], [1]], [[1], [0]], [[0], [1]]);
  sums.addUp(design.observed);
  expect(sums.z(0)).toBeCloseTo(2 / Math.sqrt(4), 12);
});

describe.each([
  { name: "pairs", make: () => binary([[0], [1]], [[2], [5]], [[1], [1]]) },
  {
    name: "2 + 2, kept sums",
    make: () =>
      binary(
        [
          [0, 3],
          [1, 7],
        ],
        [
          [2, 2],
          [5, 1],
        ],
      ),
  },
  { name: "3 + 1 and 1 + 3, the smaller side tells", make: () => binary([[0, 3, 4], [1]], [[2], [5, 1, 1]]) },
  {
    name: "5 + 5, row by row",
    make: () =>
      binary([
        [0, 3, 4, 1, 9],
        [1, 5, 5, 2, 2],
      ]),
  },
])("over all labellings of $name", ({ make }) => {
  it("the ratio is 1 on average, and a batch gives what one labelling gives", () => {
    const { design, sums } = make();
    const group = { columns: [0], scaled: true };
    const ratios: number[] = [];
    const labellings = relabel(design, { limit: 20_000, draws: 1, seed: 1 });
    sums.forEach(labellings, () => ratios.push(sums.ratio(group)));
    const singly: number[] = [];
    labellings.forEach((labels) => {
      sums.addUp(labels);
      singly.push(sums.ratio(group));
    });
    expect(ratios).toEqual(singly);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeCloseTo(1, 9);
  });
});

it("says 1 when no feature varies", () => {
  const { design, sums } = binary([[1], [1]], [[0], [0]]);
  sums.addUp(design.observed);
  expect(sums.ratio({ columns: [0], scaled: true })).toBe(1);
  expect(sums.z(0)).toBe(0);
});
