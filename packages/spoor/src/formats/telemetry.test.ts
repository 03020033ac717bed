/** Langfuse, LangSmith, the OpenAI Agents SDK, AgentV and interactions: what is special in each. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildTrace, type Json, parseJson, type Trace } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { agentv } from "./agentv.ts";
import type { Format, ImportedTrace, ReadContext } from "./format.ts";
import { rankFormats } from "./formats.ts";
import { interactions } from "./interactions.ts";
import { langfuse } from "./langfuse.ts";
import { langsmith } from "./langsmith.ts";
import { openaiAgents } from "./openai-agents.ts";
import { otlpProtobuf } from "./otel/otlp-protobuf.ts";

const context: ReadContext = {
  file: "file",
  lenient: false,
  fail(message, at) {
    throw new Error(`${at?.path ?? ""} ${message}`.trim());
  },
};

function read(format: Format, document: Json): ImportedTrace[] {
  return format.readDocument!(document, context);
}

function traceOf(format: Format, document: Json): Trace {
  const [first] = read(format, document);
  return buildTrace(first!.records, { source: { format: format.name, ...first } });
}

describe("Langfuse", () => {
  const observation = (id: string, type: string, rest: Record<string, Json>): Json => ({
    id,
    traceId: "t",
    type,
    name: "n",
    startTime: `2026-01-01T00:00:0${id}.000Z`,
    endTime: `2026-01-01T00:00:0${id}.500Z`,
    ...rest,
  });
  const exported = (...observations: Json[]): Json => ({ trace: { id: "t", name: "my agent" }, observations });

  it("tells tools and agents among plain SPANs by their OpenTelemetry attributes", () => {
    const span = (id: string, attributes: Json, rest: Record<string, Json> = {}) =>
      observation(id, "SPAN", { metadata: stringifyJson({ attributes }), ...rest });
    const trace = traceOf(
      langfuse,
      exported(
        span("1", { "openinference.span.kind": "AGENT", "agent.name": "boss" }),
        span("2", { "openinference.span.kind": "TOOL", "tool.name": "find" }, { input: '{"q":1}', output: '"three"' }),
        span("3", { unrelated: true }),
        observation("4", "GENERATION", { parentObservationId: "1", output: "done", model: "m" }),
      ),
    );
    expect(trace.steps.map((step) => [step.kind, step.target])).toEqual([
      ["tool", "find"],
      ["llm", "m"],
    ]);
    expect(trace.toolCalls[0]).toMatchObject({ input: { q: 1 }, output: "three", durationMs: 500 });
    expect(trace.agent).toBe("boss");
  });

  it("reads calls that an instrumentation wrote as the text of the answer, and joins their results", () => {
    const told = (name: string, id: string) =>
      stringifyJson([{ function: { name, arguments: '{"to":"Ann"}' }, id, type: "function" }]);
    const asked = [{ role: "user", content: "Greet" }];
    const said = (content: string) => ({ role: "assistant", content, finish_reason: "tool_calls" });
    const history = [told("hello", "a"), "Hello Ann", told("bye", "b"), "Bye Ann"];
    const trace = traceOf(
      langfuse,
      exported(
        observation("1", "GENERATION", {
          input: stringifyJson(asked),
          output: stringifyJson([said(told("hello", "a")), said(told("bye", "b"))]),
        }),
        observation("2", "GENERATION", {
          input: stringifyJson([...asked, ...history.map((content) => ({ role: "tool", content }))]),
          output: stringifyJson([{ toolCallId: "c", toolName: "wave", input: "{}" }]),
        }),
      ),
    );
    expect(trace.turns.map((turn) => turn.text)).toEqual(["", ""]);
    expect(trace.toolCalls.map(({ id, name, input, output }) => [id, name, input, output])).toEqual([
      ["a", "hello", { to: "Ann" }, "Hello Ann"],
      ["b", "bye", { to: "Ann" }, "Bye Ann"],
      ["c", "wave", {}, undefined],
    ]);
    expect(trace.source.unknown).toBeUndefined();
  });

  it("leaves JSON of the model's own its text", () => {
    const answers = ['[{"name":"Ann","type":"function"}]', '[{"toolName":"wave"}]', "[]", '{"function":{"name":"x"}}'];
    const trace = traceOf(
      langfuse,
      exported(
        ...answers.map((output, index) => observation(String(index), "GENERATION", { output: stringifyJson(output) })),
      ),
    );
    expect(trace.toolCalls).toEqual([]);
  });

  it("takes a SPAN that returns a LangChain ToolMessage for a tool that ran", () => {
    const output = { type: "tool", content: "sunny", tool_call_id: "c1", name: "weather", status: "error" };
    const trace = traceOf(
      langfuse,
      exported(observation("1", "SPAN", { name: "weather", output: stringifyJson(output) })),
    );
    expect(trace.toolCalls).toMatchObject([{ id: "c1", name: "weather", output: "sunny", status: "error" }]);
  });

  it("counts cached and reasoning tokens once, in both of Langfuse's ways to give them", () => {
    const usageOf = (usageDetails: Json) =>
      traceOf(langfuse, exported(observation("1", "GENERATION", { output: "x", usageDetails }))).turns[0]!.response[
        "usage"
      ];
    expect(usageOf({ input: 179, output: 35, output_reasoning: 64, input_cache_read: 20 })).toEqual({
      input_tokens: 179,
      output_tokens: 35,
      thinking_tokens: 64,
      cached_input_tokens: 20,
    });
    expect(usageOf({ input: 6, output: 2055, "completion_details.reasoning": 1104 })).toEqual({
      input_tokens: 6,
      output_tokens: 951,
      thinking_tokens: 1104,
    });
    expect(usageOf({ total: 12 })).toBeUndefined();
  });

  it("reads a failed generation as a failed model call", () => {
    const failed = observation("1", "GENERATION", { model: "m", level: "ERROR", statusMessage: "overloaded" });
    const trace = traceOf(langfuse, exported(failed));
    expect(trace.steps).toMatchObject([{ kind: "llm", status: "error" }]);
    expect(trace.turns[0]!.response).toMatchObject({ stop_reason: "error", error: "overloaded", content: [] });
  });

  it("counts observations of unknown type and without id", () => {
    const [first] = read(
      langfuse,
      exported(observation("1", "HOLOGRAM", {}), { type: "SPAN" }, observation("2", "TOOL", {})),
    );
    expect(first!.unknown).toEqual({ "observation HOLOGRAM": 1, "observation without id": 1 });
  });
});

describe("LangSmith", () => {
  const run = (id: string, type: string, rest: Record<string, Json>): Json => ({
    id,
    run_type: type,
    name: type,
    trace_id: "t",
    start_time: "2026-01-01T00:00:00",
    end_time: "2026-01-01T00:00:01",
    dotted_order: `20260101T000000000000Z${id}`,
    inputs: {},
    outputs: {},
    ...rest,
  });

  it("orders siblings by dotted_order where clocks tie", () => {
    const trace = traceOf(langsmith, [
      run("b", "tool", { name: "second", dotted_order: "20260101T000000000000Zr.20260101T000000000002Zb" }),
      run("a", "tool", { name: "first", dotted_order: "20260101T000000000000Zr.20260101T000000000001Za" }),
    ]);
    expect(trace.toolCalls.map((call) => call.name)).toEqual(["first", "second"]);
  });

  it("unfolds child_runs and keeps traces apart", () => {
    const child = run("2", "tool", { name: "find", trace_id: "r1" });
    const traces = read(langsmith, [
      run("r1", "chain", { trace_id: "r1", child_runs: [child] }),
      run("r2", "llm", { trace_id: "r2", outputs: { generations: [[{ text: "hi" }]] } }),
    ]);
    expect(traces.map((trace) => trace.entry)).toEqual(["r1", "r2"]);
    expect(buildTrace(traces[0]!.records).toolCalls).toHaveLength(1);
    expect(buildTrace(traces[1]!.records).turns[0]!.response["content"]).toEqual([{ type: "text", text: "hi" }]);
  });

  it("reads errors with the class Python's repr begins with", () => {
    const trace = traceOf(langsmith, [run("1", "tool", { outputs: null, error: "ValueError('no')\nTraceback…" })]);
    expect(trace.toolCalls[0]).toMatchObject({ status: "error", error: { kind: "ValueError" } });
  });

  it("counts runs of unknown type", () => {
    const [first] = read(langsmith, [run("1", "hologram", {}), run("2", "tool", {})]);
    expect(first!.unknown).toEqual({ "run type hologram": 1 });
  });
});

describe("OpenAI Agents SDK", () => {
  const span = (id: string, parent: string | null, data: Json, error: Json = null): Json => ({
    object: "trace.span",
    id,
    trace_id: "t",
    parent_id: parent,
    started_at: `2026-01-01T00:00:0${id}.000Z`,
    ended_at: `2026-01-01T00:00:0${id}.250Z`,
    span_data: data,
    error,
  });

  it("follows a handoff: turns of the second agent carry its name", () => {
    const generation = (output: string): Json => ({
      type: "generation",
      model: "m",
      output: [{ role: "assistant", content: output }],
    });
    const trace = traceOf(openaiAgents, [
      span("1", null, { type: "agent", name: "triage" }),
      span("2", "1", generation("over to billing")),
      span("3", "1", { type: "handoff", from_agent: "triage", to_agent: "billing" }),
      span("4", null, { type: "agent", name: "billing" }),
      span("5", "4", generation("paid")),
      span("6", "4", { type: "guardrail", name: "pii", triggered: false }),
    ]);
    expect(trace.agent).toBe("triage");
    expect(trace.turns.map((turn) => turn.agent)).toEqual([undefined, "billing"]);
    const events = trace.records.filter((record) => record.kind === "harness_event").map((record) => record.payload);
    expect(events).toMatchObject([
      { category: "handoff", name: "handoff to billing" },
      { category: "guardrail", name: "pii" },
    ]);
    expect(trace.steps).toHaveLength(2);
  });

  it("reads failed functions", () => {
    const data = { type: "function", name: "find", input: "{}", output: null };
    const trace = traceOf(openaiAgents, [span("1", null, data, { message: "boom", data: { error_type: "Timeout" } })]);
    expect(trace.toolCalls[0]).toMatchObject({ status: "error", error: { message: "boom", kind: "Timeout" } });
  });

  it("counts spans of unknown type", () => {
    const [first] = read(openaiAgents, [
      span("1", null, { type: "dream" }),
      span("2", null, { type: "function", name: "f" }),
    ]);
    expect(first!.unknown).toEqual({ "span dream": 1 });
  });
});

describe("AgentV", () => {
  it("keeps the good members of a record and counts the bad ones", () => {
    const messages = [
      {
        role: "assistant",
        tool_calls: [{ input: {} }, { tool: "find", duration_ms: null }, { tool: "sum", duration_ms: 3 }],
      },
    ];
    const trace = traceOf(agentv, { eval_id: "e", output_messages: messages });
    expect(trace.toolCalls.map((call) => [call.name, call.status, call.durationMs])).toEqual([
      ["find", "unknown", undefined],
      ["sum", "ok", 3],
    ]);
    expect(Object.values(trace.source.unknown!).reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it("counts calls of every role, and a failed call by its status", () => {
    const trace = traceOf(agentv, {
      output_messages: [
        { role: "user", content: "go", tool_calls: [{ tool: "a", status: "timeout" }] },
        { role: "assistant", content: "b", tool_calls: [{ tool: "b", input: '{"x":9007199254740993}', status: "ok" }] },
      ],
    });
    expect(trace.toolCalls).toMatchObject([
      { name: "a", status: "error", error: { kind: "timeout" }, standalone: true },
      { name: "b", status: "ok", input: { x: 9007199254740993n } },
    ]);
  });

  it("says of a result without messages that it has none", () => {
    const [scored] = read(agentv, { test_id: "a", score: 0.5, target: "t", timestamp: "2026-01-01T00:00:00Z" });
    expect(scored!.notes).toEqual(["this result holds no messages"]);
    expect(buildTrace(scored!.records).turns).toEqual([]);
    const [answered] = read(agentv, { eval_id: "a", score: 1, candidate_answer: "42" });
    expect(answered!.notes).toHaveLength(1);
    expect(buildTrace(answered!.records).turns).toHaveLength(1);
  });
});

describe("interactions", () => {
  it("orders by sequence only when every step has one", () => {
    const steps = (sequences: (number | undefined)[]) =>
      sequences.map((sequence, index) => ({
        type: "tool",
        name: `t${index}`,
        ...(sequence === undefined ? {} : { sequence }),
      }));
    const names = (list: Json[]) => traceOf(interactions, { interactions: list }).toolCalls.map((call) => call.name);
    expect(names(steps([2, 1, 1]))).toEqual(["t1", "t2", "t0"]);
    expect(names(steps([2, undefined, 1]))).toEqual(["t0", "t1", "t2"]);
  });

  it("keeps parallel groups; what has no name is counted, not made a step without one", () => {
    const document = [
      {
        interactions: [
          { type: "tool", name: "look", parallel_group: "g" },
          { type: "tool", parallel_group: "g" },
          { type: "tool", name: " " },
          { type: "other" },
          { type: "http", method: "get", url: "/a/1" },
        ],
      },
    ];
    expect(traceOf(interactions, document).steps).toMatchObject([
      { kind: "tool", target: "look", parallelGroup: "g", status: "unknown" },
      { kind: "http", target: "GET /a/{id}" },
    ]);
    expect(read(interactions, document)[0]!.unknown).toEqual({
      "tool call without a name": 2,
      "interaction other without a name": 1,
    });
  });

  it("counts steps of unknown type", () => {
    const [first] = read(interactions, { interactions: [{ type: "dream" }, { type: "llm", model: "m" }] });
    expect(first!.unknown).toEqual({ "interaction dream": 1 });
  });
});

describe("OTLP protobuf", () => {
  const path = fileURLToPath(new URL("../../test/fixtures/otlp-protobuf/weather.pb", import.meta.url));
  const bytes = new Uint8Array(readFileSync(path));

  it("reads requests behind lengths, as the collector's file exporter writes them", async () => {
    const frame = new Uint8Array(bytes.length + 4);
    new DataView(frame.buffer).setUint32(0, bytes.length);
    frame.set(bytes, 4);
    const twice = new Uint8Array([...frame, ...frame]);
    const plain = await otlpProtobuf.readBytes!(bytes, context);
    expect(await otlpProtobuf.readBytes!(frame, context)).toEqual(plain);
    const [repeated] = await otlpProtobuf.readBytes!(twice, context);
    expect(repeated!.records).toEqual(plain[0]!.records);
    expect(repeated!.unknown).toEqual({ "repeated id": 7 });
  });

  it("says of a request cut short that it is damaged", async () => {
    for (const length of [bytes.length - 1, 100, 20]) {
      await expect(otlpProtobuf.readBytes!(bytes.subarray(0, length), context)).rejects.toThrow(/is damaged/);
    }
  });

  it("recognises its bytes and no others", () => {
    const best = (sample: Uint8Array) => rankFormats({ bytes: sample })[0]!;
    expect(best(bytes)).toMatchObject({ format: { name: "otlp-protobuf" }, recognition: { score: 0.9 } });
    for (const other of [[0x89, 0x50, 0x4e, 0x47], [0x0a], [0x0a, 0xff, 0xff], [0, 0, 0, 0, 0]]) {
      expect(best(new Uint8Array(other)).recognition.score).toBe(0);
    }
  });
});

describe("files that lack the heart of their format", () => {
  it.each([
    { format: langfuse, document: { trace: {} }, says: /observations/ },
    { format: langsmith, document: { runs: [] }, says: /LangSmith run/ },
    { format: openaiAgents, document: { data: [] }, says: /OpenAI Agents SDK/ },
    { format: agentv, document: { hello: 1 }, says: /AgentV/ },
    { format: interactions, document: { runs: [{}] }, says: /interactions/ },
  ])("$format.name says what is missing", ({ format, document, says }) => {
    expect(() => read(format, parseJson(JSON.stringify(document)))).toThrow(says);
  });
});
