import { describe, expect, it } from "vitest";
import { run } from "../../test/cohort.ts";
import { featureName, runFeatures } from "./features.ts";
import type { CohortRun } from "./run.ts";

const named = (given: CohortRun, group: "steps" | "rhythm") =>
  Object.fromEntries([...runFeatures(given)[group]].map(([identity, value]) => [featureName(group, identity), value]));

describe("rhythm", () => {
  it("counts responses with text, without, and calls per response", () => {
    // 5 responses, 2 of them with text, 3 calls.
    expect(named(run("s", "baseline", ["a", "b", "c"], { turns: 5, texts: ["hello", "done"] }), "rhythm")).toEqual({
      textTurns: Math.log2(3),
      silentTurns: Math.log2(4),
      callsPerTurn: Math.log2(1 + 3 / 5),
    });
  });

  it.each([
    { name: "all calls, then all texts", tools: ["a", "b", "c"], textsAfter: [3, 3], calls: 3, texts: 2 },
    { name: "a text between calls", tools: ["a", "b", "c"], textsAfter: [0, 1], calls: 2, texts: 1 },
    { name: "no calls", tools: [], textsAfter: [0, 0], calls: 0, texts: 2 },
  ])("knows the longest series where texts have places: $name", ({ tools, textsAfter, calls, texts }) => {
    expect(named(run("s", "baseline", tools, { texts: ["x", "y"], textsAfter }), "rhythm")).toMatchObject({
      callsInARow: Math.log2(1 + calls),
      textsInARow: Math.log2(1 + texts),
    });
  });
});

describe("steps", () => {
  it("counts what directly follows what; texts, start and end are steps", () => {
    const given = run("s", "baseline", ["find", "find", "refund"], { texts: ["hello", "done"], textsAfter: [0, 3] });
    expect(named(given, "steps")).toEqual({
      "": 1,
      "(start)>(text)": 1,
      "(text)>find": 1,
      "find>find": 1,
      "find>refund": 1,
      "refund>(text)": 1,
      "(text)>(end)": 1,
    });
  });

  it("keeps a tool called text apart from a text", () => {
    const given = run("s", "baseline", ["text", "(text)"], { texts: ["hello"], textsAfter: [2] });
    expect(runFeatures(given).steps.size).toBe(5);
  });

  it.each([
    { name: "no places", more: { texts: ["hello"] } },
    { name: "places for other texts", more: { texts: ["hello"], textsAfter: [0, 1] } },
  ])("says nothing where it does not know: $name", ({ more }) => {
    expect(named(run("s", "baseline", ["a"], more), "steps")).toEqual({});
  });
});
