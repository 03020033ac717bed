import { expect, it } from "vitest";
import { run } from "../../test/cohort.ts";
import { buildDesign } from "./design.ts";
import { createObserver } from "./observe.ts";
import { measurePairs } from "./pairs.ts";
import { rankRuns } from "./ranking.ts";

it("puts the scenario whose sides differ beyond its own noise first, and each run beside its nearest baseline run", () => {
  const observer = createObserver();
  const runs = [
    run("noisy", "baseline", ["get_a"]),
    run("noisy", "baseline", ["get_b"]),
    run("noisy", "candidate", ["get_a"]),
    run("noisy", "candidate", ["get_b"]),
    run("changed", "baseline", ["get_a"]),
    run("changed", "baseline", ["get_a"]),
    run("changed", "candidate", ["get_b"]),
    run("single", "baseline", ["get_a"]),
    run("single", "candidate", ["get_a"]),
  ].map((one) => observer.observe(one));
  const design = buildDesign(runs);
  const { scenarios, runs: ranked } = rankRuns(design, measurePairs(design, runs));
  // One of one tool replaced: path distance 1, of which a quarter counts; nothing has an effect.
  expect(scenarios.map(({ scenario, between, within, score }) => [scenario, between, within, score])).toEqual([
    ["changed", 0.25, 0, 0.25],
    ["single", 0, null, 0],
    ["noisy", 0.125, 0.25, -0.125],
  ]);
  expect(ranked[0]).toEqual({
    scenario: "changed",
    run: 6,
    distance: 0.25,
    baselineDistances: [0, 0],
    nearest: 4,
    nearestDistance: 0.25,
  });
  expect(ranked.find(({ run }) => run === 3)).toMatchObject({
    nearest: 1,
    nearestDistance: 0,
    baselineDistances: [0.25, 0.25],
  });
});
