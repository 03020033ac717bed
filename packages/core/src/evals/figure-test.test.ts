import fc from "fast-check";
import { expect, it } from "vitest";
import { signFlipTest } from "../stats/permutation-test.ts";
import { type FigureCase, testFigure } from "./figure-test.ts";

it.each<{ name: string; cases: FigureCase[]; method: string; chance: number }>([
  {
    // 6 over 3 labellings, of which two put all of one kind on one side.
    name: "one case, three runs a side that all fell",
    cases: [{ baseline: [1, 1, 1], candidate: [0, 0, 0] }],
    method: "within_cases",
    chance: 2 / 20,
  },
  {
    // (4 over 2)² labellings; both cases all one way or all the other. Their two means alone could only say 2 of 4.
    name: "two cases, two runs a side that all fell",
    cases: [
      { baseline: [1, 1], candidate: [0, 0] },
      { baseline: [5, 5], candidate: [4, 4] },
    ],
    method: "within_cases",
    chance: 2 / 36,
  },
  {
    // 3 labellings; the candidate's run is the largest of three, or the smallest, which is nearer to the others' mean.
    name: "one run against two",
    cases: [{ baseline: [0, 1], candidate: [10] }],
    method: "within_cases",
    chance: 1 / 3,
  },
  {
    name: "cases that say nothing change nothing",
    cases: [
      { baseline: [1, 1, 1], candidate: [0, 0, 0] },
      { baseline: [0.5, 0.5], candidate: [0.5, 0.5] },
      { baseline: [1e9], candidate: [1e9] },
    ],
    method: "within_cases",
    chance: 2 / 20,
  },
  {
    name: "one run a side, all of three higher",
    cases: [1, 2, 3].map((value) => ({ baseline: [value], candidate: [value + 1] })),
    method: "paired",
    chance: 2 / 8,
  },
  { name: "nothing moved", cases: [{ baseline: [1, 1], candidate: [1, 1] }], method: "within_cases", chance: 1 },
  {
    name: "figures of millions that differ by rounding only",
    cases: [
      { baseline: [0.1 + 0.2, 1e7], candidate: [0.3, 1e7] },
      { baseline: [1e7, 0.3], candidate: [1e7, 0.1 + 0.2] },
    ],
    method: "within_cases",
    chance: 1,
  },
])("$name", ({ cases, method, chance }) => {
  const test = testFigure(cases);
  expect(test.method).toBe(method);
  expect(test.chance).toBeCloseTo(chance, 12);
});

it("comes to changing signs where each side has one run, whichever of the two is counted", () => {
  const value = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 8 }), value, (pairs, more) => {
      const cases = pairs.map(([before, after]) => ({ baseline: [before], candidate: [after] }));
      // A case of two runs that are alike asks for labels; it adds nothing to what is counted.
      const asked = testFigure([...cases, { baseline: [more, more], candidate: [more] }]);
      const differences = pairs.map(([before, after]) => after - before);
      expect(asked).toMatchObject({ method: "within_cases" });
      expect(asked.chance).toBeCloseTo(signFlipTest(differences, { seed: 1 }).pValue, 12);
    }),
  );
});

it("is the same from both sides", () => {
  const values = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(values, values), { minLength: 1, maxLength: 2 }), (pairs) => {
      const there = testFigure(pairs.map(([baseline, candidate]) => ({ baseline, candidate })));
      const back = testFigure(pairs.map(([candidate, baseline]) => ({ baseline, candidate })));
      expect(there.chance).toBeCloseTo(back.chance, 12);
    }),
  );
});
