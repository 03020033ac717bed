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
  // Eight cases that all cost more: 2 of 2^8 signs are as far from 0; three figures are known, so times 3.
  expect(figures["cost_usd"]).toMatchObject({
    change: "higher",
    baseline: expect.closeTo(0.01, 12),
    corrected: (2 / 256) * 3,
  });
  expect(figures["duration_ms"]).toMatchObject({ change: "none" });
  expect(figures["tokens"]).toEqual({ figure: "tokens", cases: 0, change: "unknown" });
  // One case scores 0.55 instead of 1: chance does that half of the time.
  expect(figures["score"]).toMatchObject({ change: "none", baseline: 1 });
  expect(figures["score"]!.candidate).toBeCloseTo((7 + 0.55) / 8, 12);
  expect(report.gate).toMatchObject({ tripped: true, reasons: [{ code: "case.worse", subject: "c0" }] });
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
