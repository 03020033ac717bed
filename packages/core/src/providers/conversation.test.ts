import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import type { JsonObject } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { parseClock } from "./clock.ts";
import { Conversation, metadataRecord } from "./conversation.ts";

const call = (id?: string): JsonObject => ({
  type: "tool_use",
  ...(id === undefined ? {} : { id }),
  name: "look",
  input: {},
});
const text = (said: string): JsonObject => ({ type: "text", text: said });

describe("a conversation as records", () => {
  it("leaves out what it was not told", () => {
    const records: TraceRecord[] = [metadataRecord(undefined, { agent: undefined })];
    const conversation = new Conversation(records);
    conversation.say("user", "hi");
    conversation.respond({ parts: [text("hello")] });
    expect(records).toEqual([
      { kind: "metadata", payload: {} },
      { kind: "chat_request", payload: { messages: [{ role: "user", content: "hi" }] } },
      { kind: "chat_response", payload: { content: [text("hello")] } },
    ]);
  });

  it("gives each request the messages up to it, as plain data that does not change later", () => {
    const records: TraceRecord[] = [];
    const conversation = new Conversation(records);
    conversation.say("user", "hi");
    conversation.respond({ parts: [call("1")] });
    conversation.result({ callId: "1", output: "seen", isError: true });
    conversation.respond({ parts: [text("done")] });
    const [first, second] = records.filter((record) => record.kind === "chat_request").map((record) => record.payload);
    expect(first).toEqual({ messages: [{ role: "user", content: "hi" }] });
    expect(JSON.parse(JSON.stringify(second))).toEqual({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [call("1")] },
        { role: "tool", tool_call_id: "1", content: "seen", is_error: true },
      ],
    });
    expect({ ...(second as JsonObject) }).toEqual(second);
  });

  it("needs memory for the messages once, not once per turn", () => {
    const records: TraceRecord[] = [];
    const conversation = new Conversation(records);
    for (let turn = 0; turn < 20_000; turn++) conversation.respond({ parts: [text("x")] });
    const slices = records.filter((record) => record.kind === "chat_request");
    // Copies of all prefixes would be 200 million entries.
    expect(Object.getOwnPropertyDescriptor(slices.at(-1)!.payload as object, "messages")!.get).toBeTypeOf("function");
    expect((slices.at(-1)!.payload as { messages: unknown[] }).messages).toHaveLength(19_999);
  });

  it("times a call from its response to its result, and never invents a time", () => {
    const records: TraceRecord[] = [];
    const conversation = new Conversation(records);
    conversation.respond({ parts: [call("1"), call("2"), call("3")], clock: parseClock("2026-01-05T09:00:01.0005Z") });
    conversation.result({ callId: "1", isError: false, clock: parseClock("2026-01-05T09:00:01.500Z") });
    conversation.result({ callId: "2", isError: false });
    conversation.result({ callId: "3", isError: false, clock: parseClock("2026-01-05T09:00:00Z") });
    const [first, second, third] = buildTrace(records).toolCalls;
    expect(first!.durationMs).toBe(499.5);
    expect(second).not.toHaveProperty("durationMs");
    expect(third).not.toHaveProperty("durationMs");
  });

  it("joins results without an id to calls without an id, in order", () => {
    const records: TraceRecord[] = [];
    const conversation = new Conversation(records);
    conversation.respond({ parts: [call(), call()] });
    conversation.result({ output: "first", isError: false });
    conversation.result({ output: "second", isError: true });
    conversation.result({ output: "third", isError: false });
    expect(buildTrace(records).toolCalls.map(({ output, status }) => ({ output, status }))).toEqual([
      { output: "first", status: "ok" },
      { output: "second", status: "error" },
    ]);
    expect(conversation.notes()).toEqual(["1 tool result without a call in this trace"]);
  });

  it("keeps sub-agents apart and marks their records", () => {
    const records: TraceRecord[] = [];
    new Conversation(records, { agent: "explorer", parentCallId: "c1" }).respond({ parts: [text("found")] });
    expect(buildTrace(records).turns[0]).toMatchObject({ agent: "explorer", parentCallId: "c1" });
  });
});
