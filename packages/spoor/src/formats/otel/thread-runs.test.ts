/** Runs of Azure's agents: one span, whose events are the answers and the results. */
import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../../test/fixtures.ts";

const BASE = "2026-05-04T10:00:0";

const event = (name: string, second: number, content: Json, attributes: object = {}) => ({
  name: `gen_ai.${name}.message`,
  timestamp: `${BASE}${second}.000000Z`,
  attributes: { ...attributes, "gen_ai.event.content": JSON.stringify(content) },
});

const span = (operation: string, id: number, second: number, events: object[], more: object = {}) => ({
  name: operation,
  context: { trace_id: `0x5a${"0".repeat(29)}1`, span_id: `0x5b0000000000000${id}`, trace_state: "[]" },
  kind: "SpanKind.CLIENT",
  parent_id: null,
  start_time: `${BASE}${second}.000000Z`,
  end_time: `${BASE}${second + 1}.000000Z`,
  status: { status_code: "UNSET" },
  attributes: {
    "gen_ai.operation.name": operation,
    "gen_ai.thread.id": "thread_1",
    "gen_ai.response.model": "m",
    ...more,
  },
  events,
  links: [],
  resource: { attributes: {}, schema_url: "" },
});

const call = (id: string, name: string, input: Json) => ({
  id,
  type: "function",
  function: { name, arguments: input },
});
const read = (spans: object[]) => importValues("otel-spans", { lines: spans as Json[] });

describe("a thread run", () => {
  it("is a turn for each answer, with its calls, their results, its counts, and what was asked before it", () => {
    const [trace] = importFixture("otel-spans/azure-thread-run.jsonl");
    expect(trace!.turns.map(({ text, model, usage }) => [text, model, usage])).toEqual([
      ["", "gpt-4o-mini", { inputTokens: 100, outputTokens: 20 }],
      ["", "gpt-4o-mini", { inputTokens: 102, outputTokens: 24 }],
      ["Order 7 is on its way; the customer knows.", "gpt-4o-mini", { inputTokens: 108, outputTokens: 26 }],
    ]);
    expect(trace!.toolCalls.map(({ id, name, input, output, status }) => [id, name, input, output, status])).toEqual([
      ["call_a", "track", { order: 7 }, { state: "shipped" }, "ok"],
      ["call_b", "send_email", { to: "mira@example.com" }, { sent: true }, "ok"],
    ]);
    const first = trace!.records.find(({ kind }) => kind === "chat_request");
    expect(first!.payload).toMatchObject({
      messages: [{ role: "user", content: "Where is order 7, and write to the customer." }],
    });
    expect(trace!.source.unknown).toBeUndefined();
  });

  it("with two calls in one answer, and one of a tool of the service, which tells no result", () => {
    const grounding = { id: "c3", type: "bing_grounding", bing_grounding: { requesturl: "https://example.com" } };
    const [trace] = read([
      span("process_thread_run", 1, 1, [
        event("tool", 2, { content: "rain", id: "c2" }),
        event("tool", 2, { content: "sun", id: "c1" }),
        event("assistant", 3, {
          tool_calls: [call("c1", "weather", { city: "Bern" }), call("c2", "weather", { city: "Oslo" }), grounding],
        }),
        event("assistant", 4, { content: [{ text: { value: "Sun in Bern." } }], role: "assistant" }),
      ]),
    ]);
    expect(trace!.turns.map(({ text, toolCalls }) => [text, toolCalls.length])).toEqual([
      ["", 3],
      ["Sun in Bern.", 0],
    ]);
    expect(trace!.toolCalls.map(({ name, input, output }) => [name, input, output])).toEqual([
      ["weather", { city: "Bern" }, "sun"],
      ["weather", { city: "Oslo" }, "rain"],
      ["bing_grounding", { requesturl: "https://example.com" }, undefined],
    ]);
  });

  it("of another thread hears nothing of this one, and one without events stays a call of the model", () => {
    const [trace] = read([
      span("create_message", 1, 0, [event("user", 0, { content: "elsewhere", role: "user" })], {
        "gen_ai.thread.id": "thread_2",
      }),
      span("process_thread_run", 2, 1, [event("assistant", 2, { content: { text: { value: "Hi." } } })]),
    ]);
    expect(trace!.turns.map(({ text }) => text)).toEqual(["Hi."]);
    expect(JSON.stringify(trace!.records)).not.toContain("elsewhere");
    const [plain] = read([span("process_thread_run", 3, 1, [], { "gen_ai.usage.input_tokens": 5 })]);
    expect(plain!.turns.map(({ usage }) => usage?.inputTokens)).toEqual([5]);
  });
});
