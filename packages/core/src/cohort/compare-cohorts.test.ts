import { describe, expect, it } from "vitest";
import { cohort, noisyRun, run } from "../../test/cohort.ts";
import { createRandom } from "../stats/random.ts";
import { compareCohorts } from "./compare-cohorts.ts";
import { gateCohort } from "./gate-cohort.ts";
import type { CohortRun } from "./run.ts";

const withConfirm = ["get_order", "confirm", "refund"];
const withoutConfirm = ["get_order", "refund"];

describe("a change", () => {
  const result = compareCohorts(
    cohort(8, 1, (scenario, side) => run(scenario, side, side === "baseline" ? withConfirm : withoutConfirm)),
  );

  it("is found from eight pairs that all point the same way: 2 of 256 labellings", () => {
    expect(result).toMatchObject({ verdict: "changed", relabellings: { count: 256, exact: true }, p: 2 / 256 });
  });

  it("is named: the tool, with both sides' means", () => {
    const tools = result.aspects.find(({ aspect }) => aspect === "tools")!;
    expect(tools.changed).toBe(true);
    expect(tools.items[0]).toMatchObject({ measure: "called", tool: "confirm", baselineMean: 1, candidateMean: 0 });
    expect(tools.items[0]!.z).toBeCloseTo(-Math.sqrt(8), 9);
  });

  it("trips the gate with the aspects that changed", () => {
    const gate = gateCohort(result);
    expect(gate.tripped).toBe(true);
    expect(gate.reasons[0]).toEqual({ code: "cohort.changed", subject: "tools" });
  });

  it("leaves aspects that nothing touched unnamed", () => {
    expect(result.aspects.find(({ aspect }) => aspect === "outcome")).toMatchObject({ changed: false, items: [] });
  });
});

describe("evidence that is missing", () => {
  it("no scenario in common: nothing is compared, everything is listed", () => {
    const result = compareCohorts([run("a", "baseline", withConfirm), run("b", "candidate", withConfirm)]);
    expect(result).toMatchObject({
      verdict: "not_enough_evidence",
      reasons: [{ code: "no_common_scenario" }],
      p: 1,
      intervals: null,
      needed: null,
      cohort: { scenarios: 0, runsBaseline: 0, runsCandidate: 0, repeats: { min: 0, median: 0, max: 0 } },
    });
    expect(result.cohort.leftOut).toHaveLength(2);
  });

  it("no runs at all", () => {
    expect(compareCohorts([]).verdict).toBe("not_enough_evidence");
  });

  it("runs without responses are left out and counted per side", () => {
    const silent = (side: "baseline" | "candidate") => run("a", side, [], { turns: 0, texts: [] });
    const result = compareCohorts([
      ...cohort(6, 1, (s, side) => run(s, side, withConfirm)),
      silent("baseline"),
      silent("candidate"),
    ]);
    expect(result.cohort).toMatchObject({ scenarios: 6, runsBaseline: 6, runsCandidate: 6 });
    expect(result.cohort.leftOut.map(({ side, reason, runs }) => [side, reason, runs])).toEqual([
      ["baseline", "no_response", 1],
      ["candidate", "no_response", 1],
    ]);
  });

  it("one scenario can show a change, never its absence", () => {
    const same = compareCohorts(cohort(1, 6, (s, side) => run(s, side, withConfirm)));
    expect(same).toMatchObject({ verdict: "not_enough_evidence", intervals: null });
    expect(same.reasons.map(({ code }) => code)).toContain("single_scenario");
    const changed = compareCohorts(
      cohort(1, 6, (s, side) => run(s, side, side === "baseline" ? withConfirm : withoutConfirm)),
    );
    expect(changed.verdict).toBe("changed");
  });

  it.each([
    [13, "not_enough_evidence"],
    [14, "unchanged"],
  ])("%i identical pairs are %s", (pairs, verdict) => {
    const result = compareCohorts(cohort(pairs, 1, (s, side) => run(s, side, withConfirm)));
    expect(result).toMatchObject({ verdict, p: 1, cohort: { identical: true }, scope: "on_average" });
    if (verdict === "not_enough_evidence") expect(result.needed).toEqual({ runsPerSide: 14, because: "has:confirm" });
  });

  it("runs without calls and texts vary in nothing and break nothing", () => {
    const result = compareCohorts(cohort(20, 1, (s, side) => run(s, side, [], { turns: 1, texts: [] })));
    expect(result).toMatchObject({ verdict: "unchanged", p: 1 });
  });

  it("trips the gate only when `unchanged` is required", () => {
    const result = compareCohorts(cohort(3, 1, (s, side) => run(s, side, withConfirm)));
    expect(gateCohort(result).tripped).toBe(false);
    expect(gateCohort(result, "unchanged")).toMatchObject({
      tripped: true,
      reasons: [{ code: "cohort.not_enough_evidence" }, {}],
    });
  });
});

describe("input that may mislead", () => {
  const at = (startedAt: string): Partial<CohortRun> => ({
    origin: { format: "agentlog", startedAt, endedAt: startedAt },
  });

  it("time ranges that do not overlap are reported, overlapping ones are not", () => {
    const ranges = (candidateDay: string) =>
      compareCohorts(
        cohort(6, 1, (s, side) =>
          run(s, side, withConfirm, at(side === "baseline" ? "2026-01-02T00:00:00Z" : candidateDay)),
        ),
      ).cohort.times?.overlap;
    expect(ranges("2026-02-01T00:00:00Z")).toBe(false);
    expect(ranges("2026-01-02T00:00:00Z")).toBe(true);
  });

  it("without a clock there is no time range and no latency, not a zero", () => {
    const result = compareCohorts(cohort(6, 1, (s, side) => run(s, side, withConfirm)));
    expect(result.cohort.times).toBeNull();
    expect(result.latency).toBeNull();
  });

  it("one id in two formats on one side becomes two scenarios, and is reported", () => {
    const of = (format: string): Partial<CohortRun> => ({ origin: { format } });
    const runs = (["tau", "tau2"] as const).flatMap((format) =>
      cohort(3, 1, (s, side) => run(s, side, [format], of(format))),
    );
    const result = compareCohorts(runs);
    expect(result.cohort.scenarios).toBe(6);
    expect(result.cohort.collisions).toHaveLength(3);
    expect(result.cohort.collisions[0]).toEqual({ scenario: "task 0", formats: ["tau", "tau2"] });
  });

  it("two sides in two formats are compared", () => {
    const runs = cohort(6, 1, (s, side) =>
      run(s, side, withConfirm, { origin: { format: side === "baseline" ? "otel" : "agentlog" } }),
    );
    expect(compareCohorts(runs).cohort).toMatchObject({
      scenarios: 6,
      collisions: [],
      formats: { baseline: ["otel"], candidate: ["agentlog"] },
    });
  });

  it("a run given on both sides is counted", () => {
    const runs = cohort(6, 1, (s, side) => run(s, side, withConfirm, { origin: { key: `${s}.json` } }));
    expect(compareCohorts(runs).cohort.onBothSides).toBe(6);
  });

  it("a scenario with 1,000 runs is compared", () => {
    const runs = cohort(1, 500, (s, side, repeat) => run(s, side, repeat % 2 === 0 ? withConfirm : withoutConfirm));
    const result = compareCohorts(runs, { draws: 39 });
    expect(result.cohort).toMatchObject({ runsBaseline: 500, runsCandidate: 500, comparedPairs: true });
    expect(result.verdict).toBe("not_enough_evidence");
  });

  it("a scenario with too many runs to compare in pairs still gets its averages tested", () => {
    const runs = cohort(1, 1001, (s, side) => run(s, side, side === "baseline" ? withConfirm : withoutConfirm));
    const result = compareCohorts(runs, { draws: 99 });
    expect(result).toMatchObject({ verdict: "changed", cohort: { comparedPairs: false }, scenarios: [], runs: [] });
  });
});

it("gives the same report for the same input and seed, plain JSON without NaN", () => {
  const random = createRandom(4);
  const runs = cohort(12, 2, (s, side) => noisyRun(s, side, random));
  const report = compareCohorts(runs, { draws: 99 });
  expect(compareCohorts(runs, { draws: 99 })).toEqual(report);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

it("restricts the family to the aspects asked for", () => {
  const result = compareCohorts(
    cohort(8, 1, (s, side) => run(s, side, side === "baseline" ? withConfirm : withoutConfirm)),
    {
      aspects: ["tools"],
    },
  );
  expect(result.aspects.map(({ aspect }) => aspect)).toEqual(["tools"]);
  expect(result.verdict).toBe("changed");
});

it("alarms on a noisy but unchanged agent about as often as it says: 5 % of 200 relabelled cohorts", () => {
  const random = createRandom(77);
  let alarms = 0;
  for (let split = 0; split < 200; split++) {
    const runs = cohort(8, 2, (s, side) => noisyRun(s, side, random));
    if (compareCohorts(runs, { draws: 199, limit: 199, seed: split }).verdict === "changed") alarms++;
  }
  // Four standard errors above 5 % are 11.2 %.
  expect(alarms / 200).toBeLessThan(0.112);
  expect(alarms / 200).toBeGreaterThan(0);
});
