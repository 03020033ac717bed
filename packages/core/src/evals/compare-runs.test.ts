import { expect, it } from "vitest";
import { compareRuns, type StoredRun } from "./compare-runs.ts";
import type { RunRecord } from "./run-record.ts";

interface Given {
  readonly id: string;
  readonly passed: number;
  readonly runs: number;
  readonly cost?: number;
  readonly ms?: number;
  readonly target?: string;
  readonly outages?: number;
}

function stored(label: string, cases: readonly Given[]): StoredRun {
  const records = cases.flatMap(({ id, passed, runs, cost, ms, target = "t", outages = 0 }) =>
    Array.from({ length: runs + outages }, (_, index): RunRecord => {
      const isPassed = index < passed;
      return {
        schema: "spoor.eval-run/1",
        timestamp: "",
        eval_id: id,
        dataset: "s",
        eval_file: "s.yaml",
        target,
        run: index + 1,
        key: `${id}-${index}`,
        status: index >= runs ? "outage" : isPassed ? "passed" : "failed",
        passed: isPassed,
        ended: index >= runs ? "error" : "answered",
        score: isPassed ? 1 : 0.5,
        threshold: 0.8,
        verdict: "",
        hits: [],
        misses: [],
        candidate_answer: "",
        trace_summary: null,
        ...(cost === undefined ? {} : { cost_usd: cost }),
        ...(ms === undefined ? {} : { duration_ms: ms }),
      };
    }),
  );
  return { label, file: `${label}.jsonl`, records };
}

const options = { tool: { name: "spoor", version: "0" }, inputs: [], gate: true } as const;

it("compares passes per case and figures in total, outages nowhere", () => {
  const names = Array.from({ length: 8 }, (_, index) => `c${index}`);
  const before = names.map((id) => ({ id, passed: 10, runs: 10, cost: 0.01, ms: 1000 }));
  const after = names.map((id, index) => ({
    id,
    passed: index === 0 ? 1 : 10,
    runs: 10,
    cost: 0.03,
    ms: 1000,
    outages: 2,
  }));
  const report = compareRuns(stored("a", before), stored("b", after), options);
  expect(report.cases.map(({ comparison }) => comparison!.change)).toEqual(["worse", ...Array(7).fill("none")]);
  expect(report.candidate).toMatchObject({ runs: 80, outages: 16 });
  const figures = Object.fromEntries(report.figures.map((figure) => [figure.figure, figure]));
  // 20 over 10 labellings in each of eight cases: far too many to count, and none of the 1,999 that are drawn moves as far. Four figures are known.
  expect(figures["cost_usd"]).toMatchObject({
    change: "higher",
    baseline: expect.closeTo(0.01, 12),
    corrected: (1 / 2000) * 4,
    method: "within_cases",
  });
  expect(figures["duration_ms"]).toMatchObject({ change: "none" });
  expect(figures["tokens"]).toEqual({ figure: "tokens", cases: 0, change: "unknown" });
  // One case scores 0.55 instead of 1; nine of ten runs on one side alone, which chance does in 2 of 16,796.
  expect(figures["score"]).toMatchObject({ change: "lower", baseline: 1 });
  expect(figures["score"]!.candidate).toBeCloseTo((7 + 0.55) / 8, 12);
  expect(figures["pass_rate"]).toMatchObject({ change: "lower", baseline: 1 });
  expect(figures["pass_rate"]!.candidate).toBeCloseTo((7 + 0.1) / 8, 12);
  const worse = [
    { code: "case.worse", subject: "c0" },
    { code: "figure.worse", subject: "pass_rate" },
    { code: "figure.worse", subject: "score" },
  ];
  expect(report.gate).toMatchObject({ tripped: true, reasons: worse });
  expect(compareRuns(stored("a", before), stored("b", after), { ...options, gate: false }).gate.tripped).toBe(false);
});

it("pairs other targets where each run has one, and names what only one has", () => {
  const report = compareRuns(
    stored("a", [
      { id: "x", passed: 1, runs: 1, target: "old" },
      { id: "gone", passed: 1, runs: 1, target: "old" },
    ]),
    stored("b", [
      { id: "x", passed: 1, runs: 1, target: "new" },
      { id: "added", passed: 1, runs: 1, target: "new" },
    ]),
    options,
  );
  expect(report.cases.map(({ id }) => id)).toEqual(["x"]);
  expect([report.onlyBaseline, report.onlyCandidate]).toEqual([["gone"], ["added"]]);
});

it("keeps targets apart where there are several", () => {
  const run = stored("a", [
    { id: "x", passed: 1, runs: 1, target: "one" },
    { id: "x", passed: 0, runs: 1, target: "two" },
  ]);
  const report = compareRuns(run, run, options);
  expect(report.cases.map(({ target, candidate }) => [target, candidate.passed])).toEqual([
    ["one", 1],
    ["two", 0],
  ]);
});

it("finds many small falls together that no case shows alone, with one run a side too", () => {
  const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
  const all = (passed: number) => names.map((id) => ({ id, passed, runs: 1 }));
  const report = compareRuns(stored("a", all(1)), stored("b", all(0)), options);
  expect(report.cases.every(({ comparison }) => comparison!.change === "none")).toBe(true);
  // Two of 2^12 signs, for each of the two figures that are known.
  expect(report.figures[0]).toMatchObject({ figure: "pass_rate", method: "paired", change: "lower" });
  expect(report.figures[0]!.corrected).toBeCloseTo((2 / 4096) * 2, 12);
  expect(report.gate.reasons.map(({ subject }) => subject)).toEqual(["pass_rate", "score"]);
});

it("says what was read: the traces of the cases that were compared", () => {
  const summary = {
    event_count: 3,
    tool_names: ["a"],
    tool_calls_by_name: { a: 3 },
    error_count: 0,
    llm_call_count: 2,
    unknown_count: 1,
  };
  const withTraces = (given: StoredRun): StoredRun => ({
    ...given,
    records: given.records.map((record) => ({ ...record, trace_summary: summary })),
  });
  const report = compareRuns(
    withTraces(
      stored("a", [
        { id: "x", passed: 2, runs: 2 },
        { id: "gone", passed: 1, runs: 1 },
      ]),
    ),
    withTraces(stored("b", [{ id: "x", passed: 3, runs: 3 }])),
    options,
  );
  expect(report.coverage).toMatchObject({ traces: 5, turns: 10, toolCalls: 15, callsWithoutResult: 5 });
});
