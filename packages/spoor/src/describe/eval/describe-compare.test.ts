/** Two stored runs in words, at the width of a terminal. */
import { compareRuns, type EvalCompareReport } from "@spoor/core/internal/evals/compare-runs";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { expect, it } from "vitest";
import { runRecord } from "../../../test/run-record.ts";
import { evalCompareKind } from "../../cli/reports/eval-compare-kind.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfCompare, describeCompare } from "./describe-compare.ts";

interface Given {
  readonly passed: number;
  readonly runs: number;
  readonly extra?: Partial<RunRecord>;
}

function runs(cases: Readonly<Record<string, Given>>): RunRecord[] {
  return Object.entries(cases).flatMap(([id, { passed, runs: made, extra }]) =>
    Array.from({ length: made }, (_, index) => runRecord(id, index + 1, index < passed, extra)),
  );
}

function compare(before: readonly RunRecord[], after: readonly RunRecord[]): EvalCompareReport {
  const options = { tool: { name: "spoor", version: "0.0.0" }, inputs: [], gate: true } as const;
  return compareRuns(
    { label: "main", file: "main.jsonl", records: before },
    { label: "branch", file: "branch.jsonl", records: after },
    options,
  );
}

function terminal(report: EvalCompareReport): string {
  const exitCode = evalCompareKind.exitCode(report);
  const document = describeCompare(report, { exitCode, verbose: false });
  return `\n${writeTerminal(document, createTerminalStyle({ columns: 80 }))}`;
}

const steady = { passed: 10, runs: 10, extra: { duration_ms: 2000, token_usage: { input: 900, output: 100 } } };
const before = runs({
  "order-status": steady,
  "address-change": steady,
  "calm-return": steady,
  "damaged-item": { passed: 4, runs: 10 },
  gone: { passed: 1, runs: 1 },
});
const dearer = { duration_ms: 2000, token_usage: { input: 1800, output: 200 }, cost_usd: 0.0145 };
const after = [
  ...runs({
    "order-status": { ...steady, extra: dearer },
    "address-change": { ...steady, passed: 1, extra: dearer },
    "calm-return": { ...steady, passed: 9, extra: dearer },
    "damaged-item": { passed: 10, runs: 10 },
  }),
  runRecord("order-status", 11, false, { status: "outage", ended: "error" }),
];

it("names what got worse, with figures in total and the cases that moved", () => {
  expect(terminal(compare(before, after))).toMatchInlineSnapshot(`
    "
    ✗ branch beside main: 1 of 4 cases got worse: address-change.

      figure           main      branch    reading
      runs that pass   34 of 40  30 of 40  no proof of a change in 4 cases
      score            0.90      0.83      no proof of a change in 4 cases
      cost of a run    $0.00725  $0.01     higher: chance does this in 3 of 1,000
      tokens of a run  1,000     2,000     higher: chance does this in 3 of 1,000
      time of a run    2.0 s     2.0 s     the same

      case            main, score     branch, score   reading
      address-change  10 of 10, 1.00  1 of 10, 0.40   ✗ got worse: chance does this
                                                      in fewer than 1 of 1,000;
                                                      $0.00725 → $0.01; 1,000 →
                                                      2,000 tokens
      calm-return     10 of 10, 1.00  9 of 10, 0.93   ! fewer pass, no proof of a
                                                      change; $0.00725 → $0.01;
                                                      1,000 → 2,000 tokens
      damaged-item    4 of 10, 0.60   10 of 10, 1.00  ✓ got better: chance does this
                                                      in 11 of 1,000
      1 other case    all             alike           ✓ no change
      1 case only in main: gone.
      1 outage left out.
                                                                         exit code 1
    "
  `);
});

it("says that many small falls are one, where no case shows it alone", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `case-${index}`);
  const all = (passed: number) => runs(Object.fromEntries(ids.map((id) => [id, { passed, runs: 1 }])));
  expect(terminal(compare(all(1), all(0)))).toMatchInlineSnapshot(`
    "
    ✗ branch beside main: fewer runs pass, 100 % of them before and 0 % now, and no
      case shows it alone.

      figure           main      branch    reading
      runs that pass   12 of 12  0 of 12   lower: chance does this in 1 of 1,000
      score            1.00      0.33      lower: chance does this in 1 of 1,000
      cost of a run    $0.00725  $0.00725  the same
      tokens of a run  -         -         not known on both sides
      time of a run    -         -         not known on both sides

      case     main, score   branch, score  reading
      case-0   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-1   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-2   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-3   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-4   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-5   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-6   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-7   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-8   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-9   1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-10  1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
      case-11  1 of 1, 1.00  0 of 1, 0.33   ! fewer pass, no proof of a change
                                                                         exit code 1
    "
  `);
});

it("says that nothing changed, and of what nothing is known", () => {
  const outage = runRecord("calm-return", 1, false, { status: "outage", ended: "error" });
  const one = runs({ "order-status": { passed: 1, runs: 1 } });
  expect(terminal(compare(one, one))).toMatchInlineSnapshot(`
    "
    ✓ branch beside main: no proof of a change in 1 case.

      figure           main      branch    reading
      runs that pass   1 of 1    1 of 1    the same
      score            1.00      1.00      the same
      cost of a run    $0.00725  $0.00725  the same
      tokens of a run  -         -         not known on both sides
      time of a run    -         -         not known on both sides

      case    main, score  branch, score  reading
      1 case  all          alike          ✓ no change
                                                                         exit code 0
    "
  `);
  expect(terminal(compare([...one, runRecord("calm-return", 1, true)], [...one, outage]))).toMatchInlineSnapshot(`
    "
    ? branch beside main: 1 of 2 cases could not be compared: calm-return.

      figure           main      branch    reading
      runs that pass   2 of 2    1 of 1    the same
      score            1.00      1.00      the same
      cost of a run    $0.00725  $0.00725  the same
      tokens of a run  -         -         not known on both sides
      time of a run    -         -         not known on both sides

      case          main, score   branch, score  reading
      calm-return   1 of 1, 1.00  -              ? not compared: no run was judged
                                                 on one side
      1 other case  all           alike          ✓ no change
      1 outage left out.
                                                                         exit code 2
    "
  `);
});

it("is a table that a reviewer reads in a comment", () => {
  const report = compare(before, after);
  const document = describeCompare(report, { exitCode: 1, verbose: false });
  expect(`\n${writeMarkdown(document)}`).toMatchInlineSnapshot(`
    "
    ### ✗ \`branch\` beside \`main\`: 1 of 4 cases got worse: \`address-change\`

    | figure | main | branch | reading |
    |---|---|---|---|
    | runs that pass | 34 of 40 | 30 of 40 | no proof of a change in 4 cases |
    | score | 0.90 | 0.83 | no proof of a change in 4 cases |
    | cost of a run | $0.00725 | $0.01 | higher: chance does this in 3 of 1,000 |
    | tokens of a run | 1,000 | 2,000 | higher: chance does this in 3 of 1,000 |
    | time of a run | 2.0 s | 2.0 s | the same |

    | case | main, score | branch, score | reading |
    |---|---|---|---|
    | \`address-change\` | 10 of 10, 1.00 | 1 of 10, 0.40 | ✗ got worse: chance does this in fewer than 1 of 1,000; $0.00725 → $0.01; 1,000 → 2,000 tokens |
    | \`calm-return\` | 10 of 10, 1.00 | 9 of 10, 0.93 | ! fewer pass, no proof of a change; $0.00725 → $0.01; 1,000 → 2,000 tokens |
    | \`damaged-item\` | 4 of 10, 0.60 | 10 of 10, 1.00 | ✓ got better: chance does this in 11 of 1,000 |
    | 1 other case | all | alike | ✓ no change |

    1 case only in \`main\`: \`gone\`.

    1 outage left out.

    <sub>81 traces, 162 turns · spoor 0.0.0</sub>
    "
  `);
});

it("has a check for every case; one without a judged run is no pass", () => {
  const outage = runRecord("calm-return", 1, false, { status: "outage", ended: "error" });
  const made = compare([...before], [...after.filter(({ eval_id }) => eval_id !== "calm-return"), outage]);
  expect(checksOfCompare(made).map(({ name, mark }) => [name, mark])).toEqual([
    ["order-status", "passed"],
    ["address-change", "failed"],
    ["damaged-item", "passed"],
    ["calm-return", "unknown"],
  ]);
});
