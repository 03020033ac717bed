import { describe, expect, it } from "vitest";
import { cholesky, covariance, inverseQuadraticForm } from "../../stats/matrix.ts";
import { fQuantileUpper, noncentralFSurvival } from "../../stats/noncentral-f.ts";
import { fSurvival } from "../../stats/special-functions.ts";
import type { JsonObject } from "../../trace/json.ts";
import { readExchange } from "../../trace/read-exchange.ts";
import { hotelling } from "./hotelling.ts";
import { numericDensity } from "./numeric-density.ts";
import { responseVector } from "./response-vector.ts";

describe("matrices", () => {
  it("covariance of three points by hand", () => {
    // x: 1 2 3 (variance 1), y: 2 4 9 (mean 5, variance (9 + 1 + 16) / 2 = 13), xy: ((-1)(-3) + 0 + (1)(4)) / 2 = 3.5
    expect(
      covariance([
        [1, 2],
        [2, 4],
        [3, 9],
      ]),
    ).toEqual([
      [1, 3.5],
      [3.5, 13],
    ]);
  });

  it("inverse quadratic form, also where the matrix is singular", () => {
    expect(
      inverseQuadraticForm(
        [
          [4, 0],
          [0, 9],
        ],
        [2, 3],
      ),
    ).toBeCloseTo(2, 12);
    // [[1,1],[1,1]] has the pseudo-inverse [[1/4,1/4],[1/4,1/4]].
    expect(
      cholesky([
        [1, 1],
        [1, 1],
      ]),
    ).toBeUndefined();
    expect(
      inverseQuadraticForm(
        [
          [1, 1],
          [1, 1],
        ],
        [1, 1],
      ),
    ).toBeCloseTo(1, 12);
    expect(
      inverseQuadraticForm(
        [
          [1, 1],
          [1, 1],
        ],
        [1, -1],
      ),
    ).toBeCloseTo(0, 12);
  });
});

describe("noncentral F", () => {
  it("without an effect it is the ordinary F, and quantile and tail agree", () => {
    expect(noncentralFSurvival(2.5, 3, 20, 0)).toBeCloseTo(fSurvival(2.5, 3, 20), 12);
    expect(fSurvival(fQuantileUpper(0.05, 3, 20), 3, 20)).toBeCloseTo(0.05, 10);
  });

  it("grows with the effect and reaches 1 without losing its way for large ones", () => {
    const tails = [0, 1, 5, 20, 100, 5000].map((lambda) => noncentralFSurvival(3, 4, 30, lambda));
    expect(tails).toEqual([...tails].sort((left, right) => left - right));
    expect(tails.at(-1)).toBeCloseTo(1, 9);
  });
});

describe("hotelling", () => {
  it("two constant groups at different places are told apart by relabelling, not overlooked", () => {
    const at = (value: number) => Array.from({ length: 6 }, () => [value, 1]);
    // 12 choose 6 is 924; the observed split and its mirror image are the two cleanest.
    expect(hotelling(at(0), at(1))).toMatchObject({ t2: null, pValue: 2 / 924, decision: "reject" });
    expect(hotelling(at(0), at(0))).toMatchObject({ t2: 0, decision: "underpowered" });
  });

  it("drawn relabellings are seeded: the same seed, the same p", () => {
    const rows = (shift: number) =>
      Array.from({ length: 12 }, (_, index) => [Math.sin(index) + shift, Math.cos(3 * index)]);
    const draw = (seed: number) => hotelling(rows(0), rows(2), { permutations: 500, seed }).pValue;
    expect(draw(1)).toBe(draw(1));
    expect(draw(1)).toBeLessThan(0.05);
    expect(hotelling(rows(0), rows(0.01), { permutations: 200 }).pValue).toBeGreaterThan(0.2);
  });
});

it("every number of a response vector lies in [0, 1], whatever the response", () => {
  const responses: JsonObject[] = [
    {},
    { content: null },
    { usage: { output_tokens: -5 }, latency_ms: 1e12 },
    { content: "1 2 error", stop_reason: 7 },
  ];
  for (const response of responses) {
    for (const value of responseVector(readExchange({}, response))) expect(value >= 0 && value <= 1).toBe(true);
  }
});

it.each([
  ["", 0],
  ["1 2 three", 2 / 3],
  ["$5.00 (10%) 1,000", 2 / 3],
  ["nan inf 0x10", 2 / 3],
  ["... --", 0],
])("numeric density of %j", (text, expected) => expect(numericDensity(text)).toBeCloseTo(expected, 12));
