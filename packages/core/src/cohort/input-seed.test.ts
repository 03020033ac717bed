import { describe, expect, it } from "vitest";
import { noisyRun, run } from "../../test/cohort.ts";
import { createRandom } from "../stats/random.ts";
import { shuffled } from "../stats/shuffled.ts";
import { compareCohorts, createCohort } from "./compare-cohorts.ts";
import type { CohortRun } from "./run.ts";

/** Twenty pairs: a million labellings, so that a sample is drawn. */
function pairs(seed: number): CohortRun[] {
  const random = createRandom(seed);
  return Array.from({ length: 20 }, (_, task) => `task ${task}`).flatMap((scenario) => [
    noisyRun(scenario, "baseline", random),
    noisyRun(scenario, "candidate", random),
  ]);
}

const seedOf = (runs: readonly CohortRun[]) => compareCohorts(runs).relabellings.seed;

describe("the seed of the relabelling", () => {
  it("is made of the runs: other runs draw another sample, the same runs the same one", () => {
    const seeds = [1, 2, 3, 4, 5].map((seed) => seedOf(pairs(seed)));
    expect(new Set(seeds).size).toBe(5);
    expect(seedOf(pairs(1))).toBe(seeds[0]);
    for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32).toBe(true);
  });

  it("does not know the order in which scenarios and sides were read, and neither does the answer", () => {
    const runs = pairs(7);
    const given = compareCohorts(runs);
    const sides = [...runs].sort((one, other) => (one.side < other.side ? 1 : -1));
    expect(compareCohorts(sides).relabellings).toEqual(given.relabellings);
    const scenarios = shuffled(
      Array.from({ length: 20 }, (_, index) => index),
      createRandom(3),
    );
    const mixed = scenarios.flatMap((index) => runs.slice(2 * index, 2 * index + 2));
    const { p, verdict, relabellings } = compareCohorts(mixed);
    expect({ p, verdict, relabellings }).toEqual({
      p: given.p,
      verdict: given.verdict,
      relabellings: given.relabellings,
    });
  });

  it("does not know where the files lie", () => {
    const runs = pairs(7);
    const moved = runs.map((one, index) => ({ ...one, origin: { path: `elsewhere/${index}.json`, key: `${index}` } }));
    expect(seedOf(moved)).toBe(seedOf(runs));
  });

  it.each([
    ["one more call", (one: CohortRun) => ({ ...one, calls: [...one.calls, { name: "refund", args: {} }] })],
    ["another word", (one: CohortRun) => ({ ...one, texts: ["something else"] })],
    ["the calls in another order", (one: CohortRun) => ({ ...one, calls: [...one.calls].reverse() })],
    ["the other side", (one: CohortRun) => ({ ...one, side: "candidate" as const })],
    ["no answer", (one: CohortRun) => ({ ...one, ended: "error" as const })],
  ])("tells runs apart by %s", (_, change) => {
    const first = run("task 0", "baseline", ["get_order", "confirm"]);
    expect(seedOf([change(first), ...pairs(7)])).not.toBe(seedOf([first, ...pairs(7)]));
  });

  it("gives way to the one that was asked for", () => {
    const cohort = createCohort();
    for (const one of pairs(7)) cohort.add(one);
    expect(cohort.compare({ seed: 5 }).relabellings).toMatchObject({ seed: 5, exact: false });
    expect(cohort.compare({ seed: 5 }).p).toBe(compareCohorts(pairs(7), { seed: 5 }).p);
  });
});
