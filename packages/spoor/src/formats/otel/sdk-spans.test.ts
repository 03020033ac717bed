/** Spans in the envelopes of SDKs and of Phoenix, and calls that no span holds together. */
import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../../test/fixtures.ts";
import { readTrace } from "../../load/read-trace.ts";

describe("SDK spans", () => {
  it("Python's to_json: ids with 0x, kinds and status in words, a failed tool", () => {
    const [trace] = importFixture("otel-spans/python-to-json.jsonl");
    expect(trace!.agent).toBe("support");
    expect(trace!.turns.map((turn) => turn.durationMs)).toEqual([1000, 500]);
    expect(trace!.toolCalls).toMatchObject([
      { name: "refund", input: { order: 7 }, status: "error", durationMs: 500, error: { kind: "ClosedError" } },
    ]);
  });

  it("ReadableSpan: clocks as pairs, kinds from 0, a sub-agent inside a tool", () => {
    const [trace] = importFixture("otel-spans/readable-spans.json");
    expect(trace!.turns.map((turn) => [turn.agent, turn.durationMs])).toEqual([
      [undefined, 1500],
      ["researcher", 1500],
    ]);
    expect(trace!.turns[0]!.offeredTools).toHaveLength(1);
  });

  it("the console exporter's indented documents, one after the other", async () => {
    const spans = [1, 2].map((number) => ({
      name: "chat",
      context: {
        trace_id: "0x0000000000000000000000000000000a",
        span_id: `0x000000000000000${number}`,
        trace_state: "[]",
      },
      kind: "SpanKind.CLIENT",
      parent_id: null,
      start_time: `2026-01-01T00:00:0${number}.000000Z`,
      end_time: `2026-01-01T00:00:0${number}.500000Z`,
      status: { status_code: "UNSET" },
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.completion": `answer ${number}`,
      },
      resource: { attributes: { "service.name": "shop" } },
    }));
    const trace = await readTrace(spans.map((span) => JSON.stringify(span, null, 4)).join("\n"));
    expect(trace.turns.map((turn) => turn.text)).toEqual(["answer 1", "answer 2"]);
  });

  it("the JavaScript console exporter's microseconds", () => {
    const [trace] = importValues("otel-spans", {
      document: {
        name: "chat",
        traceId: "0000000000000000000000000000000b",
        id: "0000000000000001",
        kind: 2,
        timestamp: 1_770_131_992_000_000,
        duration: 1_250_000,
        attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
        status: { code: 0 },
      },
    });
    expect(trace!.turns[0]).toMatchObject({ durationMs: 1250, ts: "2026-02-03T15:19:52.000Z" });
  });
});

describe("Phoenix", () => {
  it("dotted attributes", () => {
    const [trace] = importFixture("phoenix/spans.json");
    expect(trace!.turns[0]).toMatchObject({ system: "Be brief.", usage: { inputTokens: 20, outputTokens: 8 } });
    expect(trace!.toolCalls).toMatchObject([{ name: "weather", input: { city: "Bern" }, status: "error" }]);
  });

  it("spans of Phoenix whose kind stands beside the attributes; tools are joined by tool.id, cached tokens counted once", () => {
    const [trace] = importFixture("phoenix/turn.json");
    expect(trace!.turns.map(({ toolCalls, text, usage }) => [toolCalls.length, text, usage])).toEqual([
      [1, "", { inputTokens: 3, outputTokens: 21, cachedInputTokens: 1100, cachedWrite5mTokens: 100 }],
      [1, "", { inputTokens: 2, outputTokens: 30, cachedInputTokens: 1200, cachedWrite5mTokens: 58 }],
      [
        0,
        "The carrier does not answer.",
        { inputTokens: 2, outputTokens: 9, cachedInputTokens: 1258, cachedWrite5mTokens: 40 },
      ],
    ]);
    expect(trace!.toolCalls.map(({ id, name, status, durationMs }) => [id, name, status, durationMs])).toEqual([
      ["call-1", "list_orders", "ok", 1000],
      ["call-2", "track", "error", 2000],
    ]);
    expect(trace!.source.unknown).toBeUndefined();
  });

  it("two runs of one tool side by side are told apart by tool.id, whichever ended first", () => {
    const out = "llm.output_messages.0.message";
    const call = (place: number, id: string, city: string) => ({
      [`${out}.tool_calls.${place}.tool_call.id`]: id,
      [`${out}.tool_calls.${place}.tool_call.function.name`]: "weather",
      [`${out}.tool_calls.${place}.tool_call.function.arguments`]: JSON.stringify({ city }),
    });
    const span = (span_id: string, span_kind: string, second: number, attributes: object) => ({
      name: "x",
      context: { trace_id: "t", span_id },
      span_kind,
      parent_id: span_id === "a" ? null : "a",
      start_time: `2026-01-01T00:00:0${second}+00:00`,
      end_time: `2026-01-01T00:00:0${second + 1}+00:00`,
      status_code: "OK",
      attributes,
    });
    const tool = (id: string, output: string) => ({ "tool.name": "weather", "tool.id": id, "output.value": output });
    const [trace] = importValues("phoenix", {
      document: [
        span("a", "AGENT", 0, {}),
        span("b", "LLM", 1, {
          "llm.model_name": "m",
          [`${out}.role`]: "assistant",
          ...call(0, "c1", "Bern"),
          ...call(1, "c2", "Oslo"),
        }),
        span("c", "TOOL", 3, tool("c2", "rain")),
        span("d", "TOOL", 4, tool("c1", "sun")),
      ] as never,
    });
    expect(trace!.toolCalls.map(({ input, output }) => [input, output])).toEqual([
      [{ city: "Bern" }, "sun"],
      [{ city: "Oslo" }, "rain"],
    ]);
  });

  it("columns of a data frame, nested and dotted at once", () => {
    const [trace] = importFixture("phoenix/dataframe.json");
    expect(trace!.toolCalls).toMatchObject([{ name: "ask_expert", output: "forty-two" }]);
    expect(trace!.turns.map((turn) => [turn.agent, turn.text])).toEqual([
      [undefined, ""],
      ["ask_expert", "forty-two"],
    ]);
  });
});

interface Said {
  readonly role: string;
  readonly text?: string;
  readonly call?: string;
  readonly answers?: string;
}

const part = ({ text, call, answers }: Said): Json =>
  call !== undefined
    ? { type: "tool_call", id: call, name: "look", arguments: {} }
    : answers !== undefined
      ? { type: "tool_call_response", id: answers, response: "seen" }
      : { type: "text", content: text ?? "" };

/** A model call in a trace of its own, `at` seconds after the first. */
function call(at: number, input: readonly Said[], output: Said, attributes: Record<string, Json> = {}): Json {
  const messages = (list: readonly Said[]) =>
    JSON.stringify(list.map((said) => ({ role: said.role, parts: [part(said)] })));
  return span(at, "chat m", {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.input.messages": messages(input),
    "gen_ai.output.messages": messages([output]),
    ...attributes,
  });
}

function span(at: number, name: string, attributes: Record<string, Json>): Json {
  const id = (at + 1).toString(16).padStart(16, "0");
  const from = 1_770_000_000 + at * 10;
  return {
    name,
    traceId: id + id,
    spanId: id,
    kind: 2,
    startTime: [from, 0],
    endTime: [from + 1, 0],
    attributes,
    status: { code: 0 },
  };
}

const user = (text: string): Said => ({ role: "user", text });
const says = (text: string): Said => ({ role: "assistant", text });

describe("calls that no span holds together", () => {
  const read = (...spans: Json[]) => importValues("otel-spans", { document: spans });
  const texts = (...spans: Json[]) => read(...spans).map((trace) => trace.turns.map((turn) => turn.text));

  it("a conversation id joins them, and two conversations stay two", () => {
    const of = (id: string) => ({ "gen_ai.conversation.id": id });
    expect(
      texts(
        call(0, [user("a")], says("a1"), of("A")),
        call(1, [user("b")], says("b1"), of("B")),
        call(2, [user("more")], says("a2"), of("A")),
      ),
    ).toEqual([["a1", "a2"], ["b1"]]);
    expect(importFixture("otel-spans/one-per-line.jsonl").map((trace) => trace.turns.length)).toEqual([2]);
  });

  it("a session attribute of another instrumentation joins them too", () => {
    const of = { "session.id": "S" };
    expect(texts(call(0, [user("a")], says("a1"), of), call(1, [user("b")], says("b1"), of))).toEqual([["a1", "b1"]]);
  });

  it("a growing history joins them, also when conversations are interleaved", () => {
    expect(
      texts(
        call(0, [user("a")], says("a1")),
        call(1, [user("b")], says("b1")),
        call(2, [user("a"), says("a1"), user("go on")], says("a2")),
        call(3, [user("b"), says("b1"), user("go on")], says("b2")),
      ),
    ).toEqual([
      ["a1", "a2"],
      ["b1", "b2"],
    ]);
  });

  it("a tool that ran in a trace of its own belongs to the answer that asked for it", () => {
    const id = "call_0123456789abcdef";
    const tool = span(1, "execute_tool look", {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
      "gen_ai.tool.call.id": id,
      "gen_ai.tool.call.result": "seen",
    });
    const asks: Said = { role: "assistant", call: id };
    const traces = read(
      call(0, [user("a")], asks),
      tool,
      call(2, [user("a"), asks, { role: "tool", answers: id }], says("done")),
    );
    expect(traces).toHaveLength(1);
    expect(traces[0]!.toolCalls).toMatchObject([{ name: "look", output: "seen", turnIndex: 0 }]);
    expect(traces[0]!.turns).toHaveLength(2);
    expect(traces[0]!.source.notes).toEqual(["3 traces without a root are joined to this run"]);
  });

  it("questions of their own stay runs of their own beside runs that were joined, and say so", () => {
    const traces = read(
      call(0, [user("a")], says("a1")),
      call(1, [user("b")], says("b1")),
      call(2, [user("a"), says("a1"), user("go on")], says("a2")),
    );
    expect(traces.map((trace) => trace.turns.map((turn) => turn.text))).toEqual([["a1", "a2"], ["b1"]]);
    expect(traces[1]!.source.notes).toEqual([
      "a trace of its own without a root: nothing ties it to another run of this file",
    ]);
  });

  it("a trace with a span around its calls stays as it is", () => {
    const outer = { ...(span(0, "POST /chat", { "http.request.method": "POST" }) as object) } as Record<string, Json>;
    const inner = {
      ...(call(1, [user("a")], says("a1")) as object),
      traceId: outer["traceId"]!,
      parentSpanId: outer["spanId"]!,
    };
    const again = call(2, [user("a"), says("a1"), user("go on")], says("a2"));
    expect(texts(outer, inner, again)).toEqual([["a1"], ["a2"]]);
  });
});
