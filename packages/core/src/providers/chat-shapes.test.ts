/** Requests and replies in the shapes of every SDK: each row is one shape, and all rows of a table mean the same. */

import { describe, expect, it } from "vitest";
import { type Json, stringifyJson } from "../trace/json.ts";
import { parseReply } from "./chat-reply.ts";
import { parseRequest } from "./chat-shapes.ts";
import { UnknownCounter } from "./count-unknown.ts";

const lc = (type: string, kwargs: Json): Json => ({
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "messages", type],
  kwargs,
});
const openaiCall = { id: "c1", type: "function", function: { name: "find", arguments: '{"q":"x"}' } };

/** A user's question, a call, its result. */
const requests: { name: string; value: Json; named?: false }[] = [
  {
    name: "OpenAI chat",
    value: [
      { role: "user", content: "hi" },
      { role: "assistant", content: null, tool_calls: [openaiCall] },
      { role: "tool", tool_call_id: "c1", content: "yes" },
    ],
  },
  {
    name: "OpenAI Responses",
    value: {
      input: [
        { role: "user", content: [{ type: "input_text", text: "hi" }] },
        { type: "function_call", call_id: "c1", name: "find", arguments: '{"q":"x"}' },
        { type: "function_call_output", call_id: "c1", output: "yes" },
      ],
    },
  },
  {
    name: "Anthropic",
    value: {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "find", input: { q: "x" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "yes" }] },
      ],
    },
  },
  {
    name: "Vercel",
    value: [
      { role: "user", content: [{ type: "text", text: "hi" }] },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "find", input: { q: "x" } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c1", toolName: "find", output: { type: "text", value: "yes" } }],
      },
    ],
  },
  {
    name: "OpenTelemetry parts, with `result` as the prose of the release spells it",
    value: [
      { role: "user", parts: [{ type: "text", content: "hi" }] },
      { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "find", arguments: { q: "x" } }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "c1", result: "yes" }] },
    ],
  },
  {
    name: "LangChain, plain",
    value: [
      { type: "human", content: "hi" },
      { type: "ai", content: "", tool_calls: [{ name: "find", args: { q: "x" }, id: "c1", type: "tool_call" }] },
      { type: "tool", content: "yes", tool_call_id: "c1" },
    ],
  },
  {
    name: "LangChain for Python under additional_kwargs",
    value: [
      { role: "user", content: "hi" },
      { role: "assistant", content: "", additional_kwargs: { tool_calls: [openaiCall], refusal: null } },
      { role: "tool", content: "yes", tool_call_id: "c1" },
    ],
  },
  {
    name: "LangChain constructors, as LangSmith nests them",
    value: {
      messages: [
        [
          lc("HumanMessage", { content: "hi" }),
          lc("AIMessage", { content: "", tool_calls: [{ name: "find", args: { q: "x" }, id: "c1" }] }),
          lc("ToolMessage", { content: "yes", tool_call_id: "c1" }),
        ],
      ],
    },
  },
];

describe("requests", () => {
  const read = (value: Json) =>
    parseRequest(value, new UnknownCounter()).messages.map(({ role, parts, result }) => {
      return result === undefined ? { role, parts } : { role, id: result.callId, output: result.output };
    });
  const expected = [
    { role: "user", parts: [{ type: "text", text: "hi" }] },
    { role: "assistant", parts: [{ type: "tool_use", id: "c1", name: "find", input: { q: "x" } }] },
    { role: "tool", id: "c1", output: "yes" },
  ];

  it.each(requests)("$name", ({ value }) => {
    expect(read(value)).toEqual(expected);
  });

  it.each(requests)("$name as JSON text, and as JSON inside JSON", ({ value }) => {
    expect(read(stringifyJson(value))).toEqual(expected);
    expect(read(stringifyJson(stringifyJson(value)))).toEqual(expected);
  });

  it("Gemini, whose calls have no ids", () => {
    const value = {
      config: { system_instruction: "be brief", tools: [{ function_declarations: [{ name: "find" }] }] },
      contents: [
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts: [{ function_call: { name: "find", args: { q: "x" } } }] },
        { role: "user", parts: [{ function_response: { name: "find", response: { ok: true } } }] },
      ],
    };
    const request = parseRequest(value, new UnknownCounter());
    expect(request.tools).toEqual([{ name: "find" }]);
    expect(request.messages).toEqual([
      { role: "system", parts: [{ type: "text", text: "be brief" }] },
      { role: "user", parts: [{ type: "text", text: "hi" }] },
      { role: "assistant", parts: [{ type: "tool_use", name: "find", input: { q: "x" } }] },
      { role: "tool", parts: [], result: { name: "find", output: { ok: true } } },
    ]);
  });

  it("LangChain.js names a tool message's role after the tool", () => {
    const messages = [
      { role: "assistant", content: "", tool_calls: [openaiCall] },
      { role: "find", content: "yes" },
      { role: "critic", content: "hm" },
    ];
    const { messages: read } = parseRequest(messages, new UnknownCounter());
    expect(read.map((message) => message.role)).toEqual(["assistant", "tool", "user"]);
  });

  it("Langfuse logs tool definitions as messages: they are definitions", () => {
    const definition = { type: "function", function: { name: "find", parameters: {} } };
    const request = parseRequest(
      [
        { role: "user", content: "hi" },
        { role: "tool", content: definition },
      ],
      new UnknownCounter(),
    );
    expect(request.messages).toHaveLength(1);
    expect(request.tools).toEqual([definition]);
  });

  it("a conversation flattened into text", () => {
    const { messages } = parseRequest(
      "system: be brief\nuser: hi\nthere\nassistant: None\ntool: yes",
      new UnknownCounter(),
    );
    expect(messages).toEqual([
      { role: "system", parts: [{ type: "text", text: "be brief" }] },
      { role: "user", parts: [{ type: "text", text: "hi\nthere" }] },
      { role: "assistant", parts: [] },
      { role: "tool", parts: [], result: { output: "yes" } },
    ]);
  });

  it("any other text is what the user said, JSON or not", () => {
    for (const text of ["hi", '{"order":12}', "[1,2]", "12"]) {
      const { messages } = parseRequest(text, new UnknownCounter());
      expect(messages).toEqual([{ role: "user", parts: [{ type: "text", text }] }]);
    }
  });
});

describe("replies", () => {
  const parts = [
    { type: "text", text: "looking" },
    { type: "tool_use", id: "c1", name: "find", input: { q: "x" } },
  ];
  const message = { role: "assistant", content: "looking", tool_calls: [openaiCall] };

  it.each<{ name: string; value: Json; reason?: string; usage?: Json; model?: string }>([
    { name: "a message", value: message },
    {
      name: "an OpenAI response",
      value: {
        model: "m",
        choices: [{ index: 0, finish_reason: "tool_calls", message }],
        usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 5 } },
      },
      reason: "tool_calls",
      usage: { input_tokens: 4, output_tokens: 4, cached_input_tokens: 5 },
      model: "m",
    },
    {
      name: "an OpenAI Responses object",
      value: {
        model: "m",
        output: [
          { type: "message", role: "assistant", content: [{ type: "output_text", text: "looking" }] },
          { type: "function_call", call_id: "c1", id: "fc_1", name: "find", arguments: '{"q":"x"}' },
        ],
        usage: { input_tokens: 9, output_tokens: 4, output_tokens_details: { reasoning_tokens: 3 } },
      },
      usage: { input_tokens: 9, output_tokens: 1, thinking_tokens: 3 },
      model: "m",
    },
    {
      name: "an Anthropic message",
      value: {
        role: "assistant",
        model: "m",
        content: [
          { type: "text", text: "looking" },
          { type: "tool_use", id: "c1", name: "find", input: { q: "x" } },
        ],
        stop_reason: "tool_use",
        usage: { input_tokens: 9, output_tokens: 4, cache_read_input_tokens: 5 },
      },
      reason: "tool_use",
      usage: { input_tokens: 9, output_tokens: 4, cached_input_tokens: 5 },
      model: "m",
    },
    {
      name: "a Gemini response",
      value: {
        candidates: [
          {
            content: {
              role: "model",
              parts: [{ text: "looking" }, { functionCall: { id: "c1", name: "find", args: { q: "x" } } }],
            },
            finishReason: "STOP",
          },
        ],
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4 },
      },
      reason: "STOP",
      usage: { input_tokens: 9, output_tokens: 4 },
    },
    {
      name: "LangChain generations",
      value: {
        generations: [
          [
            {
              text: "looking",
              message: lc("AIMessage", {
                content: "looking",
                tool_calls: [{ name: "find", args: { q: "x" }, id: "c1" }],
              }),
              generation_info: { finish_reason: "tool_calls" },
            },
          ],
        ],
        llm_output: { token_usage: { prompt_tokens: 9, completion_tokens: 4 }, model_name: "m" },
      },
      reason: "tool_calls",
      usage: { input_tokens: 9, output_tokens: 4 },
      model: "m",
    },
    { name: "a history, of which the last answer counts", value: [{ role: "user", content: "hi" }, message] },
  ])("$name", ({ value, reason, usage, model }) => {
    for (const given of [value, stringifyJson(value)]) {
      const unknown = new UnknownCounter();
      const reply = parseReply(given, unknown)!;
      expect(reply.parts).toEqual(parts);
      expect(reply.stopReason).toBe(reason);
      expect(reply.usage).toEqual(usage);
      expect(reply.model).toBe(model);
      expect(unknown.result()).toEqual({});
    }
  });

  it("takes the first of several choices and counts the others", () => {
    const unknown = new UnknownCounter();
    const reply = parseReply(
      [
        { role: "assistant", parts: [{ type: "text", content: "a" }] },
        { role: "assistant", parts: [] },
      ],
      unknown,
    );
    expect(reply!.parts).toEqual([{ type: "text", text: "a" }]);
    expect(unknown.result()).toEqual({ unknown: { "further choice of a response": 1 } });
  });

  it("leaves an answer that is JSON of the model's own as the text it is", () => {
    for (const text of ['{"verdict":"good"}', "[1,2,3]", "true", "12.0"]) {
      expect(parseReply(text, new UnknownCounter())!.parts).toEqual([{ type: "text", text }]);
    }
  });

  it("nothing logged is no reply", () => {
    for (const value of [undefined, null, ""]) expect(parseReply(value, new UnknownCounter())).toBeUndefined();
  });
});
