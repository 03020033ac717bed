/** Shapes of the AI SDK, versions 3 to 6, as the SDK writes them. */
import { describe, expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { readTraceInMemory } from "./read-trace.ts";

const user = { id: "u", role: "user", parts: [{ type: "text", text: "Where is A-1?" }] };
const answer = (...parts: readonly Json[]) => [user, { id: "a", role: "assistant", parts }];
const invocation = (state: string, rest: Record<string, Json> = {}) => ({
  type: "tool-invocation",
  toolInvocation: { state, toolCallId: "c1", toolName: "lookup", args: { id: "A-1" }, ...rest },
});

function essence(value: Json) {
  const trace = readTraceInMemory(value);
  expect(trace.source).toMatchObject({ format: "ai-sdk" });
  expect(trace.source.unknown).toBeUndefined();
  return {
    turns: trace.turns.map(({ toolCalls }) => toolCalls.map(({ name }) => name)),
    calls: trace.toolCalls.map(({ input, output, status, refused }) => ({ input, output, status, refused })),
  };
}

describe("UI messages", () => {
  it.each<{ name: string; value: Json }>([
    {
      name: "of version 3: invocations beside the text",
      value: [
        { id: "u", role: "user", content: "Where is A-1?" },
        {
          id: "a",
          role: "assistant",
          content: "Shipped.",
          toolInvocations: [invocation("result", { result: "shipped" }).toolInvocation],
        },
      ],
    },
    {
      name: "of version 4: tool-invocation parts",
      value: answer(
        { type: "step-start" },
        invocation("result", { result: "shipped" }),
        { type: "step-start" },
        {
          type: "text",
          text: "Shipped.",
        },
      ),
    },
    {
      name: "of version 4 without steps between them",
      value: answer(invocation("result", { result: "shipped", step: 0 }), { type: "text", text: "Shipped." }),
    },
    {
      name: "of version 5: the tool's name in the type",
      value: answer(
        { type: "step-start" },
        { type: "tool-lookup", toolCallId: "c1", state: "output-available", input: { id: "A-1" }, output: "shipped" },
        { type: "step-start" },
        { type: "text", text: "Shipped." },
      ),
    },
    {
      name: "with a tool unknown beforehand, as rows of a table",
      value: [
        { id: "u", chatId: "c", role: "user", parts: user.parts, attachments: [], createdAt: "2026-01-05T08:00:00Z" },
        {
          id: "a",
          chatId: "c",
          role: "assistant",
          attachments: [],
          parts: [
            { type: "step-start" },
            {
              type: "dynamic-tool",
              toolName: "lookup",
              toolCallId: "c1",
              state: "output-available",
              input: { id: "A-1" },
              output: "shipped",
            },
            { type: "step-start" },
            { type: "data-notice", data: { level: "info" } },
            { type: "text", text: "Shipped." },
          ],
        },
      ],
    },
    {
      name: "below a chat whose first message has no parts",
      value: {
        id: "chat-1",
        title: "Orders",
        messages: [
          { role: "system", content: "Be brief." },
          ...answer(
            {
              type: "tool-lookup",
              toolCallId: "c1",
              state: "output-available",
              input: { id: "A-1" },
              output: "shipped",
            },
            { type: "text", text: "Shipped." },
          ),
        ],
      },
    },
  ])("$name", ({ value }) => {
    expect(essence(value)).toEqual({
      turns: [["lookup"], []],
      calls: [{ input: { id: "A-1" }, output: "shipped", status: "ok", refused: undefined }],
    });
  });

  it.each<{ state: string; rest: Record<string, Json>; call: object }>([
    { state: "input-streaming", rest: {}, call: { status: "unknown" } },
    { state: "approval-requested", rest: { approval: { id: "p" } }, call: { status: "unknown" } },
    { state: "approval-responded", rest: { approval: { id: "p", approved: true } }, call: { status: "unknown" } },
    {
      state: "approval-responded",
      rest: { approval: { id: "p", approved: false, reason: "too dear" } },
      call: { status: "error", output: "too dear", refused: true },
    },
    {
      state: "output-denied",
      rest: { approval: { id: "p", approved: false } },
      call: { status: "error", output: "denied", refused: true },
    },
    { state: "output-error", rest: { errorText: "no such order" }, call: { status: "error", output: "no such order" } },
  ])("a call in state $state, $rest", ({ state, rest, call }) => {
    const part = { type: "tool-refund", toolCallId: "c1", state, input: { id: "A-1" }, ...rest };
    expect(essence(answer({ type: "step-start" }, part)).calls).toMatchObject([call]);
  });

  it("a partial call of version 4 has no outcome", () => {
    expect(essence(answer(invocation("call"))).calls).toMatchObject([{ input: { id: "A-1" }, status: "unknown" }]);
  });

  it("calls of two steps that nothing separates are two turns", () => {
    const second = { ...invocation("result", { result: 2, step: 1, toolCallId: "c2" }) };
    expect(essence(answer(invocation("result", { result: 1, step: 0 }), second)).turns).toEqual([
      ["lookup"],
      ["lookup"],
    ]);
  });

  it("takes model, clock and usage where an application keeps them", () => {
    const metadata = { model: "gpt-5", createdAt: 1767600000000, usage: { inputTokens: 7, outputTokens: 3 } };
    const [turn] = readTraceInMemory([
      user,
      { role: "assistant", metadata, parts: [{ type: "text", text: "Hi." }] },
    ]).turns;
    expect(turn).toMatchObject({ ts: "2026-01-05T08:00:00.000Z", model: "gpt-5" });
    expect(turn!.response["usage"]).toEqual({ input_tokens: 7, output_tokens: 3 });
  });
});

describe("model messages", () => {
  const call = (id: string) => ({ type: "tool-call", toolCallId: id, toolName: "refund", input: {} });
  const asking = {
    role: "assistant",
    content: [call("c1"), call("c2"), { type: "tool-approval-request", approvalId: "p", toolCallId: "c2" }],
  };
  const done = { type: "tool-result", toolCallId: "c1", toolName: "refund", output: { type: "text", value: "done" } };
  const denial = { type: "tool-approval-response", approvalId: "p", approved: false, reason: "too dear" };
  const denied = {
    type: "tool-result",
    toolCallId: "c2",
    toolName: "refund",
    output: { type: "execution-denied", reason: "too dear" },
  };

  it.each<{ name: string; tool: readonly Json[] }>([
    { name: "and the model was told", tool: [done, denial, denied] },
    { name: "and nothing was sent since", tool: [done, denial] },
    { name: "and only the outcome was kept", tool: [done, denied] },
  ])("a call that was denied never ran, $name", ({ tool }) => {
    const list = [{ role: "user", content: "Refund both." }, asking, { role: "tool", content: tool }];
    expect(essence(list).calls).toEqual([
      { input: {}, output: "done", status: "ok", refused: undefined },
      { input: {}, output: "too dear", status: "error", refused: true },
    ]);
  });

  it.each<{ output: Json; expected: object }>([
    { output: { type: "json", value: { a: 1 } }, expected: { output: { a: 1 }, status: "ok" } },
    { output: { type: "error-json", value: { a: 1 } }, expected: { output: { a: 1 }, status: "error" } },
    { output: { type: "error-text", value: "no" }, expected: { output: "no", status: "error" } },
    {
      output: { type: "content", value: [{ type: "text", text: "a" }] },
      expected: { output: [{ type: "text", text: "a" }], status: "ok" },
    },
  ])("a result $output", ({ output, expected }) => {
    const list = [
      { role: "assistant", content: [call("c1")] },
      { role: "tool", content: [{ ...done, output }] },
    ];
    expect(essence(list).calls).toMatchObject([expected]);
  });

  it("of version 4 have args, result and isError", () => {
    const list = [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "refund", args: { a: 1 } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c", toolName: "refund", result: "x", isError: true }],
      },
    ];
    expect(essence(list).calls).toMatchObject([{ input: { a: 1 }, output: "x", status: "error" }]);
  });
});

it("a step of version 4 has its text, calls and results apart", () => {
  const step = {
    stepType: "initial",
    text: "I look.",
    reasoning: "Which?",
    toolCalls: [{ type: "tool-call", toolCallId: "c", toolName: "lookup", args: { id: 1 } }],
    toolResults: [{ type: "tool-result", toolCallId: "c", toolName: "lookup", args: { id: 1 }, result: "shipped" }],
    finishReason: "tool-calls",
    usage: { promptTokens: 9, completionTokens: 4, totalTokens: 13 },
  };
  const trace = readTraceInMemory({ text: "I look.", steps: [step], finishReason: "tool-calls" });
  expect(trace.turns[0]!.response).toMatchObject({
    content: [{ type: "thinking", text: "Which?" }, { type: "text", text: "I look." }, { type: "tool_use" }],
    usage: { input_tokens: 9, output_tokens: 4 },
    stop_reason: "tool_use",
  });
  expect(trace.toolCalls).toMatchObject([{ name: "lookup", output: "shipped", status: "ok" }]);
});
