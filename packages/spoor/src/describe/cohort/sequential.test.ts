import { createSequentialCohort, type SequentialReport } from "@spoor/core/internal/cohort/sequential-cohort";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { expect, it } from "vitest";
import { cohort, run } from "../../../../core/test/cohort.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfSequential, describeSequential } from "./sequential.ts";

function reportOf(pairs: number): SequentialReport {
  const watched = createSequentialCohort(0.05);
  for (const one of cohort(pairs, 1, (scenario, side) =>
    run(scenario, side, side === "baseline" ? ["get", "confirm"] : ["get"]),
  ))
    watched.add(one);
  const state = watched.state();
  return {
    schema: "spoor.cohort-sequential/1",
    tool: { name: "spoor", version: "0" },
    inputs: [
      { role: "baseline", path: "a" },
      { role: "candidate", path: "b" },
    ],
    alpha: 0.05,
    ...state,
    coverage: coverageOf([]),
    gate: { failOn: "changed", tripped: state.verdict === "changed", reasons: [] },
  };
}

it("says on a terminal how far the stake has grown", () => {
  const text = writeTerminal(describeSequential(reportOf(4), { exitCode: 0, verbose: false }), createTerminalStyle());
  expect(text).toMatchInlineSnapshot(`
    "? Not enough evidence: 4 pairs of runs do not settle it. This is not a pass: the
      sequential test can find a change, never its absence.

      A stake of 1 that bets on "the next pair differs like the ones before" has
      grown to 1.5; 20 decides.
      Most evidence in tools (1.9), effects (1.9) and effort (1.9).
      Next: spoor cohort a b                                             exit code 0
    "
  `);
});

it("says in Markdown when a change is certain", () => {
  expect(writeMarkdown(describeSequential(reportOf(40), { exitCode: 1, verbose: false }))).toMatchInlineSnapshot(`
    "### ✗ Changed: the evidence suffices after 12 pairs of runs
    Looking after every pair is paid for: chance alone gets here in at most 5 of 100 recordings.

    A stake of 1 that bets on "the next pair differs like the ones before" has grown to 9,529,965; 20 decides.

    Most evidence in tools (19,059,929), effects (19,059,929) and effort (19,059,929).

    **Evidence by aspect**

    | aspect | a stake of 1 is now |
    |---|---:|
    | tools | 19,059,929 |
    | effects | 19,059,929 |
    | effort | 19,059,929 |
    | outcome | 1.0 |
    | words | 1.0 |
    | form of the text | 1.0 |

    Next: \`npx spoor cohort a b\`

    <sub>0 traces, 0 turns · spoor 0</sub>
    "
  `);
});

it.each([
  { pairs: 0, mark: "warning" },
  { pairs: 4, mark: "warning" },
  { pairs: 40, mark: "failed" },
])("$pairs pairs are a $mark, never a pass", ({ pairs, mark }) => {
  expect(checksOfSequential(reportOf(pairs)).map((check) => check.mark)).toEqual([mark]);
});
