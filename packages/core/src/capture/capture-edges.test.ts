/** What programs and servers do that nobody would write down in a plan. */
import { describe, expect, it } from "vitest";
import { exchange, seenRequest, testCapture } from "../../test/capture.ts";
import { chat } from "../providers/chat.ts";
import { encodeStream } from "../providers/event-stream.ts";
import { gemini } from "../providers/gemini.ts";
import { messages } from "../providers/messages.ts";
import { messagesStream } from "../providers/messages-stream.ts";
import { responses } from "../providers/responses.ts";
import { type Json, type JsonObject, member, stringifyJson } from "../trace/json.ts";
import { parseJson } from "../trace/parse-json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { createRecordVerifier } from "../verify/verify-records.ts";

const asks = (...list: JsonObject[]) => chat.encodeRequest({ model: "m", messages: list, tools: [{ name: "f" }] });
const user = (content: string): JsonObject => ({ role: "user", content });
const says = (text: string) =>
  chat.encodeResponse({ model: "m", content: [{ type: "text", text }], stop_reason: "end_turn" });
const call = { type: "tool_use", id: "call_0123456789abcdef", name: "f", input: { a: 1, b: [2] } };
const calling = chat.encodeResponse({ model: "m", content: [call], stop_reason: "tool_use" });
const results = (records: readonly TraceRecord[]) => records.filter(({ kind }) => kind === "tool_result");
const told = (content: Json): JsonObject[] => [
  user("q"),
  { role: "assistant", content: [call] },
  { role: "tool", tool_call_id: call.id, content },
];

describe("texts and numbers", () => {
  it("half a character, in a request, an answer, a stream and a tool", () => {
    const { capture, records, problems } = testCapture();
    const half = '{"model":"m","messages":[{"role":"user","content":"\\ud83d and \\\\ud83d and \\ud83d\\ude00"}]}';
    const call = capture.request({ ...seenRequest(chat, {}), body: half })!;
    call.head(200, { "content-type": "text/event-stream" }, 1);
    for (const piece of ["\\ud83d", "\\ude00", "\\ud83d"])
      call.text(`data: {"choices":[{"index":0,"delta":{"content":"${piece}"}}]}\n\n`, 2);
    call.text('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n', 3);
    call.end(4);
    capture.tool({ name: "t", input: { text: "\ud83d" }, atMs: 5 }).end("\ude00", 6);
    capture.close(7);
    expect(problems).toEqual([]);
    expect(member(records()[1]!.payload, "messages")).toEqual([user("\ufffd and \\ud83d and 😀")]);
    expect(member(records()[2]!.payload, "content")).toEqual([{ type: "text", text: "😀\ufffd" }]);
  });

  it("integers of 64 bits keep their digits, on every way", () => {
    const lines: string[] = [];
    const { capture } = testCapture({ write: (_file, record) => lines.push(stringifyJson(record as unknown as Json)) });
    const big = '{"order":12345678901234567890}';
    const request = `{"model":"m","seed":12345678901234567890,"messages":[{"role":"user","content":"x"}]}`;
    const sent = capture.request({ ...seenRequest(chat, {}), body: request })!;
    sent.head(200, {}, 1);
    sent.text(
      `{"choices":[{"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${JSON.stringify(big)}}}]},"finish_reason":"tool_calls"}],"seed":9007199254740993}`,
      2,
    );
    sent.end(3);
    capture
      .tool({ name: "f", callId: "c", input: { order: 12345678901234567890n }, atMs: 4 })
      .end({ ok: 9007199254740993n }, 5);
    const text = lines.join("\n");
    expect(text.match(/12345678901234567890(?!")/g)!.length).toBeGreaterThanOrEqual(3);
    expect(text.match(/9007199254740993/g)).toHaveLength(2);
  });

  it("nesting no reader would take is kept as its size, and the line can be read", () => {
    const deep = (levels: number): Json => (levels === 0 ? "end" : [deep(levels - 1)]);
    const { capture, problems } = testCapture({
      write: (_file, record) => lines.push(stringifyJson(record as unknown as Json)),
    });
    const lines: string[] = [];
    const nested = { ...call, input: { deep: deep(125) } };
    exchange(capture, messages, messages.encodeRequest({ model: "m", messages: [user("q")] }), {
      ...messages.encodeResponse({ model: "m", content: [nested], stop_reason: "tool_use" }),
      extra: deep(100),
    });
    const inText = {
      id: "c",
      type: "function",
      function: { name: "f", arguments: stringifyJson({ deep: deep(120) }) },
    };
    exchange(
      capture,
      chat,
      { model: "m", messages: [user("q"), { role: "assistant", tool_calls: [inText] }] },
      says("x"),
    );
    capture.tool({ name: "f", input: deep(1_000), atMs: 1 }).end(deep(1_000), 2);
    expect(problems).toEqual([]);
    for (const line of lines) expect(() => parseJson(line)).not.toThrow();
    expect(lines.join("")).toContain("[nested too deeply: ");
  });
});

describe("sizes", () => {
  it("what is too large is a gap with its size, never nothing", () => {
    const { capture, records, problems, trace } = testCapture({ maxBodyBytes: 1_000 });
    exchange(capture, chat, asks(user("q")), says("x".repeat(2_000)), { session: { id: "s" } });
    expect(capture.request(seenRequest(chat, asks(user("y".repeat(2_000))), { session: { id: "s" } }))).toBeUndefined();
    const { problems: counted } = capture.close(9_000);
    expect(counted).toEqual({ too_large: 2 });
    expect(problems.map(({ code }) => code)).toEqual(["too_large", "too_large"]);
    const gaps = records().filter(({ payload }) => member(payload, "name") === "too_large");
    expect(gaps.map(({ payload }) => member(member(payload, "attributes"), "of"))).toEqual(["response", "request"]);
    expect(trace().recording).toEqual({ unanswered: 1, gaps: 2 });
  });

  it("an answer that is none is a gap", () => {
    const { capture, trace } = testCapture();
    for (const text of ["<html>login</html>", '{"hello":1}', ""]) {
      const sent = capture.request(seenRequest(chat, asks(user(text))))!;
      sent.head(200, { "content-type": "text/html" }, 1);
      sent.text(text, 2);
      sent.end(3);
    }
    capture.close(4);
    for (const key of ["run-1", "run-2", "run-3"]) expect(trace(key).recording).toEqual({ unanswered: 1, gaps: 1 });
  });
});

describe("tools", () => {
  it("told and ran: having seen it wins, and what was sent is kept only where it differs", () => {
    const same = testCapture();
    for (const [ran, sent] of [
      [{ total: 5 }, '{"total":5}'],
      ["fine", "fine"],
      [[1, 2], "[1, 2]"],
    ] as const) {
      const { capture, files } = testCapture();
      exchange(capture, chat, asks(user("q")), calling, { atMs: 1_000 });
      capture.tool({ name: "f", callId: call.id, input: call.input, atMs: 1_100 }).end(ran, 1_250);
      exchange(capture, chat, asks(...told(sent)), says("x"), { atMs: 2_000 });
      expect(results([...files.values()][0]!)).toHaveLength(1);
    }
    exchange(same.capture, chat, asks(user("q")), calling, { atMs: 1_000 });
    same.capture
      .tool({ name: "f", callId: call.id, input: call.input, atMs: 1_100 })
      .end({ total: 5, secret: "x" }, 1_250);
    exchange(same.capture, chat, asks(...told("total: 5")), says("x"), { atMs: 2_000 });
    const [ran, sent] = results(same.records());
    expect(ran).toMatchObject({ payload: { latency_ms: 150, is_error: false }, meta: { evidence: "ran" } });
    expect(sent).toMatchObject({ meta: { evidence: "told", sent_output: "total: 5" } });
    expect(same.trace().toolCalls).toMatchObject([
      { evidence: "ran", output: { total: 5, secret: "x" }, durationMs: 150 },
    ]);
  });

  it("told alone: how long it took at most, and each result once", () => {
    const { capture, records } = testCapture();
    exchange(capture, chat, asks(user("q")), calling, { atMs: 1_000 });
    const next = told("done");
    exchange(capture, chat, asks(...next), says("x"), { atMs: 2_000 });
    exchange(
      capture,
      chat,
      asks(...next, { role: "assistant", content: [{ type: "text", text: "x" }] }, user("more")),
      says("y"),
      { atMs: 3_000 },
    );
    expect(results(records())).toMatchObject([
      { payload: { output: "done" }, meta: { evidence: "told", latency_at_most_ms: 970 } },
    ]);
    expect(member(results(records())[0]!.payload, "latency_ms")).toBeUndefined();
  });

  it("without an id: by name and arguments, the oldest first", () => {
    const { capture, trace } = testCapture();
    const two = chat.encodeResponse({
      model: "m",
      content: [call, { ...call, id: "call_fedcba9876543210" }],
      stop_reason: "tool_use",
    });
    exchange(capture, chat, asks(user("q")), two);
    capture.tool({ name: "f", input: { b: [2], a: 1 }, atMs: 1 }).end("first", 2);
    capture.tool({ name: "f", input: call.input, atMs: 3 }).failed({ message: "broken", kind: "TypeError" }, 4);
    capture.tool({ name: "f", input: { other: true }, atMs: 5 }).end(undefined as unknown as Json, 6);
    expect(trace().toolCalls.map(({ id, status, output }) => [id, status, output])).toEqual([
      [call.id, "ok", "first"],
      ["call_fedcba9876543210", "error", "broken"],
      [expect.stringMatching(/^ran-/), "ok", null],
    ]);
  });

  it("a result that holds itself, and one that is told twice", () => {
    const { capture, records, problems } = testCapture();
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const tool = capture.tool({ name: "f", input: {}, atMs: 1 });
    tool.end(circle as Json, 2);
    tool.end("again", 3);
    expect(results(records())).toMatchObject([{ payload: { output: "[not JSON]" } }]);
    expect(problems).toEqual([]);
  });
});

describe("errors", () => {
  it("after a status of 200: with what had come, or alone", () => {
    const { capture, files, trace } = testCapture();
    const whole = encodeStream(
      messagesStream,
      messages.encodeResponse({
        model: "m",
        content: [{ type: "text", text: "half an answer" }],
        stop_reason: "end_turn",
      }),
    );
    const overloaded =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    for (const before of [whole.slice(0, whole.indexOf("event: content_block_stop")), ""]) {
      const sent = capture.request(
        seenRequest(messages, messages.encodeRequest({ model: "m", messages: [user(before)] })),
      )!;
      sent.head(200, { "content-type": "text/event-stream" }, 1);
      sent.text(before + overloaded, 2);
      sent.end(3);
    }
    expect(trace("run-1").turns[0]!.text).toBe("half an answer");
    expect(files.get("run-1")!.slice(-1)[0]!.payload).toMatchObject({
      category: "stream_interrupt",
      name: "server",
      attributes: { code: "overloaded_error" },
    });
    expect(files.get("run-2")!.slice(-1)[0]).toMatchObject({
      kind: "error",
      payload: { source: "llm", code: "overloaded_error", message: "Overloaded" },
    });
  });

  it("in the words of a gateway, of Google, and of nobody", () => {
    const { capture, files } = testCapture();
    const texts = [
      "upstream connect error",
      '[{"error":{"code":503,"message":"try later","status":"UNAVAILABLE"}}]',
      "",
    ];
    for (const text of texts) {
      const sent = capture.request(seenRequest(gemini, gemini.encodeRequest({ model: "m", messages: [user(text)] })))!;
      sent.head(503, {}, 1);
      sent.text(text, 2);
      sent.end(3);
    }
    const errors = [...files.values()].map((records) => records.at(-1)!.payload);
    expect(errors).toMatchObject([
      { message: "upstream connect error", status_code: 503 },
      { message: "try later", code: "UNAVAILABLE", status_code: 503 },
      { message: "HTTP status 503", status_code: 503 },
    ]);
  });

  it("what ends twice, or speaks before its head, or never ends, disturbs nobody", () => {
    const { capture, records, trace } = testCapture();
    const sent = capture.request(seenRequest(chat, asks(user("q"))))!;
    sent.text(stringifyJson(says("x")), 1);
    sent.end(2);
    sent.end(3);
    sent.broke("client", { message: "late" }, 4);
    sent.text("late", 5);
    expect(trace().turns.map(({ text }) => text)).toEqual(["x"]);
    expect(records()).toHaveLength(3);
  });
});

describe("streams", () => {
  it("of Gemini as one JSON list", () => {
    const { capture, trace } = testCapture();
    const sent = capture.request(seenRequest(gemini, gemini.encodeRequest({ model: "m", messages: [user("q")] })))!;
    sent.head(200, { "content-type": "application/json" }, 1);
    const piece = (text: string, finish?: string) => ({
      candidates: [
        { content: { role: "model", parts: [{ text }] }, ...(finish === undefined ? {} : { finishReason: finish }) },
      ],
    });
    const text = JSON.stringify([piece("half "), piece("an answer", "STOP")]);
    for (const character of text) sent.text(character, 2);
    sent.end(3);
    expect(trace().turns[0]).toMatchObject({ text: "half an answer", stopReason: "end_turn" });
  });

  it("events that are no JSON are counted in the record", () => {
    const { capture, records } = testCapture();
    const sent = capture.request(seenRequest(chat, asks(user("q"))))!;
    sent.head(200, { "content-type": "text/event-stream" }, 1);
    sent.text(
      'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\ndata: {oops\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
      2,
    );
    sent.end(3);
    expect(records()[2]!.meta).toMatchObject({ not_understood: { "event that is no JSON": 1 } });
  });
});

it("who asked is named by a hash, and no other header is kept", () => {
  const { capture, records } = testCapture();
  const body = {
    ...messages.encodeRequest({ model: "m", messages: [user("q")] }),
    metadata: { user_id: "user_anna_account_1" },
  };
  const headers = {
    "user-agent": "cli/1",
    authorization: "Bearer x",
    "x-api-key": "k",
    "x-codex-installation-id": "inst-7",
    cookie: "c",
    "x-stainless-retry-count": "0",
  };
  exchange(capture, messages, body, messages.encodeResponse({ model: "m", content: [], stop_reason: "end_turn" }), {
    headers,
  });
  const { meta, payload } = records()[1]!;
  expect(Object.keys(meta!["headers"] as JsonObject).sort()).toEqual([
    "user-agent",
    "x-codex-installation-id",
    "x-stainless-retry-count",
  ]);
  expect(stringifyJson(meta!)).not.toContain("inst-7");
  expect(stringifyJson(payload)).not.toContain("anna");
  expect(member(member(member(payload, "params"), "metadata"), "user_id")).toMatch(/^hashed:[0-9a-f]{16}$/);
});

it("x-spoor-skip leaves a request out", () => {
  const { capture, files } = testCapture();
  expect(capture.request(seenRequest(chat, asks(user("q")), { headers: { "x-spoor-skip": "1" } }))).toBeUndefined();
  expect(files.size).toBe(0);
});

it("a recording verifies, record by record", () => {
  const { capture, files } = testCapture();
  exchange(capture, chat, asks(user("q")), calling, { atMs: 1_000 });
  capture.tool({ name: "f", callId: call.id, input: call.input, atMs: 1_100 }).end("ok", 1_200);
  exchange(capture, chat, asks(...told("ok")), says("x"), { atMs: 2_000 });
  const failing = capture.request(seenRequest(responses, { model: "m", input: "other" }, { atMs: 3_000 }))!;
  failing.broke("server", { message: "reset" }, 3_100);
  capture.event({ category: "guardrail", name: "rule", callId: call.id, atMs: 3_200 });
  capture.close(4_000);
  for (const records of files.values()) {
    const verifier = createRecordVerifier();
    for (const [index, record] of records.entries()) verifier.add(record, index + 1);
    expect(verifier.counts()).toEqual({});
  }
});
