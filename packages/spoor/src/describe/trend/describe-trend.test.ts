import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { buildTrend, responseVectors, type TrendInput, type TrendReport } from "@spoor/core/internal/fingerprint/trend";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { describe, expect, it } from "vitest";
import { traceOf } from "../../../../core/test/build.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfTrend, describeTrend } from "./describe-trend.ts";
import { trendPlots } from "./plot.ts";

function point(name: string, tokens: readonly number[], calls: string[] = ["get"], model = "gpt-4.1"): TrendInput {
  const traces = tokens.map((input) => traceOf([{ model, calls, usage: { input_tokens: input, output_tokens: 1 } }]));
  return { name, runs: traces.map((trace) => runFacts(trace)), vectors: traces.flatMap(responseVectors) };
}

function reportOf(inputs: readonly TrendInput[], failOn: "none" | "tools" | "drift" = "none"): TrendReport {
  return {
    schema: "spoor.trend/1",
    tool: { name: "spoor", version: "0" },
    inputs: [],
    trend: buildTrend(inputs),
    coverage: coverageOf([]),
    gate: { failOn, tripped: failOn !== "none", reasons: [] },
  };
}

const calm = [99, 101, 100, 98, 102, 100];
const loud = [160, 161, 159, 162, 160, 158];
const drifting = [point("mon", calm), point("tue", calm), point("wed", loud)];
const otherTools = [point("v1", calm), point("v2", calm, ["get", "wire"], "gpt-5")];
const documentOf = (report: TrendReport) => describeTrend(report, { exitCode: 0, verbose: false });
const marksOf = (report: TrendReport) =>
  Object.fromEntries(checksOfTrend(report).map(({ name, mark }) => [name, mark]));

it("says on a terminal which number drifted, and where it became certain", () => {
  expect(writeTerminal(documentOf(reportOf(drifting)), createTerminalStyle())).toMatchInlineSnapshot(`
    "! The same tools throughout; tokens per run moved beyond the noise of mon.

      measure                 first       last  trend  reading
      steps per run               2          2  ▄▄▄    steady
      tool calls per run          1          1  ▄▄▄    steady
      failed steps              0 %        0 %  ▄▄▄    steady
      tokens per run            101        161  ▁▁█    drift, certain at wed
      time per step         no data    no data         not evaluated: the first
                                                       point has 0 of at least 5
                                                       values

      point  runs  behaviours  families  known paths  models
      mon       6           1         1               gpt-4.1
      tue       6           1         1        100 %  gpt-4.1
      wed       6           1         1        100 %  gpt-4.1

      Responses, first against last point: too few to tell (6 responses against 6,
      p = 1.00).
      Assumed: runs are independent and roughly normal, and the first point shows no
      drift; 5 % false alarms over the series. For the responses: responses are
      independent; turns of one conversation are not quite, so read the p-value as a
      hint.
                                                                         exit code 0
    "
  `);
});

it("says in Markdown what the agent uses now", () => {
  expect(writeMarkdown(documentOf(reportOf(otherTools)))).toMatchInlineSnapshot(`
    "### ! \`v2\` uses \`wire\`, which \`v1\` never did

    **Measures**

    | measure | first | last | trend | reading |
    |---|---:|---:|---|---|
    | steps per run | 2 | 3 | ▁█ | drift, certain at \`v2\` |
    | tool calls per run | 1 | 2 | ▁█ | drift, certain at \`v2\` |
    | failed steps | 0 % | 0 % | ▄▄ | steady |
    | tokens per run | 101 | 101 | ▄▄ | steady |
    | time per step | no data | no data |    | not evaluated: the first point has 0 of at least 5 values |

    **Points**

    | point | runs | behaviours | families | known paths | models |
    |---|---:|---:|---:|---:|---|
    | \`v1\` | 6 | 1 | 1 |  | \`gpt-4.1\` |
    | \`v2\` | 6 | 1 | 1 | 0 % | \`gpt-5\` |

    **What changed between them**

    - \`v2\`: now uses \`wire\`; model \`gpt-4.1\` → \`gpt-5\`

    Responses: too few to tell (6 responses against 6, p = 1.00).

    Assumed: runs are independent and roughly normal, and the first point shows no drift; 5 % false alarms over the series. For the responses: responses are independent; turns of one conversation are not quite, so read the p-value as a hint.

    <sub>0 traces, 0 turns · spoor 0</sub>
    "
  `);
});

it("one point is no pass, and no picture", () => {
  const report = reportOf([point("v1", calm)]);
  expect(writeTerminal(documentOf(report), createTerminalStyle())).toMatch(/^\? Only one point, v1/);
  expect(marksOf(report)["tools"]).toBe("unknown");
  expect(trendPlots(report)).toEqual([]);
});

describe("the checks", () => {
  it.each([
    { failOn: "none" as const, inputs: drifting, tools: "passed", tokens: "warning" },
    { failOn: "drift" as const, inputs: drifting, tools: "passed", tokens: "failed" },
    { failOn: "none" as const, inputs: otherTools, tools: "warning", tokens: "passed" },
    { failOn: "tools" as const, inputs: otherTools, tools: "failed", tokens: "passed" },
  ])("fail on what was asked for: $failOn", ({ failOn, inputs, tools, tokens }) => {
    expect(marksOf(reportOf(inputs, failOn))).toMatchObject({ tools, "tokens per run": tokens });
  });

  it("a number nobody recorded is never a pass", () => {
    expect(marksOf(reportOf(drifting))["time per step"]).toBe("warning");
    expect(marksOf(reportOf(drifting, "drift"))["time per step"]).toBe("unknown");
  });
});

it("marks the point of drift, and leaves a gap where nothing was recorded", () => {
  const [plot] = trendPlots(reportOf(drifting));
  const dots = plot!.shapes.filter((shape) => shape.shape === "dot");
  expect(dots.filter((dot) => dot.class === "loud")).toHaveLength(1);
  expect(plot!.shapes.filter((shape) => shape.shape === "curve")).toHaveLength(4);
  expect(plot!.shapes.some((shape) => shape.shape === "text" && shape.text === "no data")).toBe(true);
});

it.each([60, 80, 120])("keeps every line within %i columns, in ASCII when asked", (columns) => {
  for (const inputs of [drifting, otherTools]) {
    const text = writeTerminal(documentOf(reportOf(inputs)), createTerminalStyle({ columns, ascii: true }));
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  }
});
