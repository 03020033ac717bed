import { describe, expect, it } from "vitest";
import { cohort, noisyRun, run } from "../../test/cohort.ts";
import { createRandom } from "../stats/random.ts";
import { planCohort } from "./plan-cohort.ts";
import { plantedChanges } from "./plant.ts";
import type { CohortRun } from "./run.ts";
import { createSequentialCohort } from "./sequential-cohort.ts";
import { simulatePlan } from "./simulate-plan.ts";

const change = (name: string) => plantedChanges.filter((entry) => entry.name === name);
const recorded = () => {
  const random = createRandom(6);
  return cohort(12, 2, (scenario) => noisyRun(scenario, "baseline", random));
};

describe("simulatePlan", () => {
  it("finds a new tool in every run of 24, and hardly one in none", () => {
    const plan = simulatePlan(recorded(), {
      rounds: 20,
      shares: [0, 1],
      changes: change("new_tool"),
      ways: ["two_runs"],
    })!;
    const [never, always] = plan.changes[0]!.byShare;
    expect(plan).toMatchObject({ scenarios: 12, runsPerSide: 24, withoutRepeats: 0 });
    expect(always!.found).toBe(1);
    expect(never!.found).toBeLessThan(0.3);
    expect(plan.changes[0]!.byWay[0]!.runsPerSide).toBe(24);
  });

  it("marks what is drawn from more scenarios or runs than were recorded", () => {
    const points = (runs: readonly CohortRun[]) =>
      simulatePlan(runs, { rounds: 10, shares: [1], changes: change("new_tool") })!.changes[0]!.byWay.map(
        ({ way, scenarios, runsPerSide, extrapolated }) => [way, scenarios, runsPerSide, extrapolated],
      );
    expect(points(recorded())).toEqual([
      ["one_run", 12, 12, false],
      ["two_runs", 12, 24, false],
      ["twice_the_scenarios", 24, 24, true],
    ]);
    const pairs = cohort(12, 1, (scenario) => noisyRun(scenario, "baseline", createRandom(2)));
    expect(points(pairs)[1]).toEqual(["two_runs", 12, 24, true]);
  });

  it("a change that differs from scenario to scenario is what two runs of each find, and more scenarios do not", () => {
    const random = createRandom(3);
    const steady = cohort(10, 2, (scenario) =>
      run(
        scenario,
        "baseline",
        ["get_user", "get_order", "confirm", "refund"].filter(() => random.below(8) > 0),
      ),
    );
    const options = { rounds: 20, shares: [1], changes: change("own_way"), seed: 5 };
    const everywhere = simulatePlan(steady, { ...options, shares: [1] })!.changes[0]!;
    const found = Object.fromEntries(everywhere.byWay.map(({ way, found }) => [way, found]));
    expect(found["two_runs"]).toBeGreaterThan(found["twice_the_scenarios"]! + 0.2);
    expect(everywhere.byShare[0]!.found).toBeGreaterThan(0.5);
  });

  it("settles a share as soon as it is as well known as all rounds could tell one half", () => {
    const plan = simulatePlan(recorded(), { rounds: 40, shares: [1], changes: change("new_tool"), ways: [] })!;
    const [always] = plan.changes[0]!.byShare;
    expect(always!.found).toBe(1);
    // The fewest: what was found in all of them is by then known to within 12 points.
    expect(always!.rounds).toBe(12);
    // 1.96 standard errors of a share of one half.
    expect(plan.error).toBeCloseTo(1.96 * Math.sqrt(0.25 / 40), 4);
  });

  it("has nothing to say without repeats", () => {
    expect(simulatePlan([run("a", "baseline", []), run("b", "baseline", [])])).toBeUndefined();
    expect(planCohort([run("a", "baseline", []), run("b", "baseline", [])])).toMatchObject({
      runs: 2,
      scenarios: 2,
      simulation: null,
      sizes: [],
    });
  });
});

describe("planted changes", () => {
  const context = { random: createRandom(1), commonestTool: "get_a" };
  const before = run("s", "candidate", ["get_a", "refund"], {
    texts: ["one two"],
    calls: [
      { name: "get_a", args: { id: "x" } },
      { name: "refund", args: { n: 3 } },
    ],
  });

  it.each([
    ["new_tool", 3],
    ["dropped_call", 1],
    ["missing_effect", 1],
    ["other_value", 2],
    ["new_key", 2],
    ["swapped", 2],
    ["retry", 4],
    ["longer_text", 2],
    // The last bits of FNV-1a's offset and of "s" are both 1: an even number, so a call is left out.
    ["own_way", 1],
  ])("%s leaves %i calls and another run", (name, calls) => {
    const after = change(name)[0]!.plant(before, context)!;
    expect(after.calls).toHaveLength(calls);
    expect(after).not.toEqual(before);
  });

  it("cannot be planted where there is nothing to change", () => {
    const empty = run("s", "candidate", [], { texts: [] });
    for (const entry of plantedChanges) {
      if (entry.name !== "new_tool") expect(entry.plant(empty, context)).toBeUndefined();
    }
  });
});

describe("runs that arrive one by one", () => {
  it("are paired in order of arrival within their scenario, whichever side comes first", () => {
    const arriving = createSequentialCohort(0.05);
    expect(arriving.add(run("a", "candidate", ["f"]))).toBe(false);
    expect(arriving.add(run("b", "baseline", ["f"]))).toBe(false);
    expect(arriving.add(run("a", "baseline", ["f"]))).toBe(true);
    expect(arriving.add(run("c", "baseline", ["f"], { turns: 0 }))).toBe(false);
    expect(arriving.state()).toMatchObject({
      pairs: 1,
      waiting: { baseline: 2, candidate: 0 },
      withoutResponse: 1,
      verdict: "not_enough_evidence",
    });
  });

  it("stop with `changed` when every pair differs in the same way", () => {
    const arriving = createSequentialCohort(0.05);
    for (let index = 0; index < 30; index++) {
      arriving.add(run(`${index}`, "baseline", ["get_a"]));
      arriving.add(run(`${index}`, "candidate", ["get_a", "get_b"]));
    }
    expect(arriving.state().verdict).toBe("changed");
    expect(arriving.state().wealth).toBeGreaterThanOrEqual(20);
  });
});
