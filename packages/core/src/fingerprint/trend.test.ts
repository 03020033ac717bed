import { describe, expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { isUnanswered, trendReasons } from "./judge-trend.ts";
import { runFacts } from "./run-facts.ts";
import { buildTrend, responseVectors, type Trend, type TrendInput } from "./trend.ts";

interface Shape {
  readonly calls?: readonly string[];
  readonly tokens?: number;
  readonly text?: string;
  readonly turns?: number;
}

function point(name: string, shapes: readonly Shape[], scenarios?: readonly string[]): TrendInput {
  const traces = shapes.map(({ calls = ["a"], tokens = 100, text = "", turns = 1 }) =>
    traceOf(
      Array.from({ length: turns }, () => ({
        model: "m",
        calls: [...calls],
        text,
        usage: { input_tokens: tokens, output_tokens: 1 },
      })),
    ),
  );
  return {
    name,
    runs: traces.map((trace) => runFacts(trace)),
    responses: traces.map(responseVectors),
    ...(scenarios === undefined ? {} : { scenarios }),
  };
}

const calm = [99, 101, 100, 98, 102, 100].map((tokens) => ({ tokens }));
const loud = [160, 161, 159, 162, 160, 158].map((tokens) => ({ tokens }));
const measure = (trend: Trend, name: string) => trend.measures.find((one) => one.name === name)!;
const codes = (trend: Trend) => trend.judgement.findings.map(({ code, weight }) => `${code} ${weight}`);

it("tells drift from noise, and from which point on", () => {
  const trend = buildTrend([point("mon", calm), point("tue", calm), point("wed", loud)]);
  expect(measure(trend, "tokens").test).toMatchObject({ state: "drift", form: "shift", point: 2 });
  // 161/101 tokens per run: (161 - 101) / 101.
  expect(measure(trend, "tokens").changePercent).toBeCloseTo((60 / 101) * 100, 0);
  expect(measure(trend, "tool_calls").test).toMatchObject({ state: "steady", p: null });
  expect(trend.judgement).toMatchObject({ verdict: "drift" });
  expect(trend.judgement.findings[0]).toMatchObject({ code: "measure", subject: "tokens", point: "wed" });
});

it("a single loud day is found too, and its dot alone lies outside the band", () => {
  const days = ["mon", "tue", "wed", "thu", "fri"].map((day) => point(day, day === "wed" ? loud : calm));
  const { test, values } = measure(buildTrend(days), "tokens");
  expect(test).toMatchObject({ state: "drift", form: "spike", point: 2 });
  const outside = values.map((value, at) => value! < test.band[at]!.low || value! > test.band[at]!.high);
  expect(outside).toEqual([false, false, true, false, false]);
});

it("the mean from a shift on lies outside the band, and no point of a steady number does", () => {
  const trend = buildTrend([point("mon", calm), point("tue", calm), point("wed", loud), point("thu", loud)]);
  const { test, values } = measure(trend, "tokens");
  const { low, high } = test.band[3]!;
  // 99 to 102 at first, 158 to 162 from the third day on; every run counts its one output token too.
  expect(low).toBeLessThan(101);
  expect(high).toBeLessThan((values[2]! + values[3]!) / 2);
  const still = measure(buildTrend([point("a", calm), point("b", calm.toReversed()), point("c", calm)]), "tokens");
  expect(still.test.state).toBe("steady");
  const inside = still.values.map(
    (value, at) => value! > still.test.band[at]!.low && value! < still.test.band[at]!.high,
  );
  expect(inside).toEqual([true, true, true]);
});

it("says what changed between points", () => {
  const trend = buildTrend([
    point("v1", calm),
    point(
      "v2",
      calm.map((one) => ({ ...one, calls: ["a", "b"] })),
    ),
  ]);
  expect(trend.changes).toEqual([
    { from: "v1", to: "v2", newTools: ["b"], lostTools: [], modelsBefore: ["m"], modelsNow: ["m"] },
  ]);
  expect(trend.points.map((one) => one.knownPaths)).toEqual([null, 0]);
});

it("one point is no test; a number that nobody recorded is null", () => {
  const trend = buildTrend([point("v1", [{ tokens: 1 }, { tokens: 2 }])]);
  expect(trend.measures.every(({ test }) => test.why === "one_point")).toBe(true);
  expect(measure(trend, "latency").values).toEqual([null]);
  expect(trend.responses).toMatchObject({ state: "not_evaluated", why: "one_point", t2: null });
  expect(trend.judgement.verdict).toBe("not_enough_evidence");
});

describe("no green over contradicting evidence", () => {
  const good = { calls: ["look", "confirm", "pay"] };
  const bad = { calls: ["look", "pay"] };
  const many = (count: number, shape: Shape) => Array.from({ length: count }, () => shape);
  const tickets = ["t1", "t2", "t3", "t4", "t5"];

  it("known paths 100 % → 60 % in the last of many days of one suite is drift", () => {
    const day = (name: string, wrong: number) => point(name, [...many(wrong, bad), ...many(5 - wrong, good)], tickets);
    const trend = buildTrend([day("1", 0), day("2", 0), day("3", 0), day("4", 0), day("5", 2), day("6", 2)]);
    expect(trend.points.map((one) => one.knownPaths)).toEqual([null, 1, 1, 1, 0.6, 1]);
    expect(trend.judgement.verdict).toBe("drift");
    expect(trend.judgement.findings[0]).toMatchObject({
      code: "tool_use",
      subject: "confirm",
      point: "5",
      before: 1,
      now: 0.6,
    });
    expect(trendReasons(trend.judgement, "drift").map(({ code }) => code)).toContain("new_paths");
  });

  it.each([
    ["5 against 5", 5, 2],
    ["3 against 3", 3, 1],
    ["one against one", 1, 1],
  ])("the same with too few runs, %s, is no answer and no pass", (_, runs, wrong) => {
    const trend = buildTrend([
      point("v1", many(runs, good)),
      point("v2", [...many(wrong, bad), ...many(runs - wrong, good)]),
    ]);
    expect(trend.judgement.verdict).not.toBe("steady");
    expect(codes(trend).some((code) => code.startsWith("new_paths"))).toBe(true);
  });

  it("a change that a coin would make is within chance, not steady", () => {
    const trend = buildTrend([point("v1", many(12, good)), point("v2", [bad, ...many(11, good)])]);
    expect(trend.judgement.verdict).toBe("within_chance");
    expect(codes(trend)).toContain("new_paths chance");
  });

  it("responses that changed while every tool, path and count stayed are drift, also from two single runs", () => {
    const words = (text: string, runs: number, turns: number) => point(text, many(runs, { text, turns }));
    for (const [runs, turns] of [
      [1, 12],
      [8, 2],
    ] as const) {
      const trend = buildTrend([words("all is well", runs, turns), words("error: cannot, 1 2 3 4 5 6", runs, turns)]);
      expect(trend.responses).toMatchObject({ state: "drift", t2: null, unit: runs === 1 ? "responses" : "runs" });
      expect(codes(trend)).toEqual(["responses drift"]);
      expect(trend.judgement.verdict).toBe("drift");
      expect(trendReasons(trend.judgement, "drift")).toEqual([{ code: "responses", subject: trend.points[1]!.name }]);
      expect(trendReasons(trend.judgement, "tools")).toEqual([]);
    }
  });

  it("a tool that no earlier point used counts by itself; a tool that went away counts when chance would not do it", () => {
    const wire = buildTrend([
      point("v1", many(4, good)),
      point("v2", [{ calls: [...good.calls, "wire"] }, ...many(3, good)]),
    ]);
    expect(codes(wire)[0]).toBe("new_tool drift");
    expect(trendReasons(wire.judgement, "drift")[0]).toEqual({ code: "new_tool", subject: "wire" });
    const gone = buildTrend([point("v1", many(8, good)), point("v2", many(8, bad))]);
    expect(codes(gone)[0]).toBe("lost_tool drift");
    const rare = buildTrend([point("v1", [good, ...many(7, bad)]), point("v2", many(8, bad))]);
    expect(codes(rare)).toEqual(["lost_tool chance"]);
    expect(trendReasons(rare.judgement, "tools")).toEqual([{ code: "lost_tool", subject: "confirm" }]);
    expect(trendReasons(rare.judgement, "drift")).toEqual([]);
  });

  it("a gate that asks for drift and gets no answer knows it", () => {
    const trend = buildTrend([point("v1", many(2, good)), point("v2", [bad, good])]);
    expect(trend.judgement.verdict).toBe("not_enough_evidence");
    expect([isUnanswered(trend.judgement, "drift"), isUnanswered(trend.judgement, "tools")]).toEqual([true, false]);
  });
});
