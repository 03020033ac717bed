import { describe, expect, it } from "vitest";
import { type CallSpec, traceOf } from "../../../test/build.ts";
import { runFacts } from "../run-facts.ts";
import { driftScore, metricScore, signalScore } from "../score.ts";
import { summariseRuns } from "../statistics.ts";
import { change, type SignalContext } from "./signal.ts";
import { detectSignals, signals } from "./signals.ts";

interface RunSpec {
  readonly calls?: readonly (string | CallSpec)[];
  readonly latencyMs?: number;
  readonly tokens?: number;
}

function facts({ calls = [], latencyMs, tokens }: RunSpec) {
  const turn = {
    model: "m",
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(tokens === undefined ? {} : { usage: { input_tokens: tokens, output_tokens: 0 } }),
  };
  return runFacts(traceOf([{ ...turn, calls }]));
}

function compare(before: RunSpec, now: RunSpec, options: Partial<SignalContext> = {}) {
  const known = facts(before);
  const context: SignalContext = {
    run: facts(now),
    status: "match",
    known: summariseRuns([known.sample]),
    scope: "intent",
    knownTools: new Set(known.sample.tools.keys()),
    outputKeys: known.outputKeys,
    limits: {},
    ...options,
  };
  return detectSignals(context);
}

const failing = (name: string, times: number): CallSpec[] =>
  Array.from({ length: times }, (_, index) => ({
    name,
    id: `${name}-${index}`,
    input: { index },
    output: "boom",
    failed: true,
  }));
const same = (name: string, times: number): CallSpec[] =>
  Array.from({ length: times }, (_, index) => ({ name, id: `${name}-${index}`, input: { q: "x" }, output: "ok" }));
const found = (count: number): CallSpec => ({
  name: "search",
  input: {},
  output: { results: Array<number>(count).fill(1) },
});

describe("each signal fires where it should and is quiet at its limit", () => {
  it.each([
    {
      name: "new_side_effects",
      before: { calls: ["a"] },
      quiet: { calls: ["a"] },
      fires: { calls: ["a", "b"] },
      severity: "moderate",
    },
    {
      name: "latency_spikes",
      before: { latencyMs: 100 },
      quiet: { latencyMs: 150 },
      fires: { latencyMs: 151 },
      severity: "severe",
    },
    {
      name: "token_usage_spike",
      before: { tokens: 1000 },
      quiet: { tokens: 1500 },
      fires: { tokens: 1501 },
      severity: "severe",
    },
    {
      name: "component_latency_drift",
      before: { latencyMs: 100 },
      quiet: { latencyMs: 200 },
      fires: { latencyMs: 201 },
      severity: "moderate",
    },
    {
      name: "tool_usage_changes",
      before: { calls: ["a", "a"] },
      quiet: { calls: ["a"] },
      fires: { calls: [] },
      severity: "moderate",
    },
    {
      name: "retry_explosions",
      before: { calls: ["t"] },
      quiet: { calls: failing("t", 3) },
      fires: { calls: failing("t", 4) },
      severity: "moderate",
    },
    {
      name: "tool_overuse",
      before: { calls: ["t"] },
      quiet: { calls: same("t", 2) },
      fires: { calls: same("t", 3) },
      severity: "moderate",
    },
    {
      name: "retrieval_regression",
      before: { calls: [found(10)] },
      quiet: { calls: [found(8)] },
      fires: { calls: [found(7)] },
      severity: "severe",
    },
    {
      name: "error_increases",
      before: { calls: Array<string>(9).fill("a") },
      quiet: { calls: [...Array<string>(8).fill("a"), ...failing("a", 1)] },
      fires: { calls: [...Array<string>(7).fill("a"), ...failing("a", 2)] },
      severity: "severe",
    },
    {
      name: "output_schema_drift",
      before: { calls: [{ name: "t", input: {}, output: { a: 1, b: 2 } }] },
      quiet: { calls: [{ name: "t", input: {}, output: { a: 9, b: 9 } }] },
      fires: { calls: [{ name: "t", input: {}, output: { a: 1 } }] },
      severity: "severe",
    },
  ])("$name", ({ name, before, quiet, fires, severity }) => {
    const names = (report: ReturnType<typeof detectSignals>) => report.fired.map((signal) => signal.name);
    expect(names(compare(before, quiet))).not.toContain(name);
    const fired = compare(before, fires).fired.find((signal) => signal.name === name);
    expect(fired).toMatchObject({ severity });
    expect(fired!.findings.length).toBeGreaterThan(0);
  });

  it("new_behavior_pattern informs about every path that is no match", () => {
    const status = "new" as const;
    expect(compare({}, {}, { status }).fired).toMatchObject([{ name: "new_behavior_pattern", severity: "minor" }]);
    expect(compare({}, {}, { status: "accepted_variant" }).fired).toEqual([]);
  });

  it("from five retries on it is high; paging through successes is no retry", () => {
    expect(
      compare({ calls: ["t"] }, { calls: failing("t", 6) }).fired.find((signal) => signal.name === "retry_explosions")!
        .severity,
    ).toBe("severe");
    const paging = Array.from({ length: 9 }, (_, page) => ({
      name: "t",
      id: `p${page}`,
      input: { page },
      output: "ok",
    }));
    expect(compare({ calls: paging }, { calls: paging }).fired).toEqual([]);
  });
});

it("what lacks its data is named, never silent and never 0", () => {
  const { fired, notEvaluated } = compare({}, {});
  expect(fired).toEqual([]);
  expect(notEvaluated.map((one) => one.name)).toEqual([
    "latency_spikes",
    "token_usage_spike",
    "component_latency_drift",
    "output_schema_drift",
  ]);
});

it("within a family a number that was seen before is no drift", () => {
  const known = summariseRuns([facts({ tokens: 100 }).sample, facts({ tokens: 900 }).sample]);
  expect(compare({}, { tokens: 850 }, { known, scope: "family" }).fired).toEqual([]);
  expect(compare({}, { tokens: 850 }, { known, scope: "intent" }).fired).toMatchObject([{ name: "token_usage_spike" }]);
  expect(compare({}, { tokens: 950 }, { known, scope: "family" }).fired).toMatchObject([{ name: "token_usage_spike" }]);
});

it("a change from 0 has no percentage", () => {
  expect(change(0, 5)).toEqual({ changePercent: null, fromZero: true });
  expect(change(0, 0)).toEqual({ changePercent: 0 });
  expect(change(4, 2)).toEqual({ changePercent: -50 });
});

it("every signal stands in the list once, and its conditions belong to it alone", () => {
  const names = signals.flatMap((signal) => [signal.name, ...signal.conditions.filter((name) => name !== signal.name)]);
  expect(new Set(names).size).toBe(names.length);
});

describe("run facts", () => {
  it("ignores broken clocks and keeps what was not recorded absent", () => {
    expect(facts({ latencyMs: -5 }).sample.latencyMs).toBeUndefined();
    expect(facts({}).sample).not.toHaveProperty("tokens");
    expect(facts({ latencyMs: 0 }).sample.latencyMs).toBe(0);
  });

  it("reads results kept as JSON text or as content parts", () => {
    const text = facts({ calls: [{ name: "search", input: {}, output: '{"results": [1, 2], "total": 2}' }] });
    const parts = facts({
      calls: [{ name: "search", input: {}, output: [{ type: "text", text: '{"results": [], "total": 0}' }] }],
    });
    expect(text.sample.retrieval.get("search")).toEqual({ calls: 1, seen: 1, empty: 0, counted: 1, results: 2 });
    expect(parts.sample.retrieval.get("search")).toEqual({ calls: 1, seen: 1, empty: 1, counted: 1, results: 0 });
    expect(text.outputKeys.get("search")!.always).toEqual(["results", "total"]);
  });
});

it("limits may be set by signal", () => {
  const limits = { token_usage_spike: { increase_percent: 10 } };
  expect(compare({ tokens: 100 }, { tokens: 111 }, { limits }).fired).toMatchObject([{ name: "token_usage_spike" }]);
  expect(compare({ tokens: 100 }, { tokens: 111 }).fired).toEqual([]);
});

it("scores follow their formulas", () => {
  expect(driftScore({ structural: 80, signal: 60, metric: 40, trend: 20 })).toBe(58);
  const of = (severity: "severe" | "moderate") => ({ name: "x", severity, findings: [] });
  expect(signalScore([of("severe"), of("moderate")])).toBe(45);
  expect(signalScore([of("severe"), of("severe"), of("severe")])).toBe(0);
  expect(
    metricScore([
      [100, 150],
      [10, 10],
      [undefined, 5],
      [1, 100],
    ]),
  ).toBe(50);
});
