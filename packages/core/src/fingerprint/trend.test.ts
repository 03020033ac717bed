import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { runFacts } from "./run-facts.ts";
import { buildTrend, responseVectors, type TrendInput } from "./trend.ts";

function point(name: string, tokens: readonly number[], calls: string[] = ["a"], model = "m"): TrendInput {
  const traces = tokens.map((input) => traceOf([{ model, calls, usage: { input_tokens: input, output_tokens: 1 } }]));
  return { name, runs: traces.map((trace) => runFacts(trace)), vectors: traces.flatMap(responseVectors) };
}

const calm = [99, 101, 100, 98, 102, 100];

it("tells drift from noise, and where it became certain", () => {
  const trend = buildTrend([point("mon", calm), point("tue", calm), point("wed", [160, 161, 159, 162, 160, 158])]);
  const tokens = trend.measures.find((measure) => measure.name === "tokens")!;
  expect(tokens.detector).toMatchObject({ state: "drift", at: "wed" });
  // 161/101 tokens per run: (161 - 101) / 101.
  expect(tokens.changePercent).toBeCloseTo((60 / 101) * 100, 0);
  expect(trend.measures.find((measure) => measure.name === "tool_calls")!.detector.state).toBe("steady");
});

it("says what changed between points", () => {
  const trend = buildTrend([point("v1", calm), point("v2", calm, ["a", "b"], "m2")]);
  expect(trend.changes).toEqual([
    { from: "v1", to: "v2", newTools: ["b"], lostTools: [], modelsBefore: ["m"], modelsNow: ["m2"] },
  ]);
  expect(trend.points.map((one) => one.knownPaths)).toEqual([null, 0]);
});

it("too few values are not evaluated, missing ones are null", () => {
  const trend = buildTrend([point("v1", [1, 2])]);
  expect(trend.measures.every((measure) => measure.detector.state === "not_evaluated")).toBe(true);
  expect(trend.measures.find((measure) => measure.name === "latency")!.values).toEqual([null]);
  expect(trend.responses).toEqual({ why: "there is only one point" });
});
