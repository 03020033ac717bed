/** One small story told in every telemetry format: two model calls and one tool call between them. */
import { fileURLToPath } from "node:url";
import type { Trace } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { loadTraceFile } from "../src/load/load-traces.ts";

const fixture = (path: string) => fileURLToPath(new URL(`fixtures/${path}`, import.meta.url));

async function load(path: string): Promise<Trace[]> {
  return loadTraceFile(fixture(path));
}

describe("the umbrella story", () => {
  it.each([
    { path: "otlp/weather.json", format: "otlp" },
    { path: "otlp/weather.jsonl", format: "otlp" },
    { path: "otlp-protobuf/weather.pb", format: "otlp-protobuf" },
    { path: "tempo/weather.json", format: "tempo" },
    { path: "jaeger/weather.json", format: "jaeger" },
    { path: "agentv/trace.json", format: "agentv" },
    { path: "langfuse/weather.json", format: "langfuse", model: "small-1", latency: [880, 770], took: 400 },
    { path: "langsmith/weather.json", format: "langsmith", model: undefined, latency: [880, 770], took: 400 },
    { path: "langsmith/weather.jsonl", format: "langsmith", model: undefined, latency: [880, 770], took: 400 },
    { path: "langsmith/wrapped.json", format: "langsmith", model: undefined, latency: [880, 770], took: 400 },
    { path: "openai-agents/weather.json", format: "openai-agents", model: "small-1", latency: [880, 770], took: 400 },
    { path: "openai-agents/weather.jsonl", format: "openai-agents", model: "small-1", latency: [880, 770], took: 400 },
  ])("$path is recognised as $format and read in full", async ({ path, format, ...other }) => {
    const traces = await load(path);
    expect(traces.map((trace) => trace.source.format)).toEqual([format]);
    const [trace] = traces as [Trace];
    const model = "model" in other ? other.model : "small-1-2026";
    const [first, second] = "latency" in other ? other.latency : [878, 770];
    expect(trace.agent).toBe("umbrella");
    expect(trace.sessions).toHaveLength(1);
    expect(trace.steps.map((step) => [step.kind, step.target])).toEqual([
      ["llm", model ?? ""],
      ["tool", "get_forecast"],
      ["llm", model ?? ""],
    ]);
    expect(trace.turns.map((turn) => turn.durationMs)).toEqual([first, second]);
    expect(trace.turns.map((turn) => turn.response["usage"])).toEqual([
      { input_tokens: 40, output_tokens: 12 },
      { input_tokens: 75, output_tokens: 6 },
    ]);
    expect(trace.toolCalls).toMatchObject([
      { id: "call_oslo", name: "get_forecast", input: { city: "Oslo" }, status: "ok", turnIndex: 0 },
    ]);
    expect(trace.toolCalls[0]!.durationMs).toBe("took" in other ? other.took : 400.5);
    expect(trace.toolCalls[0]!.startedAt).toBe("2026-01-01T00:00:00.905Z");
    expect(['{"rain_mm": 4.2}', { rain_mm: 4.2 }]).toContainEqual(trace.toolCalls[0]!.output);
    expect(trace.turns[1]!.response["content"]).toEqual([{ type: "text", text: "Yes, take one." }]);
    expect(trace.turns[1]!.request["messages"]).toContainEqual({
      role: "user",
      content: "Do I need an umbrella in Oslo?",
    });
    expect(trace.source.unknown).toBeUndefined();
  });

  it("says how many spans are no steps of the agent, and why", async () => {
    const [trace] = (await load("otlp/weather.json")) as [Trace];
    expect(trace.source.notes).toEqual(["2 spans are transport or structure, not steps of the agent (2 http)"]);
  });

  it("gives the same records from OTLP JSON, its lines, protobuf and Tempo", async () => {
    const [json] = (await load("otlp/weather.json")) as [Trace];
    for (const path of ["otlp/weather.jsonl", "otlp-protobuf/weather.pb", "tempo/weather.json"]) {
      const [other] = (await load(path)) as [Trace];
      expect(other.records).toEqual(json.records);
    }
  });
});

describe("AgentV files", () => {
  it("reads results in both spellings, one trace per line", async () => {
    const traces = await load("agentv/results.jsonl");
    expect(traces.map((trace) => [trace.scenario, trace.agent, trace.turns.length])).toEqual([
      ["umbrella", "helper", 2],
      ["umbrella-2", "helper", 2],
    ]);
    expect(traces.flatMap((trace) => trace.toolCalls)).toMatchObject([
      { name: "get_forecast", input: { city: "Oslo" }, output: { rain_mm: 4.2 }, durationMs: 400.5, status: "ok" },
      { name: "get_forecast", input: { city: "Bergen" }, output: "wet", durationMs: 400, status: "ok" },
    ]);
    expect(traces[0]!.turns[0]!.durationMs).toBe(880);
    expect(traces[0]!.turns[1]!.response["usage"]).toEqual({ input_tokens: 75, output_tokens: 6 });
    // Nothing in the file says why a response ended.
    expect(traces[0]!.turns[0]!.response).not.toHaveProperty("stop_reason");
  });

  it("reads the older event list: results belong to the call with their id", async () => {
    const [trace] = (await load("agentv/events.json")) as [Trace];
    expect(trace.source.format).toBe("agentv");
    expect(trace.toolCalls).toMatchObject([
      { id: "c1", name: "get_forecast", input: { city: "Oslo" }, output: { rain_mm: 4.2 }, durationMs: 400 },
    ]);
    expect(trace.turns).toHaveLength(1);
  });

  it("reads the span list of two old releases", async () => {
    const [first, second] = (await load("agentv/spans.jsonl")) as [Trace, Trace];
    expect(first.toolCalls).toMatchObject([{ name: "get_forecast", durationMs: 400, status: "ok" }]);
    expect(first.turns).toEqual([]);
    expect(second.toolCalls).toEqual([]);
  });

  it("reads transcripts: one message per line, one trace per case", async () => {
    const traces = await load("agentv/transcript.jsonl");
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({ scenario: "umbrella", agent: "helper" });
    expect(traces[0]!.turns).toHaveLength(2);
    expect(traces[0]!.toolCalls[0]).toMatchObject({ name: "get_forecast", durationMs: 400.5 });
  });
});

describe("Langfuse files", () => {
  it("reads the other layout in circulation, {traces: […]}", async () => {
    const traces = await load("langfuse/wrapped.json");
    expect(traces.map((trace) => [trace.id, trace.turns.length, trace.toolCalls.length])).toEqual([
      ["lf-1", 2, 1],
      ["lf-2", 2, 1],
    ]);
  });
});

describe("interactions", () => {
  it.each(["interactions/runs.json", "interactions/runs.jsonl"])(
    "%s: every kind of step in its place",
    async (path) => {
      const [good, bad] = (await load(path)) as [Trace, Trace];
      expect(good.steps.map((step) => [step.kind, step.target, step.durationMs])).toEqual([
        ["llm", "small-1", 878],
        ["http", "GET api.weather.example/v1/cities/{id}", 120],
        ["tool", "get_forecast", 400.5],
        ["other", "cache lookup", undefined],
        ["llm", "small-1", undefined],
      ]);
      expect(good.agent).toBe("umbrella");
      expect(bad.steps).toMatchObject([{ kind: "tool", status: "error", errorKind: "Timeout" }]);
      expect(bad.toolCalls[0]!.error).toEqual({ message: "no answer", kind: "Timeout" });
    },
  );

  it("reads content-blind traces back into the same steps", async () => {
    const [blind] = (await load("interactions/content-blind.jsonl")) as [Trace];
    const [open] = (await load("otlp/weather.json")) as [Trace];
    expect(blind.source.format).toBe("interactions");
    const shape = (trace: Trace) =>
      trace.steps.map(({ kind, target, status, durationMs }) => [kind, target, status, durationMs]);
    expect(shape(blind)).toEqual(shape(open));
    expect(JSON.stringify(blind.records)).not.toContain("Oslo");
  });
});
