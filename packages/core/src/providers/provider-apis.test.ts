/** What every API promises: encoding and decoding are inverse, and a stream folds to its body however it is cut. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, stringifyJson } from "../trace/json.ts";
import { parseJson } from "../trace/parse-json.ts";
import { bedrock } from "./bedrock.ts";
import { chat } from "./chat.ts";
import { UnknownCounter } from "./count-unknown.ts";
import { encodeStream, foldStream } from "./event-stream.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import type { ProviderApi, StreamCodec } from "./provider-api.ts";
import { providerApis } from "./provider-apis.ts";
import { responses } from "./responses.ts";
import { streamOf } from "./stream-codecs.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
const name = fc.stringMatching(/^[a-z]{1,6}$/);
const input = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }).map((made) => plain(made) as Json);
const count = fc.integer({ min: 1, max: 1_000_000 });

/** As a parser would have read it: no minus zero, integers beyond 2^53 exact. */
function plain<T>(value: T): T {
  return parseJson(stringifyJson(value as Json)) as T;
}

const textPart = text.map((said): JsonObject => ({ type: "text", text: said }));
const thinkingPart = text.map((said): JsonObject => ({ type: "thinking", text: said }));
const calls = fc
  .array(fc.record({ name, input }), { minLength: 1, maxLength: 3 })
  .map((list) => list.map((call, index): JsonObject => ({ type: "tool_use", id: `id-${index}`, ...call })));

/** A response that only says something, or thinks, says and calls; in the order every API keeps. */
const content = fc
  .tuple(fc.option(thinkingPart), fc.option(textPart), fc.option(calls))
  .map(([thinking, said, made]) => [thinking, said, made].flat().filter((part) => part !== null))
  .filter((parts) => parts.length > 0);

const payload = fc
  .record({ parts: content, usage: fc.option(fc.record({ input: count, output: count, cached: count })) })
  .chain(({ parts, usage }) => {
    const asks = parts.some((part) => part["type"] === "tool_use");
    return fc.constantFrom(asks ? "tool_use" : "end_turn", "max_tokens").map(
      (stop): JsonObject => ({
        model: "model-1",
        content: parts,
        stop_reason: stop,
        ...(usage === null
          ? {}
          : {
              usage: {
                input_tokens: usage.input,
                output_tokens: usage.output,
                cached_input_tokens: usage.cached,
              },
            }),
      }),
    );
  });

/** Converse answers without naming the model. */
function carried(api: ProviderApi, said: JsonObject): JsonObject {
  const { model: _model, ...rest } = said as Record<string, Json>;
  return api === bedrock ? rest : said;
}

describe.each(providerApis)("$name", (api) => {
  it("decodes what it encoded", () => {
    fc.assert(
      fc.property(payload, (said) => {
        const unknown = new UnknownCounter();
        const body = api.encodeResponse(said);
        expect(api.isResponse(body)).toBe(true);
        expect(api.decodeResponse(body, unknown)).toEqual(carried(api, said));
        expect(unknown.result()).toEqual({});
      }),
    );
  });

  it("is the only one to claim its responses", () => {
    fc.assert(
      fc.property(payload, (said) => {
        const body = api.encodeResponse(said);
        const claims = providerApis.filter((other) => other.recognise(body).score >= 0.5);
        expect(claims.map((other) => other.name)).toEqual([api.name]);
      }),
    );
  });

  it("decodes a request it encoded", () => {
    fc.assert(
      fc.property(payload, text, text, fc.boolean(), (said, asked, answered, failed) => {
        const { content: parts } = said;
        const results = (parts as JsonObject[])
          .filter((part) => part["type"] === "tool_use")
          .map((part) => ({ role: "tool", tool_call_id: part["id"]!, content: answered, ...mark(api, failed) }));
        const request: JsonObject = {
          model: "model-1",
          messages: [
            { role: "system", content: "be kind" },
            { role: "user", content: asked },
            { role: "assistant", content: parts! },
            ...results,
          ],
          params: { temperature: 0.5 },
        };
        const unknown = new UnknownCounter();
        expect(api.decodeRequest(api.encodeRequest(request), unknown)).toEqual(request);
        expect(unknown.result()).toEqual({});
      }),
    );
  });
});

/** Chat completions have no word for a tool that failed. */
function mark(api: ProviderApi, failed: boolean): JsonObject {
  return failed && api !== chat ? { is_error: true } : {};
}

const bodies: { api: ProviderApi; body: JsonObject }[] = [
  {
    api: chat,
    body: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "m",
      service_tier: "default",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Fine — ☀ done.",
            refusal: null,
            annotations: [],
            reasoning_content: "hm",
            tool_calls: [
              { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo \\u2600"}' } },
              { id: "c2", type: "function", function: { name: "weather", arguments: "{}" } },
            ],
          },
          logprobs: { content: [{ token: "F", logprob: -0.5 }], refusal: null },
          finish_reason: "tool_calls",
        },
        { index: 1, message: { role: "assistant", content: "Other." }, finish_reason: "stop" },
      ],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    },
  },
  {
    api: responses,
    body: {
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "m",
      error: null,
      output: [
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "x" },
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [
            { type: "output_text", text: "Fine — ☀ done.", annotations: [] },
            { type: "refusal", refusal: "No." },
          ],
        },
        { type: "function_call", id: "fc_1", call_id: "c1", name: "weather", arguments: '{"city":"Oslo"}' },
        { type: "custom_tool_call", id: "ct_1", call_id: "c2", name: "sh", input: "ls -l" },
      ],
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    },
  },
  {
    api: messages,
    body: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "thinking", thinking: "hm, well", signature: "c2ln" },
        { type: "redacted_thinking", data: "x" },
        { type: "text", text: "Fine — ☀ done.", citations: [{ type: "char_location", cited_text: "a" }] },
        { type: "tool_use", id: "t1", name: "weather", input: { city: "Oslo", n: 9007199254740993n } },
        { type: "tool_use", id: "t2", name: "now", input: {} },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 4 },
    },
  },
  {
    api: gemini,
    body: {
      candidates: [
        {
          index: 0,
          content: {
            role: "model",
            parts: [
              { text: "hm, well", thought: true },
              { text: "Fine — ☀ done.", thoughtSignature: "c2ln" },
              { text: "And more." },
              { functionCall: { name: "weather", args: { city: "Oslo" } }, thoughtSignature: "x" },
            ],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
      modelVersion: "m",
      responseId: "g1",
    },
  },
];

function foldIn(codec: StreamCodec, stream: string, cut: (rest: string) => number) {
  const fold = foldStream(codec);
  for (let rest = stream; rest !== ""; ) {
    const size = Math.max(1, cut(rest));
    fold.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return fold.finish();
}

const STREAM_FACTS = { complete: true, bad: 0, unknown: {} };

describe.each(bodies)("a stream of $api.name", ({ api, body }) => {
  const codec = streamOf(api)!;

  it.each([1, 3, 7, 64, Number.POSITIVE_INFINITY])("folds to its body in chunks of %s characters", (size) => {
    for (const stream of [encodeStream(codec, body, 5), encodeStream(codec, body, 5).replaceAll("\n", "\r\n")]) {
      expect(foldIn(codec, stream, () => size)).toMatchObject({ response: body, ...STREAM_FACTS });
      expect(foldIn(codec, stream, () => size).response).toEqual(body);
    }
  });

  it("folds to its body at random cuts, whatever the response says", () => {
    fc.assert(
      fc.property(payload, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), count, (said, sizes, piece) => {
        const made = plain(api.encodeResponse(said));
        let turn = 0;
        const folded = foldIn(codec, encodeStream(codec, made, 1 + (piece % 9)), () => sizes[turn++ % sizes.length]!);
        expect(folded.response).toEqual(made);
        expect(folded).toMatchObject(STREAM_FACTS);
      }),
    );
  });

  it("says that a stream was cut, and keeps what came", () => {
    const stream = encodeStream(codec, body, 5);
    const { complete, response } = foldIn(codec, stream.slice(0, Math.floor(stream.length / 2)), () => 64);
    expect(complete).toBe(false);
    expect(response).toBeDefined();
  });

  it("counts events that are no JSON, and goes on", () => {
    const stream = `: a comment\n\ndata: {oops\n\n${encodeStream(codec, body)}`;
    expect(foldIn(codec, stream, () => 9)).toMatchObject({ response: body, complete: true, bad: 1 });
  });

  it("costs the same for chunks of one character as for large ones", () => {
    const part = "x".repeat(400_000);
    const long = api.encodeResponse({ content: [{ type: "text", text: part }], stop_reason: "end_turn" });
    const stream = encodeStream(codec, long, 200_000);
    const started = performance.now();
    expect(foldIn1(codec, stream)).toBe(true);
    // Looking again at what came before would cost 10^11 steps: minutes, not seconds.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

function foldIn1(codec: StreamCodec, stream: string): boolean {
  const fold = foldStream(codec);
  for (const character of stream) fold.push(character);
  return fold.finish().complete;
}

describe("what streams do besides", () => {
  const events = (...list: (JsonObject | string)[]) =>
    list.map((data) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`).join("");

  it("takes the items seen on the way when the final response has none", () => {
    const item = { type: "function_call", call_id: "c1", name: "a", arguments: '{"x":1}' };
    const stream = events(
      { type: "response.created", response: { object: "response", status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"x"' },
      { type: "response.function_call_arguments.delta", output_index: 0, delta: ":1}" },
      { type: "response.completed", response: { object: "response", status: "completed", output: [] } },
    );
    expect(foldIn(streamOf(responses)!, stream, () => 5)).toMatchObject({
      response: { output: [item] },
      complete: true,
    });
  });

  it("keeps an error that follows a message, which is then not complete", () => {
    const stream = events(
      { type: "message_start", message: { type: "message", role: "assistant", content: [], usage: {} } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hal" } },
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    );
    expect(foldIn(streamOf(messages)!, stream, () => 5)).toMatchObject({
      response: { content: [{ type: "text", text: "Hal" }], error: { type: "overloaded_error" } },
      complete: false,
    });
  });

  it("joins calls whose id comes first and whose name is repeated", () => {
    const chunk = (delta: JsonObject, finish: string | null = null) => ({
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const stream = events(
      chunk({ role: "assistant", content: "" }),
      chunk({ tool_calls: [{ index: 0, id: "c1", function: { name: "find", arguments: "" } }] }),
      chunk({ tool_calls: [{ index: 1, id: "c2", function: { name: "find", arguments: "{}" } }] }),
      chunk({ tool_calls: [{ index: 0, id: "", function: { name: "find", arguments: '{"q":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
      chunk({}, "tool_calls"),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      "[DONE]",
    );
    const { response } = foldIn(streamOf(chat)!, stream, () => 3);
    expect(chat.decodeResponse(response!, new UnknownCounter())).toEqual({
      content: [
        { type: "tool_use", id: "c1", name: "find", input: { q: 1 } },
        { type: "tool_use", id: "c2", name: "find", input: {} },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 2 },
    });
  });

  it("numbers Gemini's calls through the conversation, and its results with them", () => {
    const call = (city: string) => ({ functionCall: { name: "weather", args: { city } } });
    const result = (output: string) => ({ functionResponse: { name: "weather", response: { output } } });
    const request = {
      contents: [
        { role: "user", parts: [{ text: "Oslo, Rome, then Bonn" }] },
        { role: "model", parts: [call("Oslo"), call("Rome")] },
        { role: "user", parts: [result("snow"), result("sun")] },
      ],
    };
    const unknown = new UnknownCounter();
    const decoded = gemini.decodeRequest(request, unknown)["messages"] as JsonObject[];
    expect(decoded.slice(2).map((message) => [message["tool_call_id"], message["content"]])).toEqual([
      ["weather#0", "snow"],
      ["weather#1", "sun"],
    ]);
    const response = { candidates: [{ content: { role: "model", parts: [call("Bonn")] }, finishReason: "STOP" }] };
    expect(gemini.decodeResponse(response, unknown, request)).toEqual({
      content: [{ type: "tool_use", id: "weather#2", name: "weather", input: { city: "Bonn" } }],
      stop_reason: "tool_use",
    });
  });
});
