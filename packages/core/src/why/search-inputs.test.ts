import { describe, expect, it } from "vitest";
import { type SimulatedAgent, simulateSearch } from "../../test/simulated-agent.ts";
import { planSearch, splitGroup } from "./plan-search.ts";

const four = ["prompt", "model", "tool", "temperature"];
const agent: SimulatedAgent = {
  inputs: four,
  isMoved: () => false,
  scenarios: 5,
  repeat: 6,
  aspects: ["tools", "effects"],
};
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

const namedIn = (found: ReturnType<typeof simulateSearch>) =>
  found.named.map(({ inputs }) => inputs.join("+")).join(" ");

describe("one of four changed inputs matters", () => {
  it.each(four)(
    "%s is named in at least 19 of 20 seeds, and never another",
    (cause) => {
      const found = SEEDS.map((seed) => simulateSearch({ ...agent, isMoved: (inputs) => inputs.has(cause) }, seed));
      const right = found.filter((one) => namedIn(one) === cause);
      expect(right.length).toBeGreaterThanOrEqual(19);
      for (const { named } of right) expect(named).toEqual([expect.objectContaining({ kind: "alone" })]);
      // That nothing is left of the change is a test at 5 % of its own.
      expect(right.filter(({ named }) => named[0]!.restores).length).toBeGreaterThanOrEqual(15);
      // What was printed beforehand holds: five scenarios, six repeats, at most as many configurations as planned.
      for (const { runsMade } of found) expect(runsMade).toBeLessThanOrEqual(planSearch(4).most * 30);
    },
    120_000,
  );
});

describe("nothing matters", () => {
  it("nothing is named in at least 19 of 20 seeds, whichever inputs changed", () => {
    const found = SEEDS.map((seed) => simulateSearch(agent, seed));
    expect(found.filter(({ named }) => named.length === 0).length).toBeGreaterThanOrEqual(19);
    // Two configurations are all that it costs when nothing is seen to change.
    const quiet = found.filter(({ outcome }) => outcome === "unchanged" || outcome === "not_enough_runs");
    for (const { runsMade } of quiet) expect(runsMade).toBe(60);
  }, 120_000);

  it("of many inputs without an effect none is named beside the one that has it", () => {
    const inputs = Array.from({ length: 9 }, (_, index) => `part-${index}`);
    const named = SEEDS.map((seed) =>
      namedIn(simulateSearch({ ...agent, inputs, isMoved: (candidates) => candidates.has("part-6") }, seed)),
    );
    expect(named.filter((one) => one === "part-6").length).toBeGreaterThanOrEqual(19);
  }, 120_000);
});

describe("inputs that act together", () => {
  it("both are named when either one undone restores the behaviour", () => {
    const isMoved = (inputs: ReadonlySet<string>) => inputs.has("prompt") && inputs.has("tool");
    const found = simulateSearch({ ...agent, isMoved }, 3);
    expect(found.named).toEqual([
      expect.objectContaining({ kind: "alone", inputs: ["prompt"], restores: true }),
      expect.objectContaining({ kind: "alone", inputs: ["tool"], restores: true }),
    ]);
  });

  it("neither is named alone when each suffices: only exchanging both moves anything", () => {
    const isMoved = (inputs: ReadonlySet<string>) => inputs.has("prompt") || inputs.has("tool");
    const found = simulateSearch({ ...agent, isMoved }, 3);
    expect(found.named).toEqual([expect.objectContaining({ kind: "together", inputs: four })]);
  });
});

describe("what cannot be answered", () => {
  it("a change that is in no input", () => {
    const always = { ...agent, inputs: [] };
    const found = simulateSearch({ ...always, isMoved: () => false }, 1);
    expect(found.outcome).not.toBe("named");
    // The program itself changed: the candidate acts otherwise whatever it is given.
    const runs = { count: 0 };
    const changed = simulateSearch({ ...agent, isMoved: () => runs.count++ > 0 }, 2);
    expect(changed.whole.verdict).toBe("changed");
    expect([changed.outcome, changed.named]).toEqual(["not_in_inputs", []]);
  });

  it("an input that was not exchanged is left out, and its configuration counts for nothing", () => {
    const isMoved = (inputs: ReadonlySet<string>) => inputs.has("model");
    const found = simulateSearch({ ...agent, isMoved, missing: ["tool"] }, 1);
    expect(found.notExchanged).toEqual([{ input: "tool", why: "not_found" }]);
    expect(found.configurations[2]).toMatchObject({ reverted: four, status: "not_exchanged" });
    expect(found.configurations[2]).not.toHaveProperty("p");
    expect(namedIn(found)).toBe("model");
    const lost = simulateSearch({ ...agent, isMoved, missing: ["model"] }, 1);
    expect([lost.outcome, lost.named]).toEqual(["not_found", []]);
  });

  it("no more runs than allowed, and what was not run is said", () => {
    const isMoved = (inputs: ReadonlySet<string>) => inputs.has("model");
    const found = simulateSearch({ ...agent, isMoved, maxRuns: 100 }, 1);
    expect(found.runsMade).toBe(90);
    expect(found.configurations.filter(({ status }) => status === "budget")).toHaveLength(4);
    expect(found.named).toEqual([expect.objectContaining({ kind: "together", inputs: four })]);
  });

  it("too few runs to tell anything", () => {
    const isMoved = (inputs: ReadonlySet<string>) => inputs.has("model");
    const found = simulateSearch({ ...agent, isMoved, scenarios: 2, repeat: 1 }, 1);
    expect([found.outcome, found.named]).toEqual(["not_enough_runs", []]);
  });
});

describe("what it may cost", () => {
  it.each([
    // Base and candidate alone.
    [0, { least: 2, usual: 2, most: 2 }],
    // The one input exchanged.
    [1, { least: 2, usual: 3, most: 3 }],
    // All, each alone.
    [2, { least: 2, usual: 5, most: 5 }],
    // All, four alone, those that were named together.
    [4, { least: 2, usual: 7, most: 8 }],
    // All, two halves (4 and 4), four alone; at most both halves' members.
    [8, { least: 2, usual: 9, most: 14 }],
  ])("%i inputs", (inputs, cost) => {
    expect(planSearch(inputs)).toEqual(cost);
  });

  it("groups of up to four are tried one by one, larger ones by halves", () => {
    expect(splitGroup(["a"])).toEqual([]);
    expect(splitGroup(["a", "b", "c"])).toEqual([["a"], ["b"], ["c"]]);
    expect(splitGroup(["a", "b", "c", "d", "e"])).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
    ]);
  });
});
