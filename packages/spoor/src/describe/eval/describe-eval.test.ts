/** The summary of an eval run, on the numbers of one story: a broken case, a doubtful one, a flaky one. */
import { buildEvalReport, type EvalReport, type PlannedCase } from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { describe, expect, it } from "vitest";
import { dollars } from "../../document/words.ts";
import { writeJunit } from "../../write/checks/junit.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfEval, describeEval } from "./describe-eval.ts";

const IDS = [
  "order-status",
  "address-change",
  "calm-return",
  "damaged-item",
  "charged-twice",
  "wrong-size",
  "gift-card",
  "polite-decline",
];

function record(id: string, run: number, passed: boolean, extra: Partial<RunRecord> = {}): RunRecord {
  const score = passed ? 1 : 1 / 3;
  const misses = passed ? [] : ["confirm_refund_amount never called"];
  return {
    schema: "spoor.eval-run/1",
    timestamp: "2026-11-14T09:32:00.000Z",
    eval_id: id,
    dataset: "support",
    eval_file: "support.eval.yaml",
    target: "support-agent",
    run,
    key: `${id}-${run}`,
    passed,
    score,
    threshold: 0.8,
    verdict: passed ? "pass" : "fail",
    hits: [],
    misses,
    candidate_answer: "",
    evaluator_results: [
      {
        name: "refund-path",
        type: "tool_trajectory",
        score,
        weight: 1,
        verdict: passed ? "pass" : "fail",
        hits: [],
        misses,
      },
    ],
    trace_summary: {
      event_count: 3,
      tool_names: [],
      tool_calls_by_name: {},
      error_count: 0,
      llm_call_count: 2,
      unknown_count: 0,
    },
    cost_usd: 0.00725,
    ...extra,
  };
}

/** `failed` says how many of the five runs of a case fail. */
function records(failed: Readonly<Record<string, number>>): RunRecord[] {
  return IDS.flatMap((id) =>
    Array.from({ length: 5 }, (_, index) => record(id, index + 1, index >= (failed[id] ?? 0))),
  );
}

function report(now: readonly RunRecord[], stored?: readonly RunRecord[], repeat = 5): EvalReport {
  const planned = IDS.map(
    (id): PlannedCase => ({
      id,
      suite: "support",
      file: "support.eval.yaml",
      target: "support-agent",
      repeat,
      threshold: 0.8,
    }),
  );
  return buildEvalReport(planned, now, {
    tool: { name: "spoor", version: "0.0.0" },
    inputs: [],
    passRate: 0.8,
    durationMs: 37_000,
    resultsFile: ".spoor/runs/2026-11-14-0932.jsonl",
    ...(stored === undefined ? {} : { against: { label: "main", file: "main.jsonl", records: stored } }),
    gate: true,
  });
}

const retried = records({ "damaged-item": 5, "charged-twice": 2, "polite-decline": 1 });
const story = report(retried, records({ "polite-decline": 1 }));
function terminal(of: EvalReport, { exitCode = 0, verbose = false, columns = 80 } = {}): string {
  return writeTerminal(describeEval(of, { exitCode, verbose }), createTerminalStyle({ columns }));
}

function markdown(of: EvalReport): string {
  return writeMarkdown(describeEval(of, { exitCode: 1, verbose: false }));
}

function junit(of: EvalReport): string {
  return writeJunit("spoor evals", checksOfEval(of));
}

describe("the summary", () => {
  it("tells the story: broken, below the line, flaky then and now, steady", () => {
    expect(terminal(story, { exitCode: 1 })).toMatchInlineSnapshot(`
      "✗ damaged-item is broken: 0 of 5 runs pass, on main 5 of 5 did.

        case            now     main    reading
        damaged-item    0 of 5  5 of 5  ✗ broken: chance does this in 8 of 1,000
        charged-twice   3 of 5  5 of 5  ✗ below the line (4 of 5); 5 runs cannot tell
                                        worse from flaky, 12 runs each could
        polite-decline  4 of 5  4 of 5  ! flaky then and now
        5 other cases   5 of 5  5 of 5  ✓ steady
        A run passes 80 % of the time (pass@1; 64 to 91 % is plausible). 7 of 8 cases
        pass at least once in five runs (pass@5), 5 of 8 every time (pass^5).
        Against 5 of 5, 5 runs can only prove a fall to 1 of 5 or fewer.
        damaged-item, every run: refund-path 0.33, confirm_refund_amount never called
        charged-twice, 2 runs: refund-path 0.33, confirm_refund_amount never called
        polite-decline, 1 run: refund-path 0.33, confirm_refund_amount never called
        8 cases, 40 runs, 37.0 s, $0.29. Retries 0, timeouts 0, not run 0.
        Results: .spoor/runs/2026-11-14-0932.jsonl                         exit code 1
        Next: spoor eval support.eval.yaml --filter charged-twice --repeat 12
      "
    `);
  });

  it.each([60, 80, 120])("keeps within %i columns", (columns) => {
    const text = terminal(story, { columns, exitCode: 1 });
    const lines = text.split("\n").filter((line) => !line.includes("Next:"));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it("is three lines when everything passes", () => {
    expect(terminal(report(records({})), { exitCode: 0 })).toMatchInlineSnapshot(`
      "✓ 8 of 8 cases pass, every run.

        8 cases, 40 runs, 37.0 s, $0.29. Retries 0, timeouts 0, not run 0.
        Results: .spoor/runs/2026-11-14-0932.jsonl                         exit code 0
      "
    `);
  });

  it("shows a retry as a retry and never as green", () => {
    const runs = records({}).map((entry) =>
      entry.key === "gift-card-2" ? { ...entry, retries: [{ kind: "rate-limit", message: "429" }] } : entry,
    );
    const text = terminal(report(runs), { verbose: true });
    expect(text).toContain("gift-card       5 of 5  ! passes, 1 run only after a retry");
    expect(text).toContain("Retries 1 (rate limit)");
  });

  it("says that a single run cannot be called steady or broken", () => {
    const single = IDS.map((id, index) => record(id, 1, index !== 3));
    const text = terminal(report(single, undefined, 1), { exitCode: 1 });
    expect(text).toContain("✗ 1 of 8 cases fails: damaged-item.");
    expect(text).toContain("damaged-item   0 of 1  ✗ scores 0.33, the line is 0.80");
    expect(text).toContain("7 other cases  1 of 1  ✓ passes");
    expect(text).not.toContain("steady");
  });

  it("never reads missing runs as passes", () => {
    const text = terminal(report(records({}).slice(0, 20)));
    expect(text).toMatch(/^\? Not enough evidence: 4 cases of 8 not run\./);
    expect(text).toContain("not run 20");
  });

  it("says when a stored run does not know the cases", () => {
    const other = records({}).map((entry) => ({ ...entry, eval_id: `old-${entry.eval_id}` }));
    expect(terminal(report(records({}), other))).toContain("No case of this run is in main: nothing was compared.");
    const partly = records({}).filter((entry) => entry.eval_id !== "gift-card");
    expect(terminal(report(records({}), partly))).toContain("1 case of 8 not in main: not compared.");
  });

  it("makes hostile names harmless", () => {
    const [first] = IDS;
    const runs = [
      record(`${first}`, 1, false, {
        misses: ["\u001b[31mred\u202e"],
        evaluator_results: [],
        error: { kind: "failed", message: "\u001b[2Jgone | `code`" },
      }),
    ];
    const built = report(runs, undefined, 1);
    expect(terminal(built)).not.toMatch(/\u001b/);
    expect(markdown(built)).not.toMatch(/\u001b/);
    expect(junit(built)).not.toMatch(/\u001b/);
  });
});

it("says the same figures in every format", () => {
  for (const text of [terminal(story), markdown(story)]) {
    for (const figure of ["0 of 5", "3 of 5", "4 of 5", "8 of 1,000", "12 runs each", "$0.29", "7 of 8", "5 of 8"]) {
      expect(text.replace(/\s+/g, " ")).toContain(figure);
    }
  }
  expect(junit(story)).toContain('tests="8" failures="2"');
});

it.each([
  [0, "$0"],
  [0.29, "$0.29"],
  [12.5, "$12.50"],
  [0.00725, "$0.00725"],
  [1204.4, "$1,204"],
  [0.0000004, "$4e-7"],
])("writes %d as %s", (amount, text) => {
  expect(dollars(amount)).toBe(text);
});
