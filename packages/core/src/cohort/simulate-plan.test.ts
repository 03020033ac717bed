import { describe, expect, it } from "vitest";
import { cohort, noisyRun, run } from "../../test/cohort.ts";
import { createRandom } from "../stats/random.ts";
import { planCohort } from "./plan-cohort.ts";
import { plantedChanges } from "./plant.ts";
import { createSequentialCohort } from "./sequential-cohort.ts";
import { simulatePlan } from "./simulate-plan.ts";

const change = (name: string) => plantedChanges.filter((entry) => entry.name === name);
const recorded = () => {
  const random = createRandom(6);
  return cohort(12, 2, (scenario) => noisyRun(scenario, "baseline", random));
};

describe("simulatePlan", () => {
  it("finds a new tool in every run of 24, and hardly one in none", () => {
    const plan = simulatePlan(recorded(), { rounds: 20, shares: [0, 1], changes: change("new_tool"), sizes: [1] })!;
    const [never, always] = plan.changes[0]!.byShare;
    expect(plan).toMatchObject({ scenarios: 12, runsPerSide: 24, withoutRepeats: 0 });
    expect(always!.found).toBe(1);
    expect(never!.found).toBeLessThan(0.3);
    expect(plan.changes[0]!.bySize[0]!.runsPerSide).toBe(24);
  });

  it("marks sizes beyond the recording as extrapolated", () => {
    const plan = simulatePlan(recorded(), { rounds: 10, shares: [1], changes: change("new_tool"), sizes: [0.5, 2] })!;
    expect(plan.changes[0]!.bySize.map(({ scenarios, extrapolated }) => [scenarios, extrapolated])).toEqual([
      [6, false],
      [24, true],
    ]);
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
