/** The summary of an eval run, on the numbers of one story: a broken case, a doubtful one, a flaky one. */
import {
  buildEvalReport,
  type ErrorTolerance,
  type EvalReport,
  type PlannedCase,
} from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { describe, expect, it } from "vitest";
import { runRecord as record } from "../../../test/run-record.ts";
import { evalKind } from "../../cli/reports/eval-kind.ts";
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

/** `failed` says how many of the five runs of a case fail. */
function records(failed: Readonly<Record<string, number>>): RunRecord[] {
  return IDS.flatMap((id) =>
    Array.from({ length: 5 }, (_, index) => record(id, index + 1, index >= (failed[id] ?? 0))),
  );
}

function report(
  now: readonly RunRecord[],
  stored?: readonly RunRecord[],
  repeat = 5,
  maxErrors?: ErrorTolerance,
): EvalReport {
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
    ...(maxErrors === undefined ? {} : { maxErrors }),
    gate: true,
  });
}

/** The same runs, those with these keys lost to an outage, ended by a limit, or broken down. */
function changed(runs: readonly RunRecord[], keys: readonly string[], extra: Partial<RunRecord>): RunRecord[] {
  return runs.map((entry) => (keys.includes(entry.key) ? { ...entry, ...extra } : entry));
}

const outage: Partial<RunRecord> = {
  status: "outage",
  passed: false,
  ended: "error",
  score: 0,
  trace_summary: null,
  error: { kind: "unavailable", message: "HTTP 503" },
};

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
    const text = terminal(report(runs));
    expect(text).toMatch(/^! All 8 cases pass, but not every run went well: gift-card\./);
    expect(text).toContain("gift-card      5 of 5  ! passes, 1 run only after a retry");
    expect(text).toContain("Retries 1 (rate limit)");
  });

  it("leaves outages out of every rate, and is no verdict where they would have decided", () => {
    const lost = changed(records({}), ["gift-card-1", "gift-card-2", "order-status-1"], outage);
    const built = report(lost);
    // order-status has 4 of 4, and four of five must pass: decided. gift-card has 3 of 3: open.
    expect(built.cases.map(({ id, reading }) => [id, reading.kind]).filter(([, kind]) => kind !== "steady")).toEqual([
      ["gift-card", "not_judged"],
    ]);
    expect(built.rates).toMatchObject({ passAt1: 1, casesPassingAlways: 8 });
    expect(built.totals).toMatchObject({ runs: 40, passed: 37, failed: 0, outages: 3 });
    expect([built.undecided, evalKind.exitCode(built)]).toEqual([true, 2]);
    expect(terminal(built, { exitCode: 2 })).toMatchInlineSnapshot(`
      "? Could not be judged: 3 outages in 40 runs left gift-card without a verdict.

        case           now     reading
        order-status   4 of 4  ! steady; 1 outage left out
        gift-card      3 of 3  ? could not be judged: 3 passed, 4 must, 2 outages
        6 other cases  5 of 5  ✓ steady
        A run passes 100 % of the time (pass@1; 91 to 100 % is plausible). 8 of 8
        cases pass at least once, 8 every time.
        order-status, 1 run: HTTP 503
        gift-card, 2 runs: HTTP 503
        3 runs lost to outages: left out of every rate and test; --resume makes them
        again.
        8 cases, 40 runs, 37.0 s, $0.29. Retries 0, timeouts 0, outages 3, not run 0.
        Results: .spoor/runs/2026-11-14-0932.jsonl                         exit code 2
      "
    `);
    expect(junit(built)).toContain('tests="8" failures="0" errors="1"');
  });

  it("judges by the other runs when so many outages are allowed, and not by one fewer", () => {
    const lost = changed(records({}), ["gift-card-1", "gift-card-2", "order-status-1"], outage);
    const exits = (written: string, tolerance: object) =>
      evalKind.exitCode(report(lost, undefined, 5, { written, ...tolerance }));
    expect(exits("3", { runs: 3 })).toBe(0);
    expect(exits("2", { runs: 2 })).toBe(2);
    // 7.5 % of 40 runs are three.
    expect(exits("7.5%", { share: 0.075 })).toBe(0);
    expect(exits("7%", { share: 0.07 })).toBe(2);
    expect(terminal(report(lost, undefined, 5, { written: "2", runs: 2 }))).toMatch(
      /^\? Could not be judged: 3 outages in 40 runs, more than --max-errors 2 allows\./,
    );
    const whole = changed(
      records({}),
      IDS.slice(0, 1).flatMap((id) => [1, 2, 3, 4, 5].map((run) => `${id}-${run}`)),
      outage,
    );
    expect(terminal(report(whole, undefined, 5, { written: "5", runs: 5 }))).toMatch(
      /^! 7 of 8 cases pass; outages took order-status\./,
    );
    expect(evalKind.exitCode(report(whole, undefined, 5, { written: "5", runs: 5 }))).toBe(0);
  });

  it("calls nothing broken, flaky or changed that only outages touched, and a real failure still fails", () => {
    const keys = [1, 2, 3, 4, 5].map((run) => `gift-card-${run}`);
    const lost = report(changed(records({}), keys, outage), records({}));
    expect(lost.cases.find(({ id }) => id === "gift-card")!.reading).toMatchObject({
      kind: "not_judged",
      fails: false,
    });
    expect(evalKind.exitCode(lost)).toBe(2);
    expect(evalKind.exitCode(report(changed(records({ "damaged-item": 5 }), keys, outage)))).toBe(1);
    const all = report(records({}).map((entry) => ({ ...entry, ...outage })));
    expect([evalKind.exitCode(all), all.rates]).toEqual([2, undefined]);
    const allowed = report(
      records({}).map((entry) => ({ ...entry, ...outage })),
      undefined,
      5,
      { written: "100%", share: 1 },
    );
    expect(evalKind.exitCode(allowed)).toBe(2);
    // The stored side's outages are left out as well: 3 of 3 against 5 of 5 is no fall.
    const stored = report(records({}), changed(records({}), ["gift-card-1", "gift-card-2"], outage));
    expect(stored.cases.find(({ id }) => id === "gift-card")!.reading.comparison!.stored).toEqual({
      passed: 3,
      runs: 3,
    });
  });

  it("scores a run that a limit ended like any other, and says so in every format", () => {
    const limited = changed(records({ "damaged-item": 2 }), ["gift-card-1", "gift-card-2", "damaged-item-1"], {
      ended: "limit",
      limit: { kind: "turns", at: 3 },
    });
    const built = report(changed(limited, ["gift-card-1"], { limit: { kind: "timeout", at: 2 } }));
    expect(built.totals).toMatchObject({ limits: { timeout: 1, turns: 2 }, timeouts: 1, passed: 38 });
    expect(terminal(built, { exitCode: 1 })).toMatchInlineSnapshot(`
      "✗ damaged-item passes 3 of 5 runs; 4 must pass.

        case           now     reading
        damaged-item   3 of 5  ✗ below the line (4 of 5); 1 run ended at a limit
                               (turns)
        gift-card      5 of 5  ! steady; 2 runs ended at a limit (time, turns)
        6 other cases  5 of 5  ✓ steady
        A run passes 95 % of the time (pass@1; 83 to 99 % is plausible). 8 of 8 cases
        pass at least once in five runs (pass@5), 7 of 8 every time (pass^5).
        damaged-item, 2 runs: refund-path 0.33, confirm_refund_amount never called
        8 cases, 40 runs, 37.0 s, $0.29. Retries 0, timeouts 1, ended at other limits
        2 (turns), not run 0.
        Results: .spoor/runs/2026-11-14-0932.jsonl                         exit code 1
        Next: spoor eval support.eval.yaml --filter damaged-item --repeat 10
      "
    `);
    expect(markdown(built).replace(/\s+/g, " ")).toContain("2 runs ended at a limit (time, turns)");
    expect(junit(built)).toContain("2 runs ended at a limit (time, turns)");
    const single = [record("order-status", 1, true, { ended: "limit", limit: { kind: "cost", at: 0.5 } })];
    expect(terminal(report(single, undefined, 1))).toContain("! passes; ended at its limit of $0.50");
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
        ended: "error",
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
