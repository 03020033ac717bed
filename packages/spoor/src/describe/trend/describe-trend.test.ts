import { trendReasons } from "@spoor/core/internal/fingerprint/judge-trend";
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
  return { name, runs: traces.map((trace) => runFacts(trace)), responses: traces.map(responseVectors) };
}

function reportOf(inputs: readonly TrendInput[], failOn: "none" | "tools" | "drift" = "none"): TrendReport {
  const trend = buildTrend(inputs);
  const reasons = trendReasons(trend.judgement, failOn);
  return {
    schema: "spoor.trend/1",
    tool: { name: "spoor", version: "0" },
    inputs: [],
    trend,
    coverage: coverageOf([]),
    gate: { failOn, tripped: reasons.length > 0, reasons },
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
    "! Tokens per run 161 from wed on, 101 before (p = 0.0005).

      measure                 first       last  trend   reading
      tools used                  1          1          no movement
      known paths                        100 %   ▄▄     no movement
      steps per run               2          2  ▄▄▄     no movement
      tool calls per run          1          1  ▄▄▄     no movement
      failed steps              0 %        0 %  ▄▄▄     no movement
      tokens per run            101        161  ▁▁█     drift from wed on
                                                        (p = 0.0005)
      time per step         no data    no data          not evaluated: recorded at
                                                        fewer than two points
      responses                   6          6  T2 0.0  no movement

      point  runs  behaviours  families  known paths  models
      mon       6           1         1               gpt-4.1
      tue       6           1         1        100 %  gpt-4.1
      wed       6           1         1        100 %  gpt-4.1

      The runs were handed to the points in 2,000 ways; drift is what fewer than 5 %
      of them show, corrected for all questions together (Westfall and Young).
      Assumed: runs are independent, and the points had the same kind of work to do.
                                                                         exit code 0
    "
  `);
});

it("says in Markdown what the agent uses now", () => {
  expect(writeMarkdown(documentOf(reportOf(otherTools)))).toMatchInlineSnapshot(`
    "### ! \`v2\` uses \`wire\`, which no earlier point did

    - 6 of 6 runs from \`v2\` on take a path that no run before took (p = 0.0022).
    - Steps per run 3 from \`v2\` on, 2 before (p = 0.0022).
    - Tool calls per run 2 from \`v2\` on, 1 before (p = 0.0022).
    - The responses of \`v2\` behave otherwise than those of the first point (p = 0.0022).

    **Measures**

    | measure | first | last | trend | reading |
    |---|---:|---:|---|---|
    | tools used | 1 | 2 |  | drift from \`v2\` on (p = 0.0022) |
    | known paths |  | 0 % |  ▄ | drift from \`v2\` on (p = 0.0022) |
    | steps per run | 2 | 3 | ▁█ | drift from \`v2\` on (p = 0.0022) |
    | tool calls per run | 1 | 2 | ▁█ | drift from \`v2\` on (p = 0.0022) |
    | failed steps | 0 % | 0 % | ▄▄ | no movement |
    | tokens per run | 101 | 101 | ▄▄ | within noise (p = 1.00) |
    | time per step | no data | no data |    | not evaluated: recorded at fewer than two points |
    | responses | 6 | 6 |  | drift from \`v2\` on (p = 0.0022) |

    **Points**

    | point | runs | behaviours | families | known paths | models |
    |---|---:|---:|---:|---:|---|
    | \`v1\` | 6 | 1 | 1 |  | \`gpt-4.1\` |
    | \`v2\` | 6 | 1 | 1 | 0 % | \`gpt-5\` |

    **What changed between them**

    - \`v2\`: now uses \`wire\`; model \`gpt-4.1\` → \`gpt-5\`

    The runs were handed to the points in all 924 ways; drift is what fewer than 5 % of them show, corrected for all questions together (Westfall and Young). Assumed: runs are independent, and the points had the same kind of work to do.

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
    { failOn: "drift" as const, inputs: otherTools, tools: "failed", tokens: "passed" },
  ])("fail on what was asked for: $failOn", ({ failOn, inputs, tools, tokens }) => {
    expect(marksOf(reportOf(inputs, failOn))).toMatchObject({ tools, "tokens per run": tokens });
  });

  it("a number nobody recorded is never a pass", () => {
    expect(marksOf(reportOf(drifting))["time per step"]).toBe("warning");
    expect(marksOf(reportOf(drifting, "drift"))["time per step"]).toBe("unknown");
  });
});

describe("the pictures", () => {
  const plotOf = (inputs: readonly TrendInput[], label: string) =>
    trendPlots(reportOf(inputs)).find((plot) => plot.title.startsWith(label))!;
  const texts = (inputs: readonly TrendInput[], label: string) =>
    plotOf(inputs, label).shapes.flatMap((shape) => (shape.shape === "text" ? [shape.text] : []));

  it("mark the points that drifted, and say so", () => {
    const { shapes, title } = plotOf(drifting, "tokens");
    const dots = shapes.filter((shape) => shape.shape === "dot");
    expect(dots.map((dot) => dot.class)).toEqual(["series-0", "series-0", "loud"]);
    expect(title).toMatch(/^tokens per run: drift from wed on/);
  });

  it("have a numbered axis, the names of the points and a band for the noise", () => {
    const numbers = texts(drifting, "tokens").filter((text) => /^\d/.test(text));
    expect(numbers).toHaveLength(2);
    expect(texts(drifting, "tokens")).toEqual(expect.arrayContaining(["mon", "tue", "wed"]));
    expect(plotOf(drifting, "tokens").shapes.filter((shape) => shape.shape === "band")).toHaveLength(3);
  });

  it("are not drawn of what nobody recorded; what never moved has no noise to draw", () => {
    expect(trendPlots(reportOf(drifting)).some((plot) => plot.title.startsWith("time per step"))).toBe(false);
    expect(plotOf(drifting, "steps").shapes.some((shape) => shape.shape === "band")).toBe(false);
    expect(texts(drifting, "steps")).toContain("no movement");
  });

  it("stay within their frame, also with long names and many points", () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      point(`a release with a long name ${at}`, at < 30 ? calm : loud),
    );
    for (const plot of trendPlots(reportOf(many))) {
      for (const shape of plot.shapes)
        if (shape.shape === "dot" || shape.shape === "text")
          expect(shape.x > 0 && shape.x < plot.width && shape.y > 0 && shape.y < plot.height).toBe(true);
      // The first and the last, whole.
      const said = plot.shapes.flatMap((shape) => (shape.shape === "text" ? [shape.text] : [])).join(" ");
      for (const at of [0, 39]) expect(said).toContain(`a release with a long name ${at}`);
      expect(said).not.toContain("…");
    }
  });
});

it.each([60, 80, 120])("keeps every line within %i columns, in ASCII when asked", (columns) => {
  for (const inputs of [drifting, otherTools]) {
    const text = writeTerminal(documentOf(reportOf(inputs)), createTerminalStyle({ columns, ascii: true }));
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  }
});
