/** Several targets side by side, at the width of a terminal. */
import { buildEvalReport, type PlannedCase } from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { expect, it } from "vitest";
import { runRecord } from "../../../test/run-record.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { targetMatrix } from "./target-matrix.ts";

/** Per case and target: how many of two runs pass; absent where the case was not planned there. */
type Passes = Readonly<Record<string, Readonly<Record<string, number>>>>;

function matrix(passes: Passes, change: (records: RunRecord[]) => RunRecord[] = (records) => records): string {
  const planned: PlannedCase[] = [];
  const records: RunRecord[] = [];
  for (const [id, targets] of Object.entries(passes))
    for (const [target, passed] of Object.entries(targets)) {
      planned.push({ id, suite: "support", file: "support.eval.yaml", target, repeat: 2, threshold: 0.8 });
      for (const run of [1, 2])
        records.push(runRecord(id, run, run <= passed, { target, key: `${id}-${target}-${run}` }));
    }
  const report = buildEvalReport(planned, change(records), {
    tool: { name: "spoor", version: "0.0.0" },
    inputs: [],
    passRate: 0.8,
    durationMs: 1000,
    gate: true,
  });
  const table = targetMatrix(report, false);
  if (table === undefined) return "none";
  const document = { id: "t", subject: ["evals"], blocks: [table], footer: [] };
  return `\n${writeTerminal(document, createTerminalStyle({ columns: 80 }))}`;
}

it("has a row for each case that not all targets pass, and one for the others", () => {
  const shown = matrix({
    "order-status": { "claude-sonnet": 2, "gpt-5-mini": 2, "local-model": 2 },
    "address-change": { "claude-sonnet": 2, "gpt-5-mini": 0, "local-model": 1 },
    "a-case-with-a-name-that-is-far-too-long-for-a-column": { "claude-sonnet": 1, "gpt-5-mini": 2 },
  });
  expect(shown).toMatchInlineSnapshot(`
    "
      case                              claude-sonnet  gpt-5-mini  local-model
      address-change                    ✓ 2 of 2       ✗ 0 of 2    ✗ 1 of 2
      a-case-with-a-name-that-is-far-…  ✗ 1 of 2       ✓ 2 of 2    -
      1 other case                      ✓ all          ✓ all       ✓ all
      cases that pass                   2 of 3         2 of 3      1 of 2
      mean score                        0.89           0.78        0.83
    "
  `);
  for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

it("counts a case that outages took as no pass", () => {
  const shown = matrix({ one: { left: 2, right: 2 }, two: { left: 2, right: 2 } }, (records) =>
    records.map((record) =>
      record.target === "right" && record.eval_id === "two"
        ? { ...record, status: "outage", passed: false, ended: "error" }
        : record,
    ),
  );
  expect(shown).toMatchInlineSnapshot(`
    "
      case             left      right
      two              ✓ 2 of 2  ? outage
      1 other case     ✓ all     ✓ all
      cases that pass  2 of 2    1 of 2
      mean score       1.00      1.00
    "
  `);
});

it("is left out for one target", () => {
  expect(matrix({ one: { only: 2 } })).toBe("none");
});

it("has a row for each target where their names, or their number, are wider than a screen", () => {
  const many = Array.from({ length: 9 }, (_, index) => [`target-${index}`, index === 4 ? 1 : 2] as const);
  const shown = matrix({
    one: Object.fromEntries(many),
    "a-case-with-a-name-that-is-far-too-long-for-a-column": Object.fromEntries(many.slice(4)),
    three: Object.fromEntries(many.slice(0, 5)),
  });
  expect(shown).toMatchInlineSnapshot(`
    "
      target    cases that pass  mean score  not steady
      target-0  2 of 2           1.00        ✓ none
      target-1  2 of 2           1.00        ✓ none
      target-2  2 of 2           1.00        ✓ none
      target-3  2 of 2           1.00        ✓ none
      target-4  0 of 3           0.67        ✗ one,
                                             a-case-with-a-name-that-is-far-too-long
                                             -for-a-column, three
      target-5  2 of 2           1.00        ✓ none
      target-6  2 of 2           1.00        ✓ none
      target-7  2 of 2           1.00        ✓ none
      target-8  2 of 2           1.00        ✓ none
    "
  `);
  const long = matrix({
    one: { "claude-with-the-new-prompt-of-january": 2, "claude-with-the-old-prompt-of-december": 0 },
  });
  expect(long).toMatchInlineSnapshot(`
    "
      target                            cases that pass  mean score  not steady
      claude-with-the-new-prompt-of-j…  1 of 1           1.00        ✓ none
      claude-with-the-old-prompt-of-d…  0 of 1           0.33        ✗ one
    "
  `);
  for (const line of [shown, long].join("\n").split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
