import { describe, expect, it } from "vitest";
import { planScenarioRuns } from "./plan-scenario-runs.ts";

const scenarios = ["a", "b", "c", "d", "e", "f"].map((scenario) => ({ scenario, prompt: `Do ${scenario}.` }));
const plan = (options: { repeat?: number; seed?: number; withBase?: boolean } = {}) =>
  planScenarioRuns(scenarios, { repeat: 2, seed: 42, withBase: false, ...options });

describe("planScenarioRuns", () => {
  it("makes every scenario once before any a second time", () => {
    const runs = plan({ repeat: 3 });
    expect(runs.map(({ run }) => run)).toEqual([1, 2, 3].flatMap((run) => Array<number>(6).fill(run)));
    for (const round of [1, 2, 3]) {
      const made = runs.filter(({ run }) => run === round).map(({ scenario }) => scenario);
      expect(made.sort()).toEqual(["a", "b", "c", "d", "e", "f"]);
    }
  });

  it("leaves the order within a round to the seed", () => {
    const order = (seed: number) =>
      plan({ seed })
        .map(({ scenario }) => scenario)
        .join("");
    expect(order(1)).toBe(order(1));
    expect(new Set([1, 2, 3, 4, 5].map(order)).size).toBeGreaterThan(1);
    const [first, second] = [order(1).slice(0, 6), order(1).slice(6)];
    expect(first).not.toBe(second);
  });

  it("puts the sides of a pair next to one another and lets them take turns at going first", () => {
    const runs = plan({ withBase: true });
    expect(runs).toHaveLength(24);
    for (let index = 0; index < runs.length; index += 2) {
      const [first, second] = [runs[index]!, runs[index + 1]!];
      expect([second.scenario, second.run]).toEqual([first.scenario, first.run]);
      const turn = (index / 2) % 2 === 0;
      expect([first.side, second.side]).toEqual(turn ? ["baseline", "candidate"] : ["candidate", "baseline"]);
    }
  });
});
