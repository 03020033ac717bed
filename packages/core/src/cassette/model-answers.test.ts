import { describe, expect, it } from "vitest";
import { exchange, testCapture } from "../../test/capture.ts";
import { chat } from "../providers/chat.ts";
import { messages } from "../providers/messages.ts";
import { createRedaction } from "../redact/redaction.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { buildCassette } from "./build-cassette.ts";
import type { CassetteOptions } from "./cassette.ts";

const tool = (name: string, description = name) => ({
  type: "function",
  function: { name, description, parameters: {} },
});

function request(said: readonly Json[], more: JsonObject = {}): JsonObject {
  return {
    model: "gpt-x",
    messages: [{ role: "system", content: "Be kind.\nBe brief." }, ...said],
    tools: [tool("get_order")],
    ...more,
  };
}

const user = (content: string) => ({ role: "user", content });
const answer = (id: string, content: string): JsonObject => ({
  id,
  object: "chat.completion",
  created: 1_794_715_200,
  model: "gpt-x-2026",
  system_fingerprint: "fp_1",
  choices: [
    { index: 0, message: { role: "assistant", content, refusal: null }, logprobs: null, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
});
const calling = (id: string, callId: string): JsonObject => ({
  ...answer(id, ""),
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id: callId, type: "function", function: { name: "get_order", arguments: '{"id":1}' } }],
      },
      finish_reason: "tool_calls",
    },
  ],
});
const called = (callId: string) => [
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: callId, type: "function", function: { name: "get_order", arguments: '{"id":1}' } }],
  },
  { role: "tool", tool_call_id: callId, content: "open" },
];

/** A recording of these exchanges, through the same capture as real ones. */
function recorded(pairs: readonly (readonly [JsonObject, JsonObject])[], options: CassetteOptions = {}) {
  const { capture, trace } = testCapture({ redaction: options.redaction });
  for (const [asked, said] of pairs) exchange(capture, chat, asked, said, { session: { id: "s", scenario: "a" } });
  return buildCassette([trace()], options).open({ scenario: "a" });
}

describe("a recorded answer", () => {
  it("is the exact body again, each once", () => {
    const session = recorded([
      [request([user("hi")]), answer("r1", "one")],
      [request([user("hi"), { role: "assistant", content: "one" }, user("more")]), answer("r2", "two")],
    ]);
    expect(session.answerModel({ api: chat, body: request([user("hi")]) })).toMatchObject({
      served: "exact",
      body: answer("r1", "one"),
      complete: true,
    });
    expect(session.answerModel({ api: chat, body: request([user("hi")]) })).toEqual({
      served: "miss",
      reason: "used_up",
    });
    expect(session.summary().neverAsked.modelAnswers).toBe(1);
  });

  it("fails again where it failed, and then answers", () => {
    const { capture, trace } = testCapture();
    const call = capture.request({
      method: "POST",
      url: "https://api.openai.com/v1/chat/completions",
      headers: {},
      body: JSON.stringify(request([user("hi")])),
      atMs: 1,
      session: { id: "s", scenario: "a" },
    })!;
    call.head(429, { "content-type": "application/json" }, 2);
    call.text('{"error":{"message":"slow down","code":"rate_limited"}}', 3);
    call.end(4);
    exchange(capture, chat, request([user("hi")]), answer("r1", "one"), { session: { id: "s", scenario: "a" } });
    const session = buildCassette([trace()]).open({ scenario: "a" });
    const ask = () => session.answerModel({ api: chat, body: request([user("hi")]) });
    expect(ask()).toMatchObject({
      served: "exact",
      error: { status: 429, code: "rate_limited", message: "slow down" },
    });
    expect(ask()).toMatchObject({ served: "exact", body: answer("r1", "one") });
  });

  it.each([
    { name: "streaming", more: { stream: true, stream_options: { include_usage: true } } },
    { name: "who asks", more: { user: "u-7", metadata: { run: "9" }, prompt_cache_key: "k" } },
  ])("does not depend on $name", ({ more }) => {
    const session = recorded([[request([user("hi")]), answer("r1", "one")]]);
    expect(session.answerModel({ api: chat, body: request([user("hi")], more) }).served).toBe("exact");
  });

  it("does not depend on the ids of calls, only on which call a result answers", () => {
    const session = recorded([
      [request([user("hi")]), calling("r1", "call_a")],
      [request([user("hi"), ...called("call_a")]), answer("r2", "open")],
    ]);
    expect(session.answerModel({ api: chat, body: request([user("hi"), ...called("call_zzz")]) }).served).toBe("exact");
  });

  it("does not depend on marks for caches", () => {
    const body = (cached: JsonObject): JsonObject => ({
      model: "claude-x",
      max_tokens: 9,
      system: [{ type: "text", text: "Be kind.", ...cached }],
      messages: [{ role: "user", content: [{ type: "text", text: "hi", ...cached }] }],
    });
    const { capture, trace } = testCapture();
    const said = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-x",
      content: [{ type: "text", text: "ho" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    exchange(capture, messages, body({}), said, { session: { id: "s", scenario: "a" } });
    const session = buildCassette([trace()]).open({ scenario: "a" });
    expect(session.answerModel({ api: messages, body: body({ cache_control: { type: "ephemeral" } }) })).toMatchObject({
      served: "exact",
      body: said,
    });
  });

  it("is found although the time, an id or a folder in the prompt is another", () => {
    const prompt = (now: string, id: string, folder: string) =>
      user(`It is ${now}. Session ${id}. Files are in ${folder}/in.`);
    const uuid = (digit: string) => `${digit.repeat(8)}-aaaa-4aaa-8aaa-${digit.repeat(12)}`;
    const session = recorded([
      [request([prompt("2026-11-15T04:00:00Z", uuid("1"), "/tmp/run-a8Xy12")]), answer("r1", "one")],
    ]);
    expect(
      session.answerModel({
        api: chat,
        body: request([prompt("2026-12-24T18:30:00+01:00", uuid("2"), "/tmp/run-Q99xy1")]),
      }),
    ).toMatchObject({ served: "exact", masked: true });
  });

  it("is found for a secret that the recording does not hold", () => {
    const redaction = createRedaction();
    const session = recorded([[request([user("I am ann@example.com")]), answer("r1", "one")]], { redaction });
    expect(session.answerModel({ api: chat, body: request([user("I am ann@example.com")]) }).served).toBe("exact");
  });

  it("belongs to the conversation that began with the same words, where no scenario is named", () => {
    const { capture, files } = testCapture();
    exchange(capture, chat, request([user("hi")]), answer("r1", "one"), { session: { id: "s1" } });
    exchange(capture, chat, request([user("bye")]), answer("r2", "two"), { session: { id: "s2" } });
    const traces = [...files.values()].map((records, index) => ({ ...buildTrace(records), key: `t${index}` }));
    const session = buildCassette(traces).open();
    expect(session.answerModel({ api: chat, body: request([user("bye")]) })).toMatchObject({
      served: "exact",
      body: answer("r2", "two"),
    });
    expect(session.summary().scope).toEqual({ by: "first_user_text", recordings: ["t1"] });
  });
});

describe("a request that nothing answers says what differs from the nearest recorded one", () => {
  it.each([
    {
      name: "the model",
      body: request([user("hi")], { model: "gpt-y" }),
      differences: [{ what: "model", asked: "gpt-y", recorded: "gpt-x" }],
    },
    {
      name: "a line of the prompt",
      body: { ...request([]), messages: [{ role: "system", content: "Be kind.\nBe thorough." }, user("hi")] },
      differences: [{ what: "system", line: 2, asked: "Be thorough.", recorded: "Be brief." }],
    },
    {
      name: "a message",
      body: request([user("hello")]),
      differences: [{ what: "message", index: 1, role: "user", asked: "hello", recorded: "hi" }],
    },
    {
      name: "a message more",
      body: request([user("hi"), { role: "assistant", content: "two" }, user("and?")]),
      differences: [{ what: "message", index: 2, role: "assistant", asked: "two" }],
    },
    {
      name: "the tools",
      body: request([user("hi")], { tools: [tool("get_order", "changed"), tool("cancel_order")] }),
      differences: [{ what: "tools", added: ["cancel_order"], removed: [], changed: ["get_order"] }],
    },
    {
      name: "a parameter",
      body: request([user("hi")], { temperature: 0.5 }),
      differences: [{ what: "param", name: "temperature", asked: 0.5 }],
    },
  ])("$name", ({ body, differences }) => {
    const session = recorded([[request([user("hi")]), answer("r1", "one")]]);
    expect(session.answerModel({ api: chat, body: body as JsonObject })).toMatchObject({
      served: "miss",
      reason: "other_request",
      nearest: { differences },
    });
  });
});

it("lists tools that changed since they were recorded", () => {
  const session = recorded([[request([user("hi")]), answer("r1", "one")]]);
  session.noteRequest({
    api: chat,
    body: request([user("hi")], { tools: [tool("get_order", "new words"), tool("x")] }),
  });
  expect(session.summary().changedTools).toEqual({ added: ["x"], removed: [], changed: ["get_order"] });
});

it("says how old the recordings are", () => {
  const session = recorded([[request([user("hi")]), answer("r1", "one")]]);
  expect(session.summary(1_000 + 86_400_000).recorded).toEqual({
    from: "1970-01-01T00:00:01.000Z",
    to: "1970-01-01T00:00:01.000Z",
    ageMs: 86_400_000,
  });
});
