import { describe, expect, it } from "vitest";
import { exchange, seenRequest, testCapture } from "../../test/capture.ts";
import { chat } from "../providers/chat.ts";
import type { ProviderApi } from "../providers/provider-api.ts";
import { providerApis } from "../providers/provider-apis.ts";
import { type JsonObject, member, stringifyJson } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";

const question = { role: "user", content: "Where is order A-7702?" };
const call = { type: "tool_use", id: "call_4f8a9b2c7d1e", name: "lookup_order", input: { order: "A-7702" } };
const asks = { model: "m-1", content: [call], stop_reason: "tool_use", usage: { input_tokens: 12, output_tokens: 5 } };
const says = { model: "m-1", content: [{ type: "text", text: "On its way." }], stop_reason: "end_turn" };
const told = { role: "tool", tool_call_id: call.id, content: "shipped" };
const answer = { role: "assistant", content: [call] };
const tools = [{ name: "lookup_order", description: "Finds an order", parameters: { type: "object" } }];

/** Two turns of an agent in the words of an API. */
function turns(api: ProviderApi): readonly { request: JsonObject; response: JsonObject }[] {
  const request = (messages: JsonObject[]) => api.encodeRequest({ model: "m-1", messages, tools });
  return [
    { request: request([{ role: "system", content: "Be kind." }, question]), response: api.encodeResponse(asks) },
    {
      request: request([{ role: "system", content: "Be kind." }, question, answer, told]),
      response: api.encodeResponse(says),
    },
  ];
}

const kinds = (records: readonly TraceRecord[]) => records.map(({ kind }) => kind);

describe.each(providerApis.map((api) => [api.name, api] as const))("%s", (name, api) => {
  it.each(name === "bedrock" ? [undefined] : [undefined, 1, 7, 1_000])(
    "two turns are one trace, in chunks of %s",
    (pieces) => {
      const { capture, records, trace, problems } = testCapture();
      const times = [1_000, 2_000];
      for (const [index, { request, response }] of turns(api).entries()) {
        exchange(capture, api, request, response, { atMs: times[index]!, ...(pieces === undefined ? {} : { pieces }) });
      }
      const summary = capture.close(3_000);
      expect(problems).toEqual([]);
      expect(kinds(records())).toEqual([
        ...["metadata", "chat_request", "chat_response"],
        ...["tool_result", "chat_request_delta", "chat_response", "harness_event"],
      ]);
      const { turns: seen, toolCalls, sessions, recording } = trace();
      expect(seen).toHaveLength(2);
      expect(sessions).toHaveLength(1);
      expect(recording).toBeUndefined();
      expect(toolCalls).toMatchObject([
        { name: "lookup_order", input: { order: "A-7702" }, status: "ok", output: "shipped", evidence: "told" },
      ]);
      expect(seen[0]).toMatchObject({ stopReason: "tool_use" });
      expect(seen[1]).toMatchObject({ text: "On its way.", stopReason: "end_turn" });
      expect(member(seen[1]!.response, "usage")).toBeUndefined();
      expect(member(seen[0]!.response, "latency_ms")).toBe(30);
      expect(summary).toMatchObject({ runs: 1, requests: 2, responses: 2, toolsTold: 1, errors: 0 });
    },
  );
});

it("a failed call that is tried again is one request, an error, a retry and an answer", () => {
  const { capture, records, trace } = testCapture();
  const [first] = turns(chat);
  const failing = capture.request(seenRequest(chat, first!.request, { atMs: 1_000 }))!;
  failing.head(429, { "content-type": "application/json", "retry-after": "1" }, 1_010);
  failing.text(stringifyJson({ error: { type: "rate_limit", message: "slow down" } }), 1_020);
  failing.end(1_020);
  exchange(capture, chat, first!.request, first!.response, { atMs: 2_020 });
  capture.close(3_000);
  expect(kinds(records()).slice(1, -1)).toEqual(["chat_request", "error", "harness_event", "chat_response"]);
  expect(records()[2]!.payload).toMatchObject({ source: "llm", code: "rate_limit", status_code: 429 });
  expect(records()[3]!.payload).toMatchObject({
    category: "retry",
    name: "429",
    attributes: { attempt: 2, waited_ms: 1_000 },
  });
  const { turns: seen, recording } = trace();
  expect(seen).toHaveLength(1);
  expect(seen[0]!.requestId).toBe(records()[1]!.id);
  expect(recording).toBeUndefined();
});

it("a stream that breaks off leaves what came, and says who broke it", () => {
  const { capture, records, trace } = testCapture();
  const call = capture.request(seenRequest(chat, turns(chat)[0]!.request))!;
  call.head(200, { "content-type": "text/event-stream" }, 1_010);
  call.text('data: {"model":"m-1","choices":[{"index":0,"delta":{"content":"On its"}}]}\n\ndata: {"mod', 1_020);
  call.broke("server", { code: "ECONNRESET", message: "socket hang up" }, 1_030);
  capture.close(2_000);
  expect(kinds(records()).slice(1, -1)).toEqual(["chat_request", "chat_response", "harness_event"]);
  expect(records()[2]).toMatchObject({ payload: { stop_reason: "error" }, meta: { complete: false } });
  expect(records()[3]!.payload).toMatchObject({ category: "stream_interrupt", name: "server" });
  expect(trace().turns[0]!.text).toBe("On its");
});

it("what is open at the end is closed by it", () => {
  const { capture, records, trace } = testCapture();
  capture.request(seenRequest(chat, turns(chat)[0]!.request));
  capture.close(2_000);
  expect(kinds(records()).slice(1)).toEqual(["chat_request", "harness_event", "harness_event"]);
  expect(records()[2]!.payload).toMatchObject({ category: "stream_interrupt", name: "exit" });
  expect(trace().recording).toEqual({ unanswered: 1 });
});

it("a stated session is one file, whatever is said in it", () => {
  const { capture, files } = testCapture();
  for (const id of ["one", "two"]) {
    for (const content of ["Plan it", "Do it"]) {
      const request = chat.encodeRequest({ model: "m-1", messages: [{ role: "user", content }] });
      exchange(capture, chat, request, chat.encodeResponse(says), { session: { id, scenario: "s", agent: "a" } });
    }
  }
  capture.close(2_000);
  expect([...files.keys()]).toEqual(["one", "two"]);
  const tags = files.get("one")!.flatMap(({ kind, meta }) => (kind === "chat_request" ? [meta!["session_tag"]] : []));
  expect(new Set(tags).size).toBe(2);
});

it.each([
  ["GET", "https://api.openai.com/v1/models", ""],
  ["POST", "https://api.openai.com/v1/embeddings", '{"model":"e","input":"text"}'],
  [
    "POST",
    "https://api.anthropic.com/v1/messages/count_tokens",
    '{"model":"m","messages":[{"role":"user","content":"x"}]}',
  ],
  ["POST", "https://x/models/gemini:countTokens", '{"contents":[{"parts":[{"text":"x"}]}]}'],
  ["POST", "https://example.com/api/messages", '{"text":"hello"}'],
  ["POST", "https://api.openai.com/v1/chat/completions", "not json"],
])("%s %s is no turn of a model", (method, url, body) => {
  const { capture, files } = testCapture();
  expect(capture.request({ method, url, headers: {}, body, atMs: 1 })).toBeUndefined();
  expect(files.size).toBe(0);
});

it("a writer that throws is counted, and the agent goes on", () => {
  const { capture, problems } = testCapture({
    write: () => {
      throw new Error("disk full");
    },
  });
  exchange(capture, chat, turns(chat)[0]!.request, turns(chat)[0]!.response);
  const { problems: counted } = capture.close(2_000);
  expect(counted).toEqual({ unwritable: 4 });
  expect(problems[0]).toEqual({ code: "unwritable", message: "disk full" });
});
