/** What a payload says, encoded, and what it does not say, added: the very body that came. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exchange, testCapture } from "../../test/capture.ts";
import { bedrock } from "../providers/bedrock.ts";
import { chat } from "../providers/chat.ts";
import { gemini } from "../providers/gemini.ts";
import { messages } from "../providers/messages.ts";
import type { ProviderApi } from "../providers/provider-api.ts";
import { responses } from "../providers/responses.ts";
import { type Json, type JsonObject, jsonEqual, member, stringifyJson } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { residueOf, withResidue } from "./wire-residue.ts";

const LONG = "All orders are on their way to you. ".repeat(50);

/** Bodies with what the APIs put beside the answer: ids, signatures, encrypted reasoning, nulls, further choices. */
const bodies: readonly (readonly [string, ProviderApi, JsonObject])[] = [
  [
    "chat",
    chat,
    {
      id: "chatcmpl-Abc",
      object: "chat.completion",
      created: 1763179200,
      model: "gpt-4.1-2025-04-14",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: LONG,
            refusal: null,
            annotations: [],
            tool_calls: [
              {
                id: "call_a",
                type: "function",
                function: { name: "f", arguments: '{ "order": 12345678901234567890 }' },
              },
            ],
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
        {
          index: 1,
          message: { role: "assistant", content: "another", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 5, accepted_prediction_tokens: 0 },
      },
      service_tier: "default",
      system_fingerprint: "fp_1",
    },
  ],
  [
    "responses",
    responses,
    {
      id: "resp_1",
      object: "response",
      created_at: 1763179200,
      status: "completed",
      error: null,
      incomplete_details: null,
      model: "gpt-5",
      output: [
        {
          id: "rs_1",
          type: "reasoning",
          summary: [{ type: "summary_text", text: "Think." }],
          encrypted_content: "gAAAA",
        },
        { id: "fc_1", type: "function_call", status: "completed", call_id: "call_a", name: "f", arguments: "{}" },
        {
          id: "msg_1",
          type: "message",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text: LONG, annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: "medium", summary: null },
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 15,
      },
      metadata: {},
    },
  ],
  [
    "messages",
    messages,
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-x",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "EqQBCgYI" },
        { type: "redacted_thinking", data: "EmwKAhgB" },
        { type: "text", text: LONG, citations: null },
        { type: "tool_use", id: "toolu_1", name: "f", input: { order: 7 } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 3,
        cache_read_input_tokens: 4,
        output_tokens: 5,
        service_tier: "standard",
      },
    },
  ],
  [
    "gemini",
    gemini,
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [{ text: LONG, thoughtSignature: "CsgB" }, { functionCall: { name: "f", args: { order: 7 } } }],
          },
          finishReason: "STOP",
          index: 0,
          safetyRatings: [],
        },
      ],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 5,
        totalTokenCount: 15,
        promptTokensDetails: [{ modality: "TEXT", tokenCount: 10 }],
      },
      modelVersion: "gemini-x",
      responseId: "r1",
    },
  ],
  [
    "bedrock",
    bedrock,
    {
      output: {
        message: {
          role: "assistant",
          content: [{ text: LONG }, { toolUse: { toolUseId: "t1", name: "f", input: {} } }],
        },
      },
      stopReason: "tool_use",
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
      metrics: { latencyMs: 812 },
    },
  ],
];

describe("recorded bodies", () => {
  it.each(bodies)("%s", (_name, api, body) => {
    const kept: TraceRecord[] = [];
    const { capture } = testCapture({ write: (_file, record) => kept.push(record) });
    exchange(capture, api, api.encodeRequest({ model: "m", messages: [{ role: "user", content: "x" }] }), body);
    const { payload, meta } = kept.find(({ kind }) => kind === "chat_response")!;
    const residue = member(member(meta!, "wire"), "residue");
    expect(jsonEqual(withResidue(api.encodeResponse(payload as JsonObject), residue), body)).toBe(true);
    // What was said is not kept twice.
    expect(stringifyJson(residue!)).not.toContain("on their way to you");
  });
});

describe("laws", () => {
  const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

  it("any body from any other", () => {
    fc.assert(
      fc.property(value, value, (encoded, body) => {
        const residue = residueOf(encoded, body);
        // Through text, as in a file.
        const written = residue === undefined ? undefined : (JSON.parse(stringifyJson(residue)) as Json);
        expect(jsonEqual(withResidue(encoded, written), JSON.parse(stringifyJson(body)) as Json)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("a body a little changed, with the names that residues use themselves", () => {
    const key = fc.constantFrom("set", "in", "drop", "is", "a", "__proto__", "0");
    const object = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value)), {
      maxKeys: 4,
    }) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(object, key, value, (encoded, changed, to) => {
        const body = { ...encoded, [changed]: to };
        expect(jsonEqual(withResidue(encoded, residueOf(encoded, body)), body)).toBe(true);
        expect(residueOf(encoded, encoded)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });
});
