/** OpenTelemetry: every generation of attributes, and every trap that spans have set for readers. */
import { buildTrace, type Json, type JsonObject, parseJson, type Trace } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ImportedTrace, ReadContext } from "../format.ts";
import { jaeger } from "./jaeger.ts";
import { otlpJson } from "./otlp-json.ts";

const context: ReadContext = {
  file: "spans.json",
  lenient: false,
  fail(message) {
    throw new Error(message);
  },
};

interface Given {
  readonly id: string;
  readonly parent?: string;
  readonly name?: string;
  readonly kind?: number;
  /** Milliseconds. */
  readonly from?: number;
  readonly to?: number;
  readonly attributes?: Readonly<Record<string, Json>>;
  readonly events?: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Json>> }[];
  readonly status?: JsonObject;
  readonly traceId?: string;
}

const EPOCH = 1_767_225_600_000_000_000n;

function documentOf(spans: readonly Given[]): Json {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributeList({ "service.name": "svc" }) },
        scopeSpans: [
          {
            spans: spans.map(
              (span, index): JsonObject => ({
                traceId: span.traceId ?? "0af7651916cd43dd8448eb211c80319c",
                spanId: span.id,
                ...(span.parent === undefined ? {} : { parentSpanId: span.parent }),
                name: span.name ?? "span",
                kind: span.kind ?? 1,
                startTimeUnixNano: String(EPOCH + BigInt((span.from ?? index) * 1_000_000)),
                endTimeUnixNano: String(EPOCH + BigInt((span.to ?? (span.from ?? index) + 1) * 1_000_000)),
                attributes: attributeList(span.attributes ?? {}),
                events: (span.events ?? []).map((event) => ({
                  name: event.name,
                  attributes: attributeList(event.attributes),
                })),
                ...(span.status === undefined ? {} : { status: span.status }),
              }),
            ),
          },
        ],
      },
    ],
  };
}

function attributeList(attributes: Readonly<Record<string, Json>>): JsonObject[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: Json): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: attributeList(value as Record<string, Json>) } };
}

function imported(spans: readonly Given[]): ImportedTrace[] {
  return otlpJson.readDocument!(documentOf(spans), context);
}

function traceOf(spans: readonly Given[]): Trace {
  const [first] = imported(spans);
  return buildTrace(first!.records, { source: { format: "otlp", ...first } });
}

const json = (value: Json) => stringifyJson(value);
const usage = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 4 };
const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" };

/** One model call that asks for a tool, in each way to say so. */
const generations: { name: string; span: Given }[] = [
  {
    name: "messages as JSON text in span attributes",
    span: {
      id: "1",
      attributes: {
        ...chat,
        ...usage,
        "gen_ai.system_instructions": json([{ type: "text", content: "be brief" }]),
        "gen_ai.input.messages": json([{ role: "user", parts: [{ type: "text", content: "hi" }] }]),
        "gen_ai.output.messages": json([
          {
            role: "assistant",
            parts: [{ type: "tool_call", id: "c1", name: "find", arguments: { q: "x" } }],
            finish_reason: "tool_call",
          },
        ]),
      },
    },
  },
  {
    name: "messages as structured span attributes",
    span: {
      id: "1",
      attributes: {
        ...chat,
        ...usage,
        "gen_ai.system_instructions": [{ type: "text", content: "be brief" }],
        "gen_ai.input.messages": [{ role: "user", parts: [{ type: "text", content: "hi" }] }],
        "gen_ai.output.messages": [
          {
            role: "assistant",
            parts: [{ type: "tool_call", id: "c1", name: "find", arguments: { q: "x" } }],
            finish_reason: "tool_call",
          },
        ],
      },
    },
  },
  {
    name: "one event per message",
    span: {
      id: "1",
      attributes: { ...chat, ...usage, "gen_ai.response.finish_reasons": ["tool_calls"] },
      events: [
        { name: "gen_ai.system.message", attributes: { content: "be brief" } },
        { name: "gen_ai.user.message", attributes: { content: "hi" } },
        {
          name: "gen_ai.choice",
          attributes: {
            index: 0,
            finish_reason: "tool_calls",
            message: json({
              role: "assistant",
              tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: '{"q":"x"}' } }],
            }),
          },
        },
      ],
    },
  },
  {
    name: "indexed attributes (OpenLLMetry)",
    span: {
      id: "1",
      attributes: {
        "llm.request.type": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.usage.prompt_tokens": 10,
        "gen_ai.usage.completion_tokens": 4,
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "be brief",
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": "hi",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "find",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"q":"x"}',
      },
    },
  },
  {
    name: "OpenInference",
    span: {
      id: "1",
      attributes: {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m",
        "llm.token_count.prompt": 10,
        "llm.token_count.completion": 4,
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": "be brief",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.contents.0.message_content.type": "text",
        "llm.input_messages.1.message.contents.0.message_content.text": "hi",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "find",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"q":"x"}',
        "output.value": json({
          model: "m",
          choices: [{ finish_reason: "tool_calls", message: { role: "assistant" } }],
        }),
      },
    },
  },
  {
    name: "Vercel AI SDK 5 and 6",
    span: {
      id: "1",
      name: "ai.generateText.doGenerate",
      attributes: {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.model.id": "m",
        "ai.prompt.messages": json([
          { role: "system", content: "be brief" },
          { role: "user", content: [{ type: "text", text: "hi" }] },
        ]),
        "ai.response.toolCalls": json([{ toolCallId: "c1", toolName: "find", input: { q: "x" } }]),
        "ai.response.finishReason": "tool-calls",
        "ai.usage.inputTokens": 10,
        "ai.usage.outputTokens": 4,
      },
    },
  },
  {
    name: "Vercel AI SDK 3 and 4",
    span: {
      id: "1",
      name: "ai.streamText.doStream my-function",
      attributes: {
        "ai.model.id": "m",
        "ai.prompt.messages": json([
          { role: "system", content: "be brief" },
          { role: "user", content: "hi" },
        ]),
        "ai.result.toolCalls": json([
          { toolCallType: "function", toolCallId: "c1", toolName: "find", args: '{"q":"x"}' },
        ]),
        "ai.finishReason": "tool-calls",
        "ai.usage.promptTokens": 10,
        "ai.usage.completionTokens": 4,
      },
    },
  },
  {
    name: "Google's ADK (gcp.vertex.agent.*)",
    span: {
      id: "1",
      name: "call_llm",
      attributes: {
        "gen_ai.system": "gcp.vertex.agent",
        "gen_ai.request.model": "m",
        ...usage,
        "gcp.vertex.agent.llm_request": json({
          model: "m",
          config: { system_instruction: "be brief" },
          contents: [{ role: "user", parts: [{ text: "hi" }] }],
        }),
        "gcp.vertex.agent.llm_response": json({
          content: { role: "model", parts: [{ function_call: { id: "c1", name: "find", args: { q: "x" } } }] },
          finish_reason: "STOP",
        }),
      },
    },
  },
];

describe("generations of attributes", () => {
  it.each(generations)("$name", ({ span }) => {
    const trace = traceOf([span]);
    expect(trace.turns).toHaveLength(1);
    const { request, response } = trace.turns[0]!;
    expect(request["model"]).toBe("m");
    expect(request["messages"]).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "hi" },
    ]);
    expect(response["content"]).toEqual([{ type: "tool_use", id: "c1", name: "find", input: { q: "x" } }]);
    expect(response["stop_reason"]).toBe("tool_use");
    expect(response["usage"]).toEqual({ input_tokens: 10, output_tokens: 4 });
    expect(response["latency_ms"]).toBe(1);
    expect(trace.source.unknown).toBeUndefined();
  });
});

describe("one model call seen several times", () => {
  const [, , , indexed] = generations;
  const nested: Given[] = [
    { id: "1", name: "call_llm", from: 0, to: 100, attributes: { "gen_ai.request.model": "m", ...usage } },
    {
      id: "2",
      parent: "1",
      from: 1,
      to: 99,
      attributes: { "gen_ai.operation.name": "generate_content", "gen_ai.request.model": "m", ...usage },
    },
    { ...indexed!.span, id: "3", parent: "2", from: 2, to: 98 },
    { id: "4", parent: "3", from: 3, to: 97, kind: 3, attributes: { "http.method": "POST" } },
  ];

  it("is one turn with the innermost messages and the tokens of one", () => {
    const trace = traceOf(nested);
    expect(trace.turns).toHaveLength(1);
    expect(trace.turns[0]!.response["usage"]).toEqual({ input_tokens: 10, output_tokens: 4 });
    expect(trace.turns[0]!.durationMs).toBe(96);
    expect(trace.toolCalls).toHaveLength(1);
  });

  it("does not depend on the order of spans in the file", () => {
    const expected = imported(nested)[0]!.records;
    fc.assert(
      fc.property(fc.shuffledSubarray(nested, { minLength: nested.length }), (shuffled) => {
        expect(imported(shuffled)[0]!.records).toEqual(expected);
      }),
    );
  });

  it("keeps a loop around several calls apart: ai.generateText over its steps is no call of its own", () => {
    const answer = { "ai.response.text": "done", "ai.response.finishReason": "stop" };
    const trace = traceOf([
      {
        id: "1",
        name: "ai.generateText",
        from: 0,
        to: 50,
        attributes: { "ai.operationId": "ai.generateText", ...answer },
      },
      { ...generations[5]!.span, id: "2", parent: "1", from: 1, to: 10 },
      {
        id: "3",
        parent: "1",
        name: "ai.toolCall",
        from: 11,
        to: 19,
        attributes: {
          "ai.operationId": "ai.toolCall",
          "ai.toolCall.name": "find",
          "ai.toolCall.id": "c1",
          "ai.toolCall.args": '{"q":"x"}',
          "ai.toolCall.result": '{"hits":2}',
        },
      },
      {
        id: "4",
        parent: "1",
        name: "ai.generateText.doGenerate",
        from: 20,
        to: 49,
        attributes: { "ai.operationId": "ai.generateText.doGenerate", "ai.model.id": "m", ...answer },
      },
    ]);
    expect(trace.steps.map((step) => [step.kind, step.durationMs])).toEqual([
      ["llm", 9],
      ["tool", 8],
      ["llm", 29],
    ]);
    expect(trace.toolCalls[0]).toMatchObject({ id: "c1", output: { hits: 2 }, input: { q: "x" } });
    expect(trace.turns[1]!.response).not.toHaveProperty("usage");
  });

  it("reads a finish reason that is the JSON text of a list", () => {
    const trace = traceOf([{ id: "1", attributes: { ...chat, "gen_ai.response.finish_reasons": '["stop"]' } }]);
    expect(trace.turns[0]!.response["stop_reason"]).toBe("end_turn");
  });
});

describe("tools", () => {
  const asks = (id: string | undefined, name: string, q: string): Json =>
    id === undefined
      ? { type: "tool_call", name, arguments: { q } }
      : { type: "tool_call", id, name, arguments: { q } };
  const turn = (parts: Json[], rest: Partial<Given> = {}): Given => ({
    id: "1",
    from: 0,
    to: 5,
    attributes: { ...chat, "gen_ai.output.messages": json([{ role: "assistant", parts }]) },
    ...rest,
  });
  const tool = (id: string, name: string, attributes: Record<string, Json> = {}, rest: Partial<Given> = {}): Given => ({
    id,
    name: `execute_tool ${name}`,
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, ...attributes },
    ...rest,
  });

  it("joins a run to the call with its id", () => {
    const run = tool("2", "find", { "gen_ai.tool.call.id": "b", "gen_ai.tool.call.result": "B" }, { from: 6, to: 9 });
    const trace = traceOf([turn([asks("a", "find", "1"), asks("b", "find", "2")]), run]);
    expect(trace.toolCalls.map((call) => [call.id, call.status, call.output, call.durationMs])).toEqual([
      ["a", "unknown", undefined, undefined],
      ["b", "ok", "B", 3],
    ]);
  });

  it("joins runs without ids by name and order, equal arguments first", () => {
    const trace = traceOf([
      turn([asks("a", "find", "1"), asks("b", "find", "2"), asks(undefined, "sum", "3")]),
      tool(
        "2",
        "find",
        { "gen_ai.tool.call.arguments": '{"q":"2"}', "gen_ai.tool.call.result": "second" },
        { from: 6, to: 7 },
      ),
      tool("3", "sum", { "gen_ai.tool.call.result": "third" }, { from: 8, to: 9 }),
      tool("4", "find", { "gen_ai.tool.call.result": "first" }, { from: 10, to: 11 }),
    ]);
    expect(trace.toolCalls.map((call) => [call.name, call.output])).toEqual([
      ["find", "first"],
      ["find", "second"],
      ["sum", "third"],
    ]);
    expect(trace.toolCalls.every((call) => call.parallelGroup === "turn-0")).toBe(true);
  });

  it("keeps a run that no completion asked for as a call of its own", () => {
    const trace = traceOf([turn([]), tool("2", "cron", {}, { from: 6, to: 7 })]);
    expect(trace.toolCalls).toMatchObject([{ name: "cron", standalone: true, status: "ok" }]);
    expect(trace.toolCalls[0]).not.toHaveProperty("input");
    expect(trace.toolCalls[0]).not.toHaveProperty("output");
  });

  it("puts runs that overlap in time into one parallel group", () => {
    const trace = traceOf([
      tool("1", "a", {}, { from: 0, to: 10 }),
      tool("2", "b", {}, { from: 5, to: 8 }),
      tool("3", "c", {}, { from: 10, to: 12 }),
    ]);
    expect(trace.toolCalls.map((call) => call.parallelGroup)).toEqual(["parallel-1", "parallel-1", undefined]);
  });

  it("counts an MCP call once, whether client, server or both recorded it", () => {
    const mcp = { "mcp.method.name": "tools/call", "gen_ai.tool.name": "find" };
    const trace = traceOf([
      turn([asks("a", "find", "1")]),
      tool("2", "find", { "gen_ai.tool.call.id": "a" }, { from: 6, to: 20 }),
      { id: "3", parent: "2", name: "tools/call find", kind: 3, from: 7, to: 19, attributes: mcp },
      {
        id: "4",
        parent: "3",
        name: "tools/call find",
        kind: 2,
        from: 8,
        to: 18,
        attributes: { ...mcp, "gen_ai.tool.call.result": '{"content":[],"isError":true}' },
      },
      { id: "5", name: "initialize", attributes: { "mcp.method.name": "initialize" }, from: 30, to: 31 },
    ]);
    expect(trace.toolCalls).toMatchObject([
      { id: "a", name: "find", durationMs: 14, output: { content: [], isError: true } },
    ]);
    expect(trace.source.notes).toEqual(["1 span is transport or structure, not steps of the agent (1 mcp)"]);
  });

  it("takes an MCP result with isError for a failed call", () => {
    const trace = traceOf([
      {
        id: "1",
        name: "tools/call find",
        kind: 3,
        attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.call.result": '{"content":[],"isError":true}' },
      },
    ]);
    expect(trace.toolCalls).toMatchObject([{ name: "find", status: "error" }]);
  });

  it("reads failures with their class, from attributes and from exception events", () => {
    const trace = traceOf([
      tool("1", "a", { "error.type": "Timeout" }, { status: { code: 2, message: "too slow" } }),
      tool(
        "2",
        "b",
        {},
        {
          status: { code: 2 },
          events: [{ name: "exception", attributes: { "exception.type": "ValueError", "exception.message": "bad" } }],
        },
      ),
    ]);
    expect(trace.toolCalls.map((call) => call.error)).toEqual([
      { message: "too slow", kind: "Timeout" },
      { message: "bad", kind: "ValueError" },
    ]);
  });

  it("does not take a list of definitions for a tool's name", () => {
    expect(() => imported([{ id: "1", attributes: { tool: '[{"name":"find"}]' } }])).toThrow(/none of an agent/);
    expect(traceOf([{ id: "1", attributes: { tool: "find" } }]).toolCalls).toMatchObject([{ name: "find" }]);
  });
});

describe("agents", () => {
  const agent = (id: string, name: string, rest: Partial<Given> = {}): Given => ({
    id,
    name: `invoke_agent ${name}`,
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name },
    ...rest,
  });

  it("names sub-agents and the call that started them", () => {
    const asks = json([
      { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "ask_writer", arguments: {} }] },
    ]);
    const trace = traceOf([
      agent("0", "gateway", { kind: 2, from: 0, to: 100 }),
      agent("1", "planner", { parent: "0", from: 0, to: 100 }),
      { id: "2", parent: "1", from: 1, to: 5, attributes: { ...chat, "gen_ai.output.messages": asks } },
      {
        id: "3",
        parent: "1",
        from: 6,
        to: 50,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "ask_writer",
          "gen_ai.tool.call.id": "c1",
        },
      },
      agent("4", "writer", { parent: "3", from: 7, to: 49 }),
      { id: "5", parent: "4", from: 8, to: 40, attributes: chat },
      { id: "6", parent: "1", from: 60, to: 90, attributes: chat },
    ]);
    expect(trace.agent).toBe("planner");
    expect(trace.turns.map((turn) => [turn.agent, turn.parentCallId])).toEqual([
      [undefined, undefined],
      ["writer", "c1"],
      [undefined, undefined],
    ]);
    expect(trace.toolCalls).toHaveLength(1);
  });

  it("finds the call behind an agent that a tool reached over MCP", () => {
    const mcp = { "mcp.method.name": "tools/call", "gen_ai.tool.name": "ask" };
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ask", "gen_ai.tool.call.id": "c1" };
    const trace = traceOf([
      agent("1", "planner", { from: 0, to: 100 }),
      { id: "2", parent: "1", from: 1, to: 5, attributes: chat },
      { id: "3", parent: "1", from: 6, to: 50, attributes: tool },
      { id: "4", parent: "3", kind: 3, from: 7, to: 49, attributes: mcp },
      { id: "5", parent: "4", kind: 2, from: 8, to: 48, attributes: mcp },
      agent("6", "helper", { parent: "5", from: 9, to: 47 }),
      { id: "7", parent: "6", from: 10, to: 40, attributes: chat },
    ]);
    expect(trace.turns.map((turn) => [turn.agent, turn.parentCallId])).toEqual([
      [undefined, undefined],
      ["helper", "c1"],
    ]);
    expect(trace.toolCalls).toHaveLength(1);
  });

  it("takes a model call inside a tool for that tool's, not for a turn of the main agent", () => {
    const trace = traceOf([
      agent("1", "planner", { from: 0, to: 100 }),
      { id: "2", parent: "1", from: 1, to: 5, attributes: chat },
      {
        id: "3",
        parent: "1",
        from: 6,
        to: 50,
        attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "judge" },
      },
      { id: "4", parent: "3", from: 7, to: 40, attributes: chat },
    ]);
    expect(trace.turns.map((turn) => [turn.agent, turn.parentCallId])).toEqual([
      [undefined, undefined],
      ["judge", "3"],
    ]);
  });
});

describe("clocks", () => {
  it("orders and measures nanoseconds beyond 2^53, written as JSON numbers", () => {
    const start = 1_777_555_053_769_345_801n;
    const span = (id: string, from: bigint, to: bigint) =>
      `{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"${id}","name":"chat","startTimeUnixNano":${from},"endTimeUnixNano":${to},` +
      '"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},' +
      `{"key":"gen_ai.request.model","value":{"stringValue":"m${id}"}}]}`;
    // The two starts differ by one nanosecond: as doubles they are equal.
    const text = `{"resourceSpans":[{"scopeSpans":[{"spans":[${span("2", start + 1n, start + 2_001n)},${span("1", start, start + 1_000_000n)}]}]}]}`;
    const [first] = otlpJson.readDocument!(parseJson(text), context);
    const trace = buildTrace(first!.records);
    expect(trace.turns.map((turn) => [turn.request["model"], turn.durationMs])).toEqual([
      ["m1", 1],
      ["m2", 0.002],
    ]);
  });

  it("leaves out what a span without clocks does not have", () => {
    const bare = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "01", attributes: attributeList(chat) };
    const [first] = otlpJson.readDocument!({ resourceSpans: [{ scopeSpans: [{ spans: [bare] }] }] }, context);
    expect(first!.records.slice(1)).toEqual([
      { kind: "chat_request", payload: { model: "m", messages: [] } },
      { kind: "chat_response", payload: { model: "m", content: [] } },
    ]);
  });

  it("reads Jaeger's microseconds", () => {
    const tags = Object.entries(chat).map(([key, value]) => ({ key, type: "string", value }));
    const span = {
      traceID: "1f",
      spanID: "2f",
      operationName: "chat",
      references: [],
      startTime: 1771237534567093,
      duration: 4180457,
      tags,
    };
    const [first] = jaeger.readDocument!({ data: [{ traceID: "1f", spans: [span], processes: {} }] }, context);
    expect(buildTrace(first!.records).turns[0]).toMatchObject({ ts: "2026-02-16T10:25:34.567Z", durationMs: 4180.457 });
  });
});

describe("what is not understood", () => {
  it("counts unknown operations, span kinds and parts", () => {
    const odd = json([{ role: "assistant", parts: [{ type: "hologram", data: "x" }] }]);
    const trace = traceOf([
      { id: "1", attributes: { ...chat, "gen_ai.output.messages": odd } },
      { id: "2", attributes: { "gen_ai.operation.name": "teleport" } },
      { id: "3", attributes: { "openinference.span.kind": "ORACLE" } },
    ]);
    expect(trace.source.unknown).toEqual({ "part hologram": 1, "operation teleport": 1, "span kind ORACLE": 1 });
    expect(trace.turns[0]!.response["content"]).toEqual([{ type: "hologram", data: "x" }]);
  });

  it("keeps retrieval and embeddings as steps", () => {
    const trace = traceOf([
      { id: "1", attributes: { "gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": "docs" } },
      { id: "2", name: "embed", attributes: { "openinference.span.kind": "EMBEDDING" } },
    ]);
    expect(trace.steps).toMatchObject([
      { kind: "other", target: "retrieval docs", durationMs: 1 },
      { kind: "other", target: "embed" },
    ]);
  });

  it("notes traces in which no agent did anything, and says so of a whole file", () => {
    const quiet = { id: "9", traceId: "1af7651916cd43dd8448eb211c80319c", attributes: { "http.method": "GET" } };
    const [first, ...rest] = imported([{ id: "1", attributes: chat }, quiet]);
    expect(rest).toEqual([]);
    expect(first!.notes).toEqual(["1 trace has no agent, model or tool call and is left out"]);
    expect(() => imported([quiet])).toThrow("holds one span, but none of an agent, a model or a tool call");
    const lenient = otlpJson.readDocument!(documentOf([quiet]), { ...context, lenient: true });
    expect(lenient).toEqual([{ records: [], notes: ["1 trace has no agent, model or tool call and is left out"] }]);
  });

  it("survives circles of parents, repeated ids and deep nesting", () => {
    const circle = [
      { id: "1", parent: "2", attributes: chat },
      { id: "2", parent: "1", attributes: {} },
      { id: "1", attributes: chat },
    ];
    expect(traceOf(circle).turns).toHaveLength(1);
    expect(imported(circle)[0]!.unknown).toEqual({ "repeated id": 1 });
    const deep = Array.from({ length: 20_000 }, (_, index): Given => {
      const attributes = index === 19_999 ? chat : {};
      return index === 0 ? { id: "a0", attributes } : { id: `a${index}`, parent: `a${index - 1}`, attributes };
    });
    expect(traceOf(deep).turns).toHaveLength(1);
  });
});

describe("messages that travel beside the span", () => {
  it("reads log records that name their span, in any request of the file", () => {
    const log = (name: string, body: Json): JsonObject => ({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "01",
      eventName: name,
      body: anyValue(body),
    });
    const logs = [
      log("gen_ai.user.message", { content: "hi" }),
      log("gen_ai.choice", { index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello" } }),
    ];
    const reader = otlpJson.openLines!(context);
    reader.line({ resourceLogs: [{ scopeLogs: [{ logRecords: logs }] }] }, 1);
    reader.line(documentOf([{ id: "01", attributes: chat }]), 2);
    const trace = buildTrace(reader.finish()[0]!.records);
    expect(trace.turns[0]!.request["messages"]).toEqual([{ role: "user", content: "hi" }]);
    expect(trace.turns[0]!.response).toMatchObject({
      content: [{ type: "text", text: "hello" }],
      stop_reason: "end_turn",
    });
  });

  it("reads events kept in one attribute (Pydantic AI), and an agent run that only names its agent", () => {
    const events = [
      { "event.name": "gen_ai.user.message", role: "user", content: "hi" },
      { "event.name": "gen_ai.choice", index: 0, message: { role: "assistant", content: "hello" } },
    ];
    const trace = traceOf([
      {
        id: "1",
        name: "agent run",
        from: 0,
        to: 9,
        attributes: { agent_name: "greeter", "gen_ai.usage.input_tokens": 3 },
      },
      { id: "2", parent: "1", from: 1, to: 8, attributes: { ...chat, events: json(events) } },
    ]);
    expect(trace.agent).toBe("greeter");
    expect(trace.turns).toHaveLength(1);
    expect(trace.turns[0]!.response["content"]).toEqual([{ type: "text", text: "hello" }]);
    expect(trace.turns[0]!.request["messages"]).toEqual([{ role: "user", content: "hi" }]);
  });

  it("counts messages that an exporter cut in the middle", () => {
    const cut = '[{"role":"assistant","parts":[{"type":"tool_call","id":"c1","na';
    const trace = traceOf([{ id: "1", attributes: { ...chat, "gen_ai.output.messages": cut } }]);
    expect(trace.source.unknown).toEqual({ "gen_ai.output.messages that is no JSON": 1 });
  });

  it("joins a reused call id to the latest call that bore it", () => {
    const asks = json([
      { role: "assistant", parts: [{ type: "tool_call", id: "call_0", name: "find", arguments: {} }] },
    ]);
    const spans = [0, 10].flatMap((from, index): Given[] => [
      { id: `${index}a`, from, to: from + 2, attributes: { ...chat, "gen_ai.output.messages": asks } },
      {
        id: `${index}b`,
        from: from + 3,
        to: from + 5,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "find",
          "gen_ai.tool.call.id": "call_0",
          "gen_ai.tool.call.result": `result ${index}`,
        },
      },
    ]);
    expect(traceOf(spans).toolCalls.map((call) => [call.turnIndex, call.output])).toEqual([
      [0, "result 0"],
      [1, "result 1"],
    ]);
  });
});

it("tells a failed run of the agent, once and at the end", () => {
  const agent = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "a", "error.type": "Budget" };
  const trace = traceOf([
    { id: "1", from: 0, to: 9, attributes: agent, status: { code: 2, message: "out of budget" } },
    { id: "2", parent: "1", from: 1, to: 2, attributes: chat },
    { id: "3", parent: "1", from: 3, to: 4, attributes: agent, status: { code: 2 } },
  ]);
  expect(trace.records.filter((record) => record.kind === "error")).toEqual([
    {
      kind: "error",
      ts: "2026-01-01T00:00:00.009Z",
      payload: { source: "sdk", code: "Budget", message: "out of budget" },
    },
  ]);
  expect(trace.records.at(-1)!.kind).toBe("error");
  expect(trace.turns).toHaveLength(1);
});

describe("what a span leaves to others", () => {
  const asks = json([{ role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "find", arguments: {} }] }]);
  const result = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "three" }] };
  const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find", "gen_ai.tool.call.id": "c1" };
  const spans = (ran: Partial<Given>): Given[] => [
    { id: "9", from: 0, to: 9, attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk" } },
    { id: "1", parent: "9", from: 1, to: 2, attributes: { ...chat, "gen_ai.output.messages": asks } },
    { id: "2", parent: "9", from: 3, to: 4, attributes: tool, ...ran },
    { id: "3", parent: "9", from: 5, to: 6, attributes: { ...chat, "gen_ai.input.messages": json([result]) } },
  ];

  it("what a tool returned is read from the next request when its own span does not say it", () => {
    expect(traceOf(spans({})).toolCalls).toMatchObject([{ output: "three", status: "ok", durationMs: 1 }]);
    const attributes = { ...tool, "gen_ai.tool.call.result": "four" };
    expect(traceOf(spans({ attributes })).toolCalls).toMatchObject([{ output: "four" }]);
    const failed = { status: { code: 2, message: "too slow" } };
    expect(traceOf(spans(failed)).toolCalls).toMatchObject([{ output: "too slow", status: "error" }]);
  });
});
