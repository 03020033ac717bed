import { describe, expect, it } from "vitest";
import { type TurnSpec, traceOf } from "../../test/build.ts";
import { buildDiffReport } from "../diff/build-diff-report.ts";
import { coverageOf } from "../report/coverage.ts";
import type { Trace } from "../trace/trace.ts";
import { buildGateReport, type GateSettings, withMode } from "./build-gate-report.ts";
import type { GateReport } from "./gate-report.ts";
import { newViolations } from "./new-violations.ts";

const calling = (name: string): TurnSpec => ({ text: "Working on it.", calls: [name] });
const saying = (text: string): TurnSpec => ({ text });
const tool = { name: "spoor", version: "0" } as const;
const settings: GateSettings = {
  agent: "a",
  noun: "trace",
  mode: "block",
  seed: 1,
  policy: { failOn: () => "severe", violations: "all" },
  baseline: { unknownPath: "block", variant: "warn" },
  cohort: { notEnoughEvidence: "warn" },
};

function gate(baseline: readonly Trace[], candidate: readonly Trace[], mode: GateReport["mode"] = "block"): GateReport {
  const diff = buildDiffReport(baseline, candidate, { tool, inputs: [], failOn: "severe" });
  const header = { tool, inputs: [], coverage: coverageOf([...baseline, ...candidate]), paths: new Map() };
  return buildGateReport({ diff }, { ...settings, mode }, header);
}

const before = traceOf([calling("a"), saying("Done.")]);
const after = traceOf([calling("b"), saying("Done.")]);

describe("one verdict", () => {
  it("blocks on what a lens trips on, and only warns in mode warn", () => {
    expect(gate([before], [after])).toMatchObject({ status: "blocked", lead: "diff", gate: { tripped: true } });
    expect(gate([before], [after], "warn")).toMatchObject({ status: "warned", gate: { tripped: false } });
  });

  it("deciding again under another mode is the same as deciding under it", () => {
    expect(withMode(gate([before], [after]), "warn")).toEqual(gate([before], [after], "warn"));
    expect(withMode(gate([before], [after], "warn"), "block")).toEqual(gate([before], [after]));
  });

  it("passes with the diff's sentence first, and names what had no data", () => {
    const report = gate([before], [before]);
    expect(report).toMatchObject({ status: "passed", lead: "diff", gate: { reasons: [] } });
    expect(report.coverage.notEvaluated).toContainEqual(expect.objectContaining({ what: "judge", code: "not_run" }));
  });

  it("is not evaluated without a lens, and without a turn to compare", () => {
    const header = { tool, inputs: [], coverage: coverageOf([]), paths: new Map() };
    expect(buildGateReport({}, settings, header)).toMatchObject({ status: "not_evaluated", lead: null });
    expect(gate([traceOf([])], [traceOf([])])).toMatchObject({ status: "not_evaluated", lead: "diff" });
  });

  it("a turn that only the baseline has is a place in the baseline's trace", () => {
    const report = gate([traceOf([calling("a"), calling("b"), saying("Done.")])], [before]);
    expect(report.checks[0]).toMatchObject({ name: "structure", places: [{ side: "baseline", turnIndex: 1 }] });
  });
});

describe("new violations", () => {
  const finding = { ruleId: "r", key: "k", turnIndex: 2 };
  const matching = {
    by: "scenario",
    pairs: 1,
    onlyBaseline: [],
    onlyCandidate: [{ key: "alone", name: "x" }],
  } as const;
  const isNew = newViolations({
    policy: { regressions: [finding], fixes: [], notEvaluated: [] } as never,
    matching,
  });

  it.each([
    { ruleId: "r", turnIndex: 2, key: "k", expected: true },
    { ruleId: "r", turnIndex: 1, key: "k", expected: false },
    { ruleId: "s", turnIndex: 2, key: "k", expected: false },
    { ruleId: "r", turnIndex: 2, key: "other", expected: false },
    { ruleId: "r", turnIndex: 0, key: "alone", expected: true },
  ])("$ruleId in turn $turnIndex of $key: $expected", ({ ruleId, turnIndex, key, expected }) => {
    expect(isNew({ ruleId, turnIndex } as never, key)).toBe(expected);
  });
});
