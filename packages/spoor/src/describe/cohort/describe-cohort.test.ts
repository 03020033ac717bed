import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { compareCohorts } from "@spoor/core/internal/cohort/compare-cohorts";
import { gateCohort } from "@spoor/core/internal/cohort/gate-cohort";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { createRandom } from "@spoor/core/internal/stats/random";
import { describe, expect, it } from "vitest";
import { cohort, noisyRun, run } from "../../../../core/test/cohort.ts";
import { plainText } from "../../document/text.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfCohort, cohortSection, describeCohort } from "./describe-cohort.ts";
import { cohortPlots } from "./plots.ts";

function reportOf(runs: readonly CohortRun[], require?: "unchanged"): CohortReport {
  const result = compareCohorts(runs, { seed: 42 });
  return {
    schema: "spoor.cohort/1",
    tool: { name: "spoor", version: "0" },
    inputs: [
      { role: "baseline", path: "a" },
      { role: "candidate", path: "b" },
    ],
    ...result,
    coverage: coverageOf([]),
    gate: gateCohort(result, require),
  };
}

const documentOf = (report: CohortReport) =>
  describeCohort(report, { exitCode: report.gate.tripped ? 1 : 0, verbose: false });
const origin = (side: string, scenario: string) => ({
  path: `${side}/${scenario.replace(" ", "-")}.json`,
  format: "test",
});

const skips = cohort(8, 1, (scenario, side) =>
  run(scenario, side, side === "baseline" ? ["get", "confirm"] : ["get"], { origin: origin(side, scenario) }),
);
const wires = cohort(8, 1, (scenario, side) =>
  run(scenario, side, side === "baseline" ? ["get"] : ["get", "wire"], { origin: origin(side, scenario) }),
);
const few = cohort(5, 1, (scenario, side) => run(scenario, side, ["get", "refund"]));

describe("a change", () => {
  it("is told on a terminal", () => {
    expect(writeTerminal(documentOf(reportOf(wires)), createTerminalStyle())).toMatchInlineSnapshot(`
      "✗ Changed (p = 0.0078): wire in 100 % of runs instead of 0 %, 8.0 times noise.
        Also changed: effects, turn-taking and effort.

        8 scenarios with 1 run a side of each: 8 baseline runs and 8 candidate runs.
        Compared with all 256 ways to relabel the runs: 0.78 % look at least as much
        like a change. "Changed" needs 5 % or fewer.
        Could have moved unseen: calls of get (by 31 points) and runs that end with
        end_turn (by 31 points).

        aspect       size              what moved, candidate first
        tools        8.0 times noise   wire in 100 % of runs instead of 0 %
        effects      8.0 times noise   1.0 effects in a typical run instead of 0
                                       wire takes effect 1.0 times in a typical run
                                       instead of 0
        turn-taking  8.0 times noise   0.67 calls per response in a typical run
                                       instead of 0.50
                                       2.0 responses without text in a typical run
                                       instead of 1.0
        effort       8.0 times noise   3.0 responses in a typical run instead of 2.0
                                       2.0 tool calls in a typical run instead of 1.0
        No change found in order, arguments, outcome and wording.
        1.0 times noise is what relabelling the same runs gives on average. "Typical"
        is the geometric mean over runs. A change is not a verdict on better or worse.

        First seen: facts, whatever the verdict. To forbid a tool: policy rule no_call
          wire is called in 8 of 8 candidate runs and in none of 8 baseline runs;
          chance alone would do this in 4 of 1,000 comparisons.

        Candidate runs furthest from the baseline (0: same path and effects, 1:
        unrelated)
          scenario  run          distance  among baseline
          task 0    task-0.json      0.88  no repeats
          task 1    task-1.json      0.88  no repeats
          task 2    task-2.json      0.88  no repeats

        Coverage  0 traces, 0 turns and 0 tool calls read
        Blocked by the verdict.                                            exit code 1
        Next: spoor diff baseline/task-0.json candidate/task-0.json
      "
    `);
  });

  it("is told in Markdown", () => {
    expect(writeMarkdown(documentOf(reportOf(skips)))).toMatchInlineSnapshot(`
      "### ✗ Changed (p = 0.0078): \`confirm\` in 0 % of runs instead of 100 %, 8.0 times noise
      Also changed: effects, turn-taking and effort.

      8 scenarios with 1 run a side of each: 8 baseline runs and 8 candidate runs. Compared with all 256 ways to relabel the runs: 0.78 % look at least as much like a change. "Changed" needs 5 % or fewer.

      Could have moved unseen: calls of \`get\` (by 31 points) and runs that end with \`end_turn\` (by 31 points).

      **What moved**

      | aspect | size | what moved, candidate first |
      |---|---|---|
      | tools | 8.0 times noise | \`confirm\` in 0 % of runs instead of 100 % |
      | effects | 8.0 times noise | 0 effects in a typical run instead of 1.0<br>\`confirm\` takes effect 0 times in a typical run instead of 1.0 |
      | turn-taking | 8.0 times noise | 0.50 calls per response in a typical run instead of 0.67<br>1.0 responses without text in a typical run instead of 2.0 |
      | effort | 8.0 times noise | 2.0 responses in a typical run instead of 3.0<br>1.0 tool calls in a typical run instead of 2.0 |

      No change found in order, arguments, outcome and wording.

      1.0 times noise is what relabelling the same runs gives on average. "Typical" is the geometric mean over runs. A change is not a verdict on better or worse.

      <details><summary>Every rate and size with its interval</summary>

      | rate or size | seen | change could be | tolerance | reading |
      |---|---|---|---:|---|
      | calls of \`confirm\` | 100 % → 0 % | −100 to −69 points | ±20 | **beyond** |
      | calls of \`get\` | 100 % → 100 % | −31 to +31 points | ±20 | **beyond** |
      | runs that end with \`end_turn\` | 100 % → 100 % | −31 to +31 points | ±20 | **beyond** |
      | the number of tool calls |  | −33 to −33 % | ±25 % | **beyond** |
      | the number of responses |  | −25 to −25 % | ±25 % | **beyond** |
      | the number of effects |  | −50 to −50 % | ±25 % | **beyond** |
      | the length of the texts |  | 0 to 0 % | ±25 % | within |

      </details>

      <details><summary>Candidate runs furthest from the baseline</summary>

      | scenario | run | distance | among baseline | nearest baseline run |
      |---|---|---:|---|---|
      | \`task 0\` | \`task-0.json\` | 0.88 | no repeats | \`task-0.json\` (0.88) |
      | \`task 1\` | \`task-1.json\` | 0.88 | no repeats | \`task-1.json\` (0.88) |
      | \`task 2\` | \`task-2.json\` | 0.88 | no repeats | \`task-2.json\` (0.88) |
      | \`task 3\` | \`task-3.json\` | 0.88 | no repeats | \`task-3.json\` (0.88) |
      | \`task 4\` | \`task-4.json\` | 0.88 | no repeats | \`task-4.json\` (0.88) |
      | \`task 5\` | \`task-5.json\` | 0.88 | no repeats | \`task-5.json\` (0.88) |
      | \`task 6\` | \`task-6.json\` | 0.88 | no repeats | \`task-6.json\` (0.88) |
      | \`task 7\` | \`task-7.json\` | 0.88 | no repeats | \`task-7.json\` (0.88) |

      </details>

      <details><summary>Notes</summary>

      - Coverage: 0 traces, 0 turns and 0 tool calls read

      </details>

      Blocked by the verdict.

      Next: \`npx spoor diff baseline/task-0.json candidate/task-0.json\`

      <sub>0 traces, 0 turns · seed 42 · spoor 0</sub>
      "
    `);
  });

  it("fails the verdict and the aspects it was found in", () => {
    const checks = checksOfCohort(reportOf(skips)).map(({ name, mark, message }) => [name, mark, plainText(message)]);
    expect(checks).toMatchInlineSnapshot(`
      [
        [
          "verdict",
          "failed",
          "Changed (p = 0.0078): confirm in 0 % of runs instead of 100 %, 8.0 times noise. Also changed: effects, turn-taking and effort.",
        ],
        [
          "tools",
          "failed",
          "tools changed: confirm in 0 % of runs instead of 100 %.",
        ],
        [
          "order",
          "passed",
          "order: no change beyond the agent's own noise.",
        ],
        [
          "arguments",
          "passed",
          "arguments: no change beyond the agent's own noise.",
        ],
        [
          "effects",
          "failed",
          "effects changed: 0 effects in a typical run instead of 1.0; confirm takes effect 0 times in a typical run instead of 1.0.",
        ],
        [
          "effort",
          "failed",
          "effort changed: 2.0 responses in a typical run instead of 3.0; 1.0 tool calls in a typical run instead of 2.0.",
        ],
        [
          "turn-taking",
          "failed",
          "turn-taking changed: 0.50 calls per response in a typical run instead of 0.67; 1.0 responses without text in a typical run instead of 2.0.",
        ],
        [
          "outcome",
          "passed",
          "outcome: no change beyond the agent's own noise.",
        ],
        [
          "wording",
          "passed",
          "wording: no change beyond the agent's own noise.",
        ],
      ]
    `);
  });

  it("names the runs to look at as places", () => {
    expect(checksOfCohort(reportOf(skips))[0]!.places[0]).toMatchObject({
      trace: "task-0.json",
      path: "candidate/task-0.json",
    });
  });
});

describe("too little evidence", () => {
  it("is told in Markdown", () => {
    expect(writeMarkdown(documentOf(reportOf(few)))).toMatchInlineSnapshot(`
      "### ? Not enough evidence: all runs are alike, but calls of \`get\` could have moved by 45 points unseen
      About 14 runs a side would settle it (now 5).

      5 scenarios with 1 run a side of each: 5 baseline runs and 5 candidate runs. Compared with all 32 ways to relabel the runs: 100 % look at least as much like a change. "Changed" needs 5 % or fewer.

      Below six scenarios with one run a side, expect nothing: there are too few ways to relabel the runs.

      **This is not a pass**: a change may have happened and been missed.

      - For example 3 runs a side of each scenario instead of 1, or 14 scenarios instead of 5.
      - Even if every run agreed, "unchanged" would need at least 14 runs a side: what never happened in fewer may still be common.

      <details><summary>Every rate and size with its interval</summary>

      | rate or size | seen | change could be | tolerance | reading |
      |---|---|---|---:|---|
      | calls of \`get\` | 100 % → 100 % | −45 to +45 points | ±20 | **beyond** |
      | calls of \`refund\` | 100 % → 100 % | −45 to +45 points | ±20 | **beyond** |
      | runs that end with \`end_turn\` | 100 % → 100 % | −45 to +45 points | ±20 | **beyond** |
      | the number of tool calls |  | 0 to 0 % | ±25 % | within |
      | the number of responses |  | 0 to 0 % | ±25 % | within |
      | the number of effects |  | 0 to 0 % | ±25 % | within |
      | the length of the texts |  | 0 to 0 % | ±25 % | within |

      </details>

      <details><summary>Notes</summary>

      - Coverage: 0 traces, 0 turns and 0 tool calls read

      </details>

      Next: \`npx spoor cohort plan a\`

      <sub>0 traces, 0 turns · seed 42 · spoor 0</sub>
      "
    `);
  });

  it.each([
    { require: undefined, mark: "warning" },
    { require: "unchanged" as const, mark: "failed" },
  ])("is one check and never a pass ($mark)", ({ require, mark }) => {
    expect(checksOfCohort(reportOf(few, require)).map((check) => check.mark)).toEqual([mark]);
  });

  it("fits into the page of a gate", () => {
    const section = cohortSection(reportOf(few));
    expect(section.id).toBe("cohort");
    expect(section.blocks.map(({ kind }) => kind)).toContain("paragraph");
  });
});

it("an unchanged agent passes every aspect", () => {
  const same = reportOf(cohort(20, 1, (scenario, side) => run(scenario, side, ["get", "confirm"])));
  expect(new Set(checksOfCohort(same).map(({ mark }) => mark))).toEqual(new Set(["passed"]));
});

it("draws the signals against noise and the intervals against their tolerances", () => {
  expect(cohortPlots(reportOf(skips)).map(({ title }) => title)).toEqual([
    "Signals against noise",
    "What could have changed unseen",
  ]);
});

describe("the terminal", () => {
  const random = createRandom(7);
  const noisy = reportOf(cohort(12, 2, (scenario, side) => noisyRun(scenario, side, random)));
  const reports = [reportOf(skips), reportOf(wires), reportOf(few), noisy];

  it.each([60, 80, 120])("keeps every line within %i columns", (columns) => {
    for (const report of reports) {
      for (const line of writeTerminal(documentOf(report), createTerminalStyle({ columns })).split("\n"))
        if (!line.includes("Next:")) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it("needs no more than ASCII when asked", () => {
    for (const report of reports)
      expect(writeTerminal(documentOf(report), createTerminalStyle({ ascii: true }))).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

it("a change that is spread over several aspects names them, and never says that none changed", () => {
  const report = reportOf(skips);
  const quiet = {
    ...report,
    aspects: report.aspects.map((aspect) => ({
      ...aspect,
      changed: false,
      items: [],
      signals: aspect.signals.map((signal) => ({ ...signal, adjusted: signal.adjusted === null ? null : 0.4 })),
    })),
  };
  const text = writeTerminal(documentOf(quiet), createTerminalStyle({ columns: 200 }));
  expect(text).toContain("spread over several aspects");
  expect(text).toContain(
    "Each aspect alone could be noise; that so many lean at once could not: tools (8.0 times noise)",
  );
  expect(text).not.toContain("No change found");
  expect(text).not.toContain("what moved, candidate first");
});

describe("the headline", () => {
  const headline = (report: CohortReport) =>
    writeTerminal(documentOf(report), createTerminalStyle({ columns: 200 })).split("\n")[0]!;

  it("takes the aspect that moved most in units of noise, not the first of a list", () => {
    const report = reportOf(skips);
    const signal = { kind: "shift", of: "outcome", ratio: 17, noise: 3, p: 0.001, adjusted: 0.001 } as const;
    const item = {
      item: "failed",
      measure: "failed",
      baselineMean: 0.37,
      candidateMean: 0.21,
      z: -4,
      adjusted: 0.001,
    } as const;
    const aspects = report.aspects.map((aspect) =>
      aspect.aspect === "outcome" ? { ...aspect, changed: true, signals: [signal], items: [item] } : aspect,
    );
    expect(headline({ ...report, aspects })).toBe(
      "✗ Changed (p = 0.0078): 21 % of runs have a failed call instead of 37 %, 17 times noise. Also changed: tools, effects, turn-taking and effort.",
    );
  });

  it("an aspect that is loud but does not count does not lead", () => {
    const report = reportOf(skips);
    const aspects = report.aspects.map((aspect) =>
      aspect.aspect === "order"
        ? {
            ...aspect,
            signals: [{ kind: "shift", of: "order", ratio: 99, noise: 100, p: 0.2, adjusted: 0.4 } as const],
          }
        : aspect,
    );
    expect(headline({ ...report, aspects })).toMatch(/^✗ Changed \(p = 0\.0078\): confirm in 0 %/);
  });
});

describe("a rate that moved alone beside a verdict that found nothing", () => {
  const report = reportOf(
    cohort(12, 1, (scenario, side) =>
      noisyRun(scenario, side, createRandom(scenario.length + (side === "baseline" ? 7 : 9))),
    ),
  );
  const withInterval = (low: number, high: number): CohortReport => ({
    ...report,
    verdict: "not_enough_evidence",
    p: 0.23,
    intervals: {
      critical: 2.5,
      items: [
        { ...report.intervals!.items[0]!, low, high, inside: false },
        ...report.intervals!.items.slice(1).map((item) => ({ ...item, low: -1, high: 1 })),
      ],
    },
  });
  const textOf = (one: CohortReport) => writeMarkdown(documentOf(one));

  it.each([
    [-0.36, -0.03],
    [0.05, 0.4],
  ])("is explained when its values leave out 0 (%f to %f)", (low, high) => {
    expect(textOf(withInterval(low, high))).toMatch(
      /Taken alone, .* moved: 0 is not among the values the runs allow\. It is one of \d+ rates and sizes.*23 of 100 comparisons/,
    );
  });

  it("needs no word when they do not, or when the verdict is a change", () => {
    expect(textOf(withInterval(-0.36, 0.03))).not.toContain("Taken alone");
    expect(textOf({ ...withInterval(-0.36, -0.03), verdict: "changed" })).not.toContain("Taken alone");
  });
});
