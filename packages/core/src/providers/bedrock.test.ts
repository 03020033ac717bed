/** Converse as people keep it: lists of messages, requests with their answers, and every kind of block. */
import { describe, expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { readTraceInMemory } from "./read-trace.ts";

const call = { toolUse: { toolUseId: "t1", name: "get_weather", input: { city: "Rome" } } };
const result = { toolResult: { toolUseId: "t1", content: [{ json: { c: 24 } }], status: "success" } };

describe("lists of messages", () => {
  it.each<{ name: string; value: Json }>([
    {
      name: "as the service wants them",
      value: [
        { role: "user", content: [{ text: "Weather?" }] },
        { role: "assistant", content: [call] },
        { role: "user", content: [result, { cachePoint: { type: "default" } }] },
        { role: "assistant", content: [{ text: "24 C" }] },
      ],
    },
    {
      name: "with texts that are no blocks",
      value: [
        { role: "user", content: "Weather?" },
        { role: "assistant", content: [{ text: "I look." }, call] },
        { role: "user", content: [result] },
        { role: "assistant", content: "24 C" },
      ],
    },
    {
      name: "in a request",
      value: {
        modelId: "m",
        system: [{ text: "Be brief." }],
        messages: [
          { role: "user", content: [{ guardContent: { text: { text: "Weather?" } } }] },
          { role: "assistant", content: [call] },
          { role: "user", content: [result] },
          { role: "assistant", content: [{ citationsContent: { content: [{ text: "24 C" }], citations: [] } }] },
        ],
      },
    },
  ])("$name", ({ value }) => {
    const trace = readTraceInMemory(value);
    expect(trace.source).toMatchObject({ format: "bedrock" });
    expect(trace.source.unknown).toBeUndefined();
    expect(trace.turns).toHaveLength(2);
    expect(trace.toolCalls).toMatchObject([{ name: "get_weather", input: { city: "Rome" }, output: { c: 24 } }]);
    expect(trace.turns[1]!.response["content"]).toEqual([{ type: "text", text: "24 C" }]);
    expect(trace.turns[0]!.request["messages"]).toMatchObject(
      Array.isArray(value) ? [{ content: "Weather?" }] : [{ role: "system" }, { content: "Weather?" }],
    );
  });
});

it("keeps pictures and documents, and takes the result of a tool that the service runs", () => {
  const content = [
    { toolUse: { toolUseId: "s1", name: "nova_grounding", input: {}, type: "server_tool_use" } },
    { toolResult: { toolUseId: "s1", content: [{ text: "found" }], type: "nova_grounding_result" } },
    { image: { format: "png", source: { bytes: "aGk=" } } },
    { text: "Here." },
  ];
  const trace = readTraceInMemory([
    { role: "user", content: [{ text: "Show" }] },
    { role: "assistant", content },
  ]);
  expect(trace.source.unknown).toBeUndefined();
  expect(trace.toolCalls).toMatchObject([{ name: "nova_grounding", output: "found", status: "ok" }]);
  expect(trace.turns[0]!.response["content"]).toMatchObject([
    { type: "tool_use" },
    { type: "image" },
    { type: "text" },
  ]);
});

it("joins an answer that was written into its request", () => {
  const trace = readTraceInMemory({
    modelId: "m",
    messages: [{ role: "user", content: [{ text: "Weather?" }] }],
    response: { output: { message: { role: "assistant", content: [call] } }, stopReason: "tool_use" },
  });
  expect(trace.turns).toMatchObject([{ request: { model: "m", messages: [{ content: "Weather?" }] } }]);
  expect(trace.turns[0]!.request).not.toHaveProperty("params");
});
