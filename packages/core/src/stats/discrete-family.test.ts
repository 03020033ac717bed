import { expect, it } from "vitest";
import { correctDiscrete } from "./discrete-family.ts";

it("leaves out what cannot show anything: one test that can stays as it is", () => {
  const { corrected, size } = correctDiscrete(
    [
      { p: 0.008, reachable: 0.008 },
      { p: 1, reachable: 1 },
      { p: 0.44, reachable: 0.44 },
    ],
    0.05,
  );
  expect(corrected).toEqual([0.008, 1, 1]);
  expect(size).toBe(1);
});

it("is Holm where every test can", () => {
  // By hand: 0.01·3, then max(0.03, 0.02·2), then max(0.04, 0.03).
  const tests = [0.02, 0.01, 0.03].map((p) => ({ p, reachable: 0.0001 }));
  const { corrected, size } = correctDiscrete(tests, 0.05);
  expect(corrected.map((p) => p.toFixed(4))).toEqual(["0.0400", "0.0300", "0.0400"]);
  expect(size).toBe(3);
});

it("counts only those that could reach the corrected line", () => {
  // Three can reach 0.05, but only one 0.05 / 2: with two to pay for, one is left.
  const tests = [
    { p: 0.02, reachable: 0.02 },
    { p: 0.04, reachable: 0.04 },
    { p: 0.04, reachable: 0.04 },
  ];
  expect(correctDiscrete(tests, 0.05)).toEqual({ corrected: [0.02, 1, 1], size: 1 });
});

it("has nothing to say about nothing", () => {
  expect(correctDiscrete([], 0.05)).toEqual({ corrected: [], size: 0 });
});
