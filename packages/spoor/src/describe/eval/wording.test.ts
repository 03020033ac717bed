/** Small words that are easily wrong: one and many, thousands, and what to do next. */
import { buildEvalReport, type PlannedCase } from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { expect, it } from "vitest";
import { runRecord } from "../../../test/run-record.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { describeEval } from "./describe-eval.ts";

function words(records: readonly RunRecord[], repeat = 1): string {
  const ids = [...new Set(records.map(({ eval_id }) => eval_id))];
  const planned = ids.map(
    (id): PlannedCase => ({ id, suite: "support", file: "s.yaml", target: "support-agent", repeat, threshold: 0.8 }),
  );
  const report = buildEvalReport(planned, records, {
    tool: { name: "spoor", version: "0.0.0" },
    inputs: [],
    passRate: 0.8,
    durationMs: 1000,
    gate: true,
  });
  const style = createTerminalStyle({ columns: 80 });
  return writeTerminal(describeEval(report, { exitCode: 0, verbose: false }), style).replaceAll(/\s+/g, " ");
}

const many = (amount: number, passes: (index: number) => boolean) =>
  Array.from({ length: amount }, (_, index) => runRecord(`case-${index}`, 1, passes(index)));

it.each([
  [1, "1 of 1 case passes"],
  [2, "2 of 2 cases pass"],
  [999, "999 of 999 cases pass"],
  [1000, "1,000 of 1,000 cases pass"],
  [12_345, "12,345 of 12,345 cases pass"],
])("%s that pass", (amount, expected) => {
  const text = words(many(amount, () => true));
  expect(text).toContain(`✓ ${expected}`);
  expect(text).not.toMatch(/\d{4} of|of \d{4}/);
});

it("thousands that fail, and thousands of runs of one case, are written alike on both sides of of", () => {
  const failing = words(many(1500, (index) => index >= 1200));
  expect(failing).toContain("1,200 of 1,500 cases fail");
  expect(failing).not.toMatch(/\d{4} of|of \d{4}/);
  const runs = Array.from({ length: 2000 }, (_, index) => runRecord("one", index + 1, index < 1000));
  const flaky = words(runs, 2000);
  expect(flaky).toContain("1,000 of 2,000");
  expect(flaky).not.toMatch(/\d{4} of|of \d{4}/);
});

const timedOut: Partial<RunRecord> = {
  ended: "limit",
  limit: { kind: "timeout", at: 2 },
  trace_summary: null,
  score: 0,
};

it.each([
  ["a timeout", timedOut],
  ["turns that were used up", { ended: "limit", limit: { kind: "turns", at: 3 } } satisfies Partial<RunRecord>],
  [
    "an agent that broke down",
    { ended: "error", error: { kind: "failed", message: "no" } } satisfies Partial<RunRecord>,
  ],
])("after %s nobody is told to repeat it: a look at what was done comes first", (_name, extra) => {
  const text = words([runRecord("one", 1, false, extra)]);
  expect(text).toContain("Next: spoor eval s.yaml --filter one --dump-traces");
  expect(text).not.toContain("--repeat");
});

it("after a run that answered and failed, repeats tell broken from flaky", () => {
  expect(words([runRecord("one", 1, false)])).toContain("--filter one --repeat 5");
});
