import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bootstrapInterval, bootstrapIntervals } from "./bootstrap.ts";
import { mean } from "./mean.ts";
import { median } from "./median.ts";
import { quantile } from "./quantile.ts";
import { createRandom } from "./random.ts";

interface Case {
  readonly name: string;
  readonly baseline_values: readonly number[];
  readonly candidate_values: readonly number[];
  readonly statistic: string;
  readonly seed: number | string;
  readonly expected: { readonly ci95_low: number; readonly ci95_high: number };
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/shadow-diff/bootstrap.json", import.meta.url), "utf8"),
) as { readonly cases: readonly Case[] };

describe("paired bootstrap", () => {
  it.each(vectors.cases)("agrees with shadow-diff 3.2.5 on $name", (testCase) => {
    const interval = bootstrapInterval(
      {
        baseline: testCase.baseline_values,
        candidate: testCase.candidate_values,
        statistic: testCase.statistic.startsWith("mean") ? "mean" : "median",
      },
      { seed: BigInt(testCase.seed) },
    );
    expect(interval.low).toBeCloseTo(testCase.expected.ci95_low, 9);
    expect(interval.high).toBeCloseTo(testCase.expected.ci95_high, 9);
  });

  it.each(["median", "mean"] as const)("the %s of counted picks is that of the picked values", (statistic) => {
    const baseline = [3, 1, 4, 1, 5, 9, 2, 6];
    const candidate = [2, 7, 1, 8, 2, 8, 1, 8];
    const apply = statistic === "median" ? median : mean;
    const random = createRandom(11);
    const differences = Array.from({ length: 1000 }, () => {
      const drawn = baseline.map(() => random.below(baseline.length));
      return apply(drawn.map((index) => candidate[index]!)) - apply(drawn.map((index) => baseline[index]!));
    });
    const interval = bootstrapInterval({ baseline, candidate, statistic }, { seed: 11 });
    expect(interval.low).toBeCloseTo(quantile(differences, 0.025), 12);
    expect(interval.high).toBeCloseTo(quantile(differences, 0.975), 12);
  });

  it("series of different lengths in one call get the interval they get alone", () => {
    const short = { baseline: [1, 2, 3], candidate: [2, 2, 9], statistic: "median" } as const;
    const long = { baseline: [1, 2, 3, 4], candidate: [4, 3, 2, 8], statistic: "mean" } as const;
    expect(bootstrapIntervals([short, long, short], { seed: 1 })).toEqual(
      [short, long, short].map((series) => bootstrapInterval(series, { seed: 1 })),
    );
  });

  it("whole clusters are drawn: with one cluster nothing can vary", () => {
    const series = { baseline: [1, 2, 3, 4], candidate: [4, 3, 2, 8], statistic: "mean" } as const;
    expect(bootstrapInterval(series, { seed: 1, clusters: [0, 0, 0, 0] })).toEqual({ low: 1.75, high: 1.75 });
  });

  it("a cluster per pair is the plain bootstrap", () => {
    const series = { baseline: [1, 2, 3, 4], candidate: [4, 3, 2, 8], statistic: "median" } as const;
    expect(bootstrapInterval(series, { seed: 5, clusters: [0, 1, 2, 3] })).toEqual(
      bootstrapInterval(series, { seed: 5 }),
    );
  });
});
