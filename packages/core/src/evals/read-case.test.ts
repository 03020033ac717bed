import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { passAtK, passHatK } from "./pass-at-k.ts";
import { familyOf, largestProvableFall, readCase, runsNeededFor } from "./read-case.ts";

describe("pass@k and pass^k", () => {
  // By hand: 5 runs, 3 passed. pass@2 = 1 - C(2,2)/C(5,2) = 1 - 1/10; pass^2 = C(3,2)/C(5,2) = 3/10.
  it.each([
    { runs: 5, passed: 3, k: 1, at: 0.6, hat: 0.6 },
    { runs: 5, passed: 3, k: 2, at: 0.9, hat: 0.3 },
    { runs: 5, passed: 3, k: 3, at: 1, hat: 0.1 },
    { runs: 5, passed: 3, k: 5, at: 1, hat: 0 },
    { runs: 5, passed: 5, k: 5, at: 1, hat: 1 },
    { runs: 5, passed: 0, k: 5, at: 0, hat: 0 },
    { runs: 1, passed: 1, k: 1, at: 1, hat: 1 },
  ])("$passed of $runs at k = $k", ({ runs, passed, k, at, hat }) => {
    expect(passAtK(runs, passed, k)).toBeCloseTo(at, 12);
    expect(passHatK(runs, passed, k)).toBeCloseTo(hat, 12);
  });

  it("refuses a k beyond the runs that were made", () => {
    expect(() => passAtK(3, 1, 4)).toThrow(RangeError);
  });

  it("equals the share over all subsets, counted one by one", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), fc.nat(), (results, pick) => {
        const k = 1 + (pick % results.length);
        let subsets = 0;
        let any = 0;
        let all = 0;
        for (let mask = 0; mask < 1 << results.length; mask++) {
          const chosen = results.filter((_, index) => mask & (1 << index));
          if (chosen.length !== k) continue;
          subsets++;
          if (chosen.some(Boolean)) any++;
          if (chosen.every(Boolean)) all++;
        }
        const passed = results.filter(Boolean).length;
        expect(passAtK(results.length, passed, k)).toBeCloseTo(any / subsets, 10);
        expect(passHatK(results.length, passed, k)).toBeCloseTo(all / subsets, 10);
      }),
    );
  });
});

describe("readCase", () => {
  it.each([
    { now: [5, 5], stored: undefined, kind: "steady" },
    { now: [4, 5], stored: undefined, kind: "flaky" },
    { now: [3, 5], stored: undefined, kind: "below_line" },
    { now: [0, 5], stored: undefined, kind: "broken" },
    { now: [0, 1], stored: undefined, kind: "failed" },
    { now: [1, 1], stored: undefined, kind: "steady" },
    { now: [0, 0], stored: [5, 5], kind: "not_run" },
    { now: [3, 5], stored: [5, 5], kind: "below_line" },
    { now: [1, 5], stored: [5, 5], kind: "worse" },
    { now: [0, 5], stored: [5, 5], kind: "broken" },
    { now: [15, 20], stored: [20, 20], kind: "worse" },
    { now: [16, 20], stored: [20, 20], kind: "flaky" },
    { now: [44, 50], stored: [50, 50], kind: "worse" },
    { now: [45, 50], stored: [50, 50], kind: "flaky" },
  ] as const)("$now against $stored is $kind", ({ now, stored, kind }) => {
    const reading = readCase(count(now), { passRate: 0.8, stored: stored === undefined ? undefined : count(stored) });
    expect(reading.kind).toBe(kind);
    expect(reading.fails).toBe(kind === "broken" || kind === "worse" || kind === "failed" || kind === "below_line");
  });

  it.each([
    // Of five runs four must pass. Whatever the lost ones had said: decided; otherwise open.
    { now: [4, 4], outages: 1, kind: "steady" },
    { now: [3, 4], outages: 1, kind: "not_judged" },
    { now: [2, 4], outages: 1, kind: "below_line" },
    { now: [0, 4], outages: 1, kind: "broken" },
    { now: [0, 1], outages: 4, kind: "not_judged" },
    { now: [3, 3], outages: 2, kind: "not_judged" },
    { now: [0, 0], outages: 5, kind: "not_judged" },
    { now: [0, 0], outages: 1, kind: "not_judged" },
  ] as const)("$now with $outages outages is $kind", ({ now, outages, kind }) => {
    expect(readCase(count(now), { passRate: 0.8, outages }).kind).toBe(kind);
  });

  it("goes by the runs there are when outages may be left out, and needs at least one", () => {
    const options = { passRate: 0.8, leaveOutagesOut: true };
    expect(readCase(count([3, 3]), { ...options, outages: 2 }).kind).toBe("steady");
    expect(readCase(count([3, 4]), { ...options, outages: 1 }).kind).toBe("below_line");
    expect(readCase(count([0, 0]), { ...options, outages: 5 }).kind).toBe("not_judged");
  });

  it("gives chance as an exact fraction: 0 of 5 against 5 of 5 is 2 tables of 252", () => {
    expect(
      readCase({ passed: 0, runs: 5 }, { passRate: 0.8, stored: { passed: 5, runs: 5 } }).comparison!.chance,
    ).toBeCloseTo(2 / 252, 10);
  });

  it("states its power: five runs against 5 of 5 prove a fall to 1 of 5 or fewer, and 3 of 5 would need 12 runs each", () => {
    // 1 of 5: 2 · 5/210 = 0.048. 2 of 5: 2 · 10/120 = 0.167.
    expect(largestProvableFall(5, { passed: 5, runs: 5 })).toBe(1);
    // 7 of 12 against 12 of 12: 2 · 792/42504 = 0.037; 7 of 11: 2 · 330/7315 = 0.090.
    expect(runsNeededFor({ passed: 3, runs: 5 }, { passed: 5, runs: 5 })).toBe(12);
  });

  it("says that two runs can prove nothing against two", () => {
    expect(largestProvableFall(2, { passed: 2, runs: 2 })).toBeUndefined();
  });

  it("never calls a case with a passing run better off when more runs fail", () => {
    const order = ["steady", "flaky", "below_line", "worse", "broken"];
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 1, max: 30 }), (runs, storedRuns) => {
        let worst = 0;
        for (let passed = runs; passed >= 0; passed--) {
          const rank = order.indexOf(
            readCase({ passed, runs }, { passRate: 0.8, stored: { passed: storedRuns, runs: storedRuns } }).kind,
          );
          expect(rank).toBeGreaterThanOrEqual(worst);
          worst = rank;
        }
      }),
    );
  });
});

function count([passed, runs]: readonly [number, number]) {
  return { passed, runs };
}

describe("many cases at once", () => {
  const report = (cases: number, runs: number, random: () => number) => {
    const draw = () => Array.from({ length: runs }).reduce<number>((sum) => sum + (random() < 0.9 ? 1 : 0), 0);
    const pairs = Array.from(
      { length: cases },
      () =>
        [
          { passed: draw(), runs },
          { passed: draw(), runs },
        ] as const,
    );
    const family = familyOf(pairs);
    return pairs.map(([now, stored], index) => readCase(now, { passRate: 0, stored, family: family[index] }));
  };

  it.each([
    { cases: 300, runs: 20 },
    { cases: 50, runs: 20 },
    { cases: 40, runs: 50 },
  ])("the same agent twice raises a false alarm in at most 5 % of reports: $cases cases, $runs runs", (size) => {
    const random = createRandom(42);
    const reports = 200;
    let alarms = 0;
    let uncorrected = 0;
    for (let index = 0; index < reports; index++) {
      const read = report(size.cases, size.runs, () => random.uint32() / 2 ** 32);
      if (read.some(({ comparison }) => comparison!.change !== "none")) alarms++;
      if (read.some(({ comparison }) => comparison!.chance <= 0.05)) uncorrected++;
    }
    // Three standard errors above 5 % of 200 are 9.6 %.
    expect(alarms / reports).toBeLessThan(0.096);
    expect(uncorrected / reports).toBeGreaterThan(0.2);
  });

  it("one case that broke is still found among many that did not change", () => {
    const steady = [
      { passed: 20, runs: 20 },
      { passed: 20, runs: 20 },
    ] as const;
    const fell = [
      { passed: 8, runs: 20 },
      { passed: 20, runs: 20 },
    ] as const;
    const family = familyOf([...Array.from({ length: 299 }, () => steady), fell]);
    // Cases that passed always on both sides cannot raise an alarm, so that they cost nothing.
    expect(family[299]!.size).toBe(1);
    expect(readCase(fell[0], { passRate: 0, stored: fell[1], family: family[299] }).kind).toBe("worse");
    expect(family[0]!.corrected).toBe(1);
  });

  it("leaves out what is not compared", () => {
    expect(
      familyOf([
        undefined,
        [
          { passed: 0, runs: 0 },
          { passed: 1, runs: 1 },
        ],
      ]),
    ).toEqual([undefined, undefined]);
  });
});
