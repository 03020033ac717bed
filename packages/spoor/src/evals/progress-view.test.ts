import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { describe, expect, it } from "vitest";
import { createTerminalStyle } from "../write/terminal/terminal-style.ts";
import type { PlannedRun, RunPlan } from "./plan-runs.ts";
import { createProgressView } from "./progress-view.ts";

function planOf(repeat: number): RunPlan {
  const cases = ["a", "b"].map((id) => ({ id, suite: "s", file: "s.yaml", target: "t", repeat, threshold: 0.8 }));
  const runs = cases.flatMap(({ id }) =>
    Array.from(
      { length: repeat },
      (_, index) => ({ suite: { name: "s" }, case: { id }, target: { name: "t" }, run: index + 1 }) as PlannedRun,
    ),
  );
  return { runs, cases };
}

function record(passed: boolean, extra: Partial<RunRecord> = {}): RunRecord {
  const status = passed ? "passed" : "failed";
  return { status, passed, ended: "answered", score: passed ? 1 : 0.25, ...extra } as RunRecord;
}

function view(plan: RunPlan, live: boolean) {
  const written: string[] = [];
  const progress = createProgressView(plan, {
    write: (text) => {
      written.push(text);
    },
    style: createTerminalStyle(),
    live,
    rows: 24,
    workers: 2,
    clock: () => 0,
  });
  return { progress, written };
}

describe("in a pipe", () => {
  it("prints one line per finished case, when its last run has ended", () => {
    const plan = planOf(2);
    const { progress, written } = view(plan, false);
    const [a1, a2, b1, b2] = plan.runs as [PlannedRun, PlannedRun, PlannedRun, PlannedRun];
    for (const run of plan.runs) progress.started(run);
    progress.finished(b1, record(true));
    expect(written).toEqual([]);
    progress.finished(b2, record(true));
    progress.finished(a1, record(false));
    progress.finished(a2, record(true));
    progress.close();
    expect(written).toEqual(["✓ b  2 of 2\n", "! a  1 of 2\n"]);
  });

  it("gives score, time and error of a single run", () => {
    const plan = planOf(1);
    const { progress, written } = view(plan, false);
    const [a, b] = plan.runs as [PlannedRun, PlannedRun];
    progress.finished(a, record(true, { duration_ms: 800 }));
    progress.finished(b, record(false, { error: { kind: "failed", message: "it \u001b[31mbroke" } }));
    expect(written).toEqual(["✓ a  1.00  0.8 s\n", "✗ b  0.25  it \\u{1b}[31mbroke\n"]);
  });

  it("has a mark of their own for outages, and none in green for a pass that a limit ended", () => {
    const single = planOf(1);
    const one = view(single, false);
    one.progress.finished(single.runs[0]!, record(true, { ended: "limit", limit: { kind: "turns", at: 3 } }));
    one.progress.finished(single.runs[1]!, record(false, { status: "outage", error: { kind: "x", message: "503" } }));
    expect(one.written).toEqual(["! a  1.00  ended at its limit of 3 turns\n", "? b  outage  503\n"]);
    const double = planOf(2);
    const two = view(double, false);
    two.progress.finished(double.runs[0]!, record(true));
    two.progress.finished(double.runs[1]!, record(false, { status: "outage" }));
    expect(two.written).toEqual(["! a  1 of 1  1 outage\n"]);
  });
});

describe("on a terminal", () => {
  it("redraws in place and leaves nothing behind", async () => {
    const plan = planOf(2);
    const { progress, written } = view(plan, true);
    progress.resumed(plan.runs[0]!, record(true));
    progress.started(plan.runs[1]!);
    progress.activity(plan.runs[1]!, "turn 2, search");
    await expect.poll(() => written.length, { timeout: 20_000 }).toBeGreaterThan(2);
    progress.close();
    expect(written[0]).toContain("a  ✓›  1 of 1   turn 2, search");
    const lines = written[0]!.split("\n").length - 1;
    expect(written[1]).toBe(`\u001b[${lines}A\u001b[0J`);
    expect(written.at(-1)).toBe(`\u001b[${lines}A\u001b[0J`);
  });
});
