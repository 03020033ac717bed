/** Values in memory: every accepted shape of one small run gives the same calls; what is not understood is an error. */
import { describe, expect, it } from "vitest";
import { fingerprintTrace } from "../fingerprint/fingerprint-trace.ts";
import { isTrace, readTraceInMemory } from "./read-trace.ts";

const input = { order_id: "A-1" };
const args = JSON.stringify(input);

/** One call of lookup_order, which returns "shipped", then an answer. */
const conversations: { name: string; value: unknown }[] = [
  {
    name: "OpenAI chat messages",
    value: [
      { role: "user", content: "where?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "lookup_order", arguments: args } }],
      },
      { role: "tool", tool_call_id: "c1", content: "shipped" },
      { role: "assistant", content: "On its way." },
    ],
  },
  {
    name: "OpenAI Responses items",
    value: [
      { role: "user", content: "where?" },
      { type: "function_call", call_id: "c1", name: "lookup_order", arguments: args },
      { type: "function_call_output", call_id: "c1", output: "shipped" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "On its way." }] },
    ],
  },
  {
    name: "Anthropic messages",
    value: {
      system: "be kind",
      messages: [
        { role: "user", content: "where?" },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "lookup_order", input }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "shipped" }] },
        { role: "assistant", content: [{ type: "text", text: "On its way." }] },
      ],
    },
  },
  {
    name: "Gemini contents",
    value: [
      { role: "user", parts: [{ text: "where?" }] },
      { role: "model", parts: [{ functionCall: { name: "lookup_order", args: input } }] },
      { role: "user", parts: [{ functionResponse: { name: "lookup_order", response: { output: "shipped" } } }] },
      { role: "model", parts: [{ text: "On its way." }] },
    ],
  },
  {
    name: "Bedrock Converse",
    value: [
      { role: "user", content: [{ text: "where?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "c1", name: "lookup_order", input } }] },
      { role: "user", content: [{ toolResult: { toolUseId: "c1", content: [{ text: "shipped" }] } }] },
      { role: "assistant", content: [{ text: "On its way." }] },
    ],
  },
  {
    name: "AI SDK model messages",
    value: [
      { role: "user", content: "where?" },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "lookup_order", input }] },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "lookup_order",
            output: { type: "text", value: "shipped" },
          },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "On its way." }] },
    ],
  },
  {
    name: "AI SDK UI messages",
    value: [
      { id: "1", role: "user", parts: [{ type: "text", text: "where?" }] },
      {
        id: "2",
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "tool-lookup_order", toolCallId: "c1", state: "output-available", input, output: "shipped" },
          { type: "step-start" },
          { type: "text", text: "On its way.", state: "done" },
        ],
      },
    ],
  },
  {
    name: "AI SDK steps",
    value: {
      steps: [
        {
          content: [
            { type: "tool-call", toolCallId: "c1", toolName: "lookup_order", input },
            { type: "tool-result", toolCallId: "c1", toolName: "lookup_order", input, output: "shipped" },
          ],
          finishReason: "tool-calls",
        },
        { content: [{ type: "text", text: "On its way." }], finishReason: "stop" },
      ],
    },
  },
];

describe("a conversation in memory", () => {
  it.each(conversations)("is read from $name", ({ value }) => {
    const trace = readTraceInMemory(value);
    expect(trace.turns.map((turn) => turn.text)).toEqual(["", "On its way."]);
    expect(trace.toolCalls).toMatchObject([{ name: "lookup_order", input, output: "shipped", status: "ok" }]);
    expect(trace.source.unknown).toBeUndefined();
  });

  it("has one fingerprint, whoever wrote it", () => {
    const hashes = conversations.map(({ value }) => fingerprintTrace(readTraceInMemory(value)).hash);
    expect(new Set(hashes).size).toBe(1);
  });
});

describe("a part of a conversation", () => {
  const call = { id: "c1", type: "function", function: { name: "find", arguments: '{"q":1}' } };
  it.each([
    { name: "a response", value: { choices: [{ message: { role: "assistant", tool_calls: [call] } }] } },
    { name: "its message", value: { role: "assistant", content: null, tool_calls: [call] } },
    { name: "its calls", value: [call] },
    { name: "Anthropic's content", value: [{ type: "tool_use", id: "c1", name: "find", input: { q: 1 } }] },
    {
      name: "toolCalls of the AI SDK",
      value: [{ type: "tool-call", toolCallId: "c1", toolName: "find", input: { q: 1 } }],
    },
    { name: "calls by name and arguments", value: [{ name: "find", arguments: { q: 1 } }] },
    { name: "calls by name and args", value: [{ name: "find", args: { q: 1 } }] },
  ])("is read from $name", ({ value }) => {
    expect(readTraceInMemory(value).toolCalls).toMatchObject([{ name: "find", input: { q: 1 } }]);
  });

  it("takes names of tools, errors as text, dates and classes", () => {
    expect(readTraceInMemory(["a", "b"]).toolCalls.map((made) => made.name)).toEqual(["a", "b"]);
    const step = {
      content: [
        { type: "tool-call", toolCallId: "c1", toolName: "find", input: undefined },
        { type: "tool-error", toolCallId: "c1", toolName: "find", error: new Error("no luck") },
      ],
      finishReason: "tool-calls",
      response: { timestamp: new Date(0), modelId: "m" },
    };
    const trace = readTraceInMemory({ steps: [step] });
    expect(trace.toolCalls).toMatchObject([{ name: "find", status: "error", output: "no luck" }]);
    expect(trace.turns[0]!.ts).toBe("1970-01-01T00:00:00.000Z");
  });

  it("gives a trace back as it is", () => {
    const trace = readTraceInMemory(["a"]);
    expect(isTrace(trace)).toBe(true);
    expect(readTraceInMemory(trace)).toBe(trace);
  });
});

describe("what is no trace", () => {
  it.each([
    { value: 3, message: "No trace can be made of a number." },
    { value: undefined, message: "No trace can be made of null or nothing." },
    { value: { answer: 42 }, message: "No trace can be made of an object with answer." },
    { value: Promise.resolve([]), message: "no members of its own (is it a promise? await it)" },
    { value: [{ foo: 1 }], message: "No trace can be made of a list of objects with foo." },
    { value: [], message: "The list is empty" },
  ])("is refused: $message", ({ value, message }) => {
    expect(() => readTraceInMemory(value)).toThrow(message);
  });

  it("is refused when most of it was not understood", () => {
    const strange = { type: "hologram", data: "x" };
    const value = { type: "message", role: "assistant", content: [strange, strange, strange] };
    expect(() => readTraceInMemory({ messages: [{ role: "narrator" }, { role: "user", content: "hi" }] })).toThrow(
      "No trace can be made of",
    );
    expect(() => readTraceInMemory(value)).toThrow("was mostly not understood: part hologram (3)");
    expect(() =>
      readTraceInMemory([{ role: "user", content: "x" }, { type: "a" }, { type: "b" }, { type: "reasoning" }]),
    ).toThrow("was mostly not understood: item: a (1), item: b (1)");
  });

  it("may be empty where the caller says so", () => {
    expect(readTraceInMemory([], { allowEmpty: true }).toolCalls).toEqual([]);
  });
});
