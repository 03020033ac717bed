import { describe, expect, it } from "vitest";
import { clopperPearson } from "../../stats/clopper-pearson.ts";
import { createRandom, type Random } from "../../stats/random.ts";
import { hotelling } from "../statistical/hotelling.ts";
import { countWays, placementOf, relabelPoints } from "./relabel-points.ts";
import { type SeriesAnswers, type SeriesRun, testSeries } from "./test-series.ts";

const NUMBERS = ["size", "errors", "time"];
const DRAWS = 199;

/** A run of an agent with habits: noisy numbers, four paths, three tools, responses that resemble each other within a run. */
function runOf(random: Random, moved = 0): SeriesRun {
  const normal = () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random.unit()));
    return radius * Math.cos(2 * Math.PI * random.unit());
  };
  const mood = normal();
  return {
    path: ["p", "q", "r", "s"][Math.floor(4 * random.unit() ** 2)]!,
    tools: new Set(["look", "book", "pay"].filter(() => random.unit() < 0.7)),
    numbers: { size: normal() + moved, errors: random.unit() < 0.2 ? 1 : 0, time: Math.exp(normal()) },
    responses: [0, 1, 2].map(() => Array.from({ length: 12 }, () => 0.5 + 0.1 * (mood + normal() + moved))),
  };
}

function alarms(
  seed: number,
  series: number,
  sizes: readonly number[],
  movedLast = 0,
): { any: number; responses: number } {
  const random = createRandom(seed);
  let [any, responses] = [0, 0];
  for (let index = 0; index < series; index++) {
    const points = sizes.map((size, at) =>
      Array.from({ length: size }, () => runOf(random, at === sizes.length - 1 ? movedLast : 0)),
    );
    const answers = testSeries(points, { numbers: NUMBERS, seed: index, draws: DRAWS });
    if (states(answers).includes("drift")) any++;
    if (answers.responses.state === "drift") responses++;
  }
  return { any, responses };
}

function states({ paths, tools, numbers, responses }: SeriesAnswers): string[] {
  return [paths, tools, responses, ...Object.values(numbers)].map(({ state }) => state);
}

describe("calibration", () => {
  // Over all questions at once the rate must be compatible with 0.05: 0.05 lies in the exact 99.9 % interval of the count,
  // and it is not so small that the test is asleep.
  it.each([
    [[15, 15], 1],
    [[6, 6, 6, 6], 2],
    [[3, 8, 5], 3],
  ] as const)("series without drift of %j runs alarm in 5 of 100", (sizes, seed) => {
    const series = 160;
    const { any } = alarms(seed, series, sizes);
    expect(any).toBeGreaterThan(0);
    expect(clopperPearson(any, series, 0.999).low).toBeLessThanOrEqual(0.05);
  });

  it("a planted shift of one standard deviation and a half is found in most series", () => {
    const { any, responses } = alarms(4, 40, [10, 10, 10], 1.5);
    expect(any).toBeGreaterThan(20);
    expect(responses).toBeGreaterThan(8);
  });
});

describe("Hotelling's T² by relabelling", () => {
  const cloud = (random: Random, rows: number, moved: number) =>
    Array.from({ length: rows }, () =>
      Array.from({ length: 12 }, () => random.unit() + random.unit() + random.unit() + moved),
    );

  it("rejects 5 of 100 clouds that did not move at 15 + 15, where the F distribution rejects none", () => {
    const random = createRandom(5);
    const series = 200;
    let [byLabels, byF] = [0, 0];
    for (let index = 0; index < series; index++) {
      const [one, other] = [cloud(random, 15, 0), cloud(random, 15, 0)];
      if (hotelling(one, other, { permutations: DRAWS, seed: index }).decision === "reject") byLabels++;
      if (hotelling(one, other).decision === "reject") byF++;
    }
    const { low, high } = clopperPearson(byLabels, series, 0.999);
    expect(low <= 0.05 && high >= 0.05).toBe(true);
    expect(byF).toBeLessThan(byLabels);
  });

  it("an exact p decides however few rows there are", () => {
    // 4 + 4 rows in 12 dimensions: no F distribution. The observed split and its mirror image of 70 separate them best.
    const random = createRandom(6);
    const found = hotelling(cloud(random, 4, 0), cloud(random, 4, 30), { permutations: -1 });
    expect(found).toMatchObject({ fStat: null, pValue: 2 / 70, decision: "reject" });
    expect(hotelling(cloud(random, 4, 0), cloud(random, 4, 30))).toMatchObject({ pValue: 1, decision: "underpowered" });
  });
});

describe("placing the runs otherwise", () => {
  it.each([
    // 6! / (2! 2! 2!)
    { sizes: [2, 2, 2], scenarios: [], ways: 90 },
    // Each of three scenarios has its three runs at three points: 3! each.
    { sizes: [3, 3, 3], scenarios: ["a", "b", "c", "a", "b", "c", "a", "b", "c"], ways: 216 },
    { sizes: [1, 1], scenarios: ["a", "b"], ways: 1 },
  ])("$sizes within $scenarios: $ways ways, each once, the observed one first", ({ sizes, scenarios, ways }) => {
    const placement = placementOf(sizes, scenarios);
    expect(countWays(placement)).toBe(ways);
    const seen: string[] = [];
    relabelPoints(placement, 10, 1).forEach((labels) => {
      seen.push(labels.join(""));
    });
    expect(seen[0]).toBe(placement.labels.join(""));
    expect([seen.length, new Set(seen).size]).toEqual([ways, ways]);
  });

  it("drawn ways keep the points of each scenario", () => {
    const scenarios = Array.from({ length: 30 }, (_, run) => `s${run % 3}`);
    const placement = placementOf([10, 10, 10], scenarios);
    const pointsOf = (labels: Uint16Array, scenario: string) =>
      [...labels]
        .filter((_, run) => scenarios[run] === scenario)
        .sort()
        .join("");
    relabelPoints(placement, 20, 1).forEach((labels) => {
      for (const scenario of ["s0", "s1", "s2"])
        expect(pointsOf(labels, scenario)).toBe(pointsOf(placement.labels, scenario));
    });
  });
});

it("tasks that differ from each other hide no shift that each of them shows", () => {
  // Task i takes 100 i tokens and ten more from the third point on; between tasks that drowns, within them it is plain.
  const tasks = [1, 2, 3, 4, 5, 6];
  const point = (more: number) =>
    tasks.map(
      (task): SeriesRun => ({
        path: "p",
        tools: new Set(),
        numbers: { size: 100 * task + more },
        responses: [],
        scenario: `task ${task}`,
      }),
    );
  const series = [point(0), point(1), point(10), point(11)];
  expect(testSeries(series, { numbers: ["size"] }).numbers["size"]).toMatchObject({ state: "drift", point: 2 });
  const unnamed = series.map((runs) => runs.map(({ scenario: _, ...run }) => run));
  expect(testSeries(unnamed, { numbers: ["size"] }).numbers["size"]!.state).toBe("steady");
});
