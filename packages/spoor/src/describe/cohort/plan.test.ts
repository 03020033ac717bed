import { type CohortPlanReport, planCohort } from "@spoor/core/internal/cohort/plan-cohort";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { expect, it } from "vitest";
import { cohort, run } from "../../../../core/test/cohort.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { describePlan } from "./plan.ts";
import { powerPlots } from "./plan-plot.ts";

function reportOf(repeats: number): CohortPlanReport {
  const runs = cohort(6, repeats, (scenario, side) => run(scenario, side, ["get", "confirm", "refund"]));
  return {
    schema: "spoor.cohort-plan/1",
    tool: { name: "spoor", version: "0" },
    inputs: [{ role: "baseline", path: "runs" }],
    ...planCohort(
      runs.filter(({ side }) => side === "baseline"),
      { rounds: 10 },
    ),
    coverage: coverageOf([]),
    gate: { failOn: "none", tripped: false, reasons: [] },
  };
}

it("says on a terminal which changes would be found", () => {
  expect(writeTerminal(describePlan(reportOf(2)), createTerminalStyle())).toMatchInlineSnapshot(`
    "? Plan: with 6 scenarios and 6 runs a side, 0 of 7 changes in half of the runs
      would be found reliably. Reliably is 8 times of 10.

      Found in up to 10 simulated comparisons each: the agent's own repeats, split
      at random, with a change planted into a share of the candidate runs.

      the agent                                         20 %   50 %  100 %
      calls a tool that no run called before             0 %    0 %  100 %
      calls its commonest tool once less                 0 %    0 %  100 %
      passes another value in one call                   0 %    0 %    0 %
      makes two neighbouring calls in the other order    0 %    0 %    0 %
      makes its first call three times                   0 %    0 %  100 %
      says half as much again                            0 %    0 %  100 %
      changes its calls in each scenario another way     0 %    0 %    0 %
      nothing planted: false alarms                      0 %

      Each share is good to about 31 points; --rounds N makes it better. Wording is
      asked about only where it is what changed.

      What two runs of each scenario would buy (a change in every run)
      Found reliably: 4 of 7 changes with one run of each scenario, 6 with two runs
      of each, 5 with one run of twice as many scenarios. More scenarios show what
      moves the same way everywhere; only repeats show what moves another way in
      each.
      the agent                                  6 × 1  6 × 2*  12 × 1*  runs a side
      calls a tool that no run called before     100 %   100 %    100 %            6
      calls its commonest tool once less         100 %   100 %    100 %            6
      passes another value in one call             0 %     0 %      0 %         > 12
      makes two neighbouring calls in the          0 %   100 %    100 %           12
      other order
      makes its first call three times           100 %   100 %    100 %            6
      says half as much again                    100 %   100 %    100 %            6
      changes its calls in each scenario           0 %   100 %      0 %           12
      another way
      Columns are scenarios × runs a side of each; "runs a side" is the smallest
      that finds it 8 times of 10. * is drawn from fewer recordings than it needs,
      some of them twice: on the kind side.

      A tool that no run called before is found with this many runs a side, by the
      share of candidate runs that call it: 134 for 5 %, 66 for 10 %, 33 for 20 %,
      12 for 50 %, 5 for 100 %.
      A change of 25 % in a size is found with this many runs a side: 0 for tool
      calls, 0 for responses, 0 for characters of text.
      Single questions asked alone; under the whole family of signals expect 1.5 to
      2 times as many.
      Next: spoor cohort runs CANDIDATE
    "
  `);
});

it("asks for repeats where there are none, and draws nothing", () => {
  expect(writeMarkdown(describePlan(reportOf(1)))).toMatchInlineSnapshot(`
    "### ? No repeats: 6 scenarios have one run each, so this agent's noise is unknown
    Record at least two runs of each scenario.

    A tool that no run called before is found with this many runs a side, by the share of candidate runs that call it: 134 for 5 %, 66 for 10 %, 33 for 20 %, 12 for 50 %, 5 for 100 %.

    Single questions asked alone; under the whole family of signals expect 1.5 to 2 times as many.

    Next: \`npx spoor cohort runs CANDIDATE\`

    <sub>0 traces, 0 turns · spoor 0</sub>
    "
  `);
  expect(powerPlots(reportOf(1))).toEqual([]);
});

it("draws a dot per change and way to spend runs, and one per way in the legend", () => {
  const report = reportOf(2);
  const [plot] = powerPlots(report);
  const dots = 3 * report.simulation!.changes.length + 3;
  expect(plot!.shapes.filter(({ shape }) => shape === "dot")).toHaveLength(dots);
  expect(plot!.description).toContain("with 6 × 2 runs");
});
