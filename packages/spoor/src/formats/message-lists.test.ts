/** Lists of messages that frameworks keep, as the frameworks write them. */
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";
import { readTraceValue } from "../load/read-trace.ts";

const outcomes = (name: string) =>
  importFixture(name)[0]!.toolCalls.map(({ id, input, output, status }) => ({ id, input, output, status }));

describe("LangChain", () => {
  it.each(["dumps.json", "messages-to-dict.json", "graph-state.json", "messages.jsonl"])("%s", (name) => {
    const [trace, ...others] = importFixture(`langchain/${name}`);
    expect(others).toEqual([]);
    expect(trace!.source.unknown).toBeUndefined();
    expect(outcomes(`langchain/${name}`)).toEqual([
      { id: "c1", input: { id: "A-1" }, output: "no such order", status: "error" },
      { id: "c9", input: "{oops", output: undefined, status: "unknown" },
    ]);
    expect(trace!.turns.map(({ system, model }) => [system, model])).toEqual([
      ["Be brief.", "gpt-5"],
      ["Be brief.", "claude"],
    ]);
    expect(trace!.turns[0]!.response).toMatchObject({
      stop_reason: "tool_use",
      usage: { input_tokens: 20, cached_input_tokens: 10, output_tokens: 5, thinking_tokens: 4 },
      content: [{ type: "text", text: "I look." }, {}, {}],
    });
    expect(trace!.turns[1]!.response).toMatchObject({ stop_reason: "end_turn", content: [{ text: "There is none." }] });
  });

  it("reads chunks, results whose content is a list, and a list of conversations", () => {
    const message = (kind: string, kwargs: object) => ({
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", kind],
      kwargs,
    });
    const conversation = [
      message("HumanMessage", { content: [{ type: "text", text: "Hi" }] }),
      message("AIMessageChunk", { content: "", tool_calls: [{ name: "f", args: {}, id: "1" }] }),
      message("ToolMessage", { content: [{ type: "text", text: "ok" }], tool_call_id: "1" }),
    ];
    expect(readTraceValue(conversation).toolCalls).toMatchObject([{ name: "f", output: "ok", status: "ok" }]);
    expect(() => readTraceValue([conversation, conversation])).toThrow("holds 2 conversations");
  });
});

describe("Pydantic AI", () => {
  it("reads what it writes today: instructions, thinking, a retried call", () => {
    const [trace] = importFixture("pydantic-ai/messages.json");
    expect(trace).toMatchObject({ id: "conversation-1" });
    expect(outcomes("pydantic-ai/messages.json")).toEqual([
      { id: "c1", input: { id: "A-1" }, output: { state: "shipped" }, status: "ok" },
      { id: "c2", input: { id: "B-2" }, output: "no such order", status: "error" },
      { id: "c3", input: { id: "A-2" }, output: { state: "shipped" }, status: "ok" },
    ]);
    expect(trace!.turns).toHaveLength(3);
    expect(trace!.turns[0]!.request["messages"]).toEqual([
      { role: "system", content: "Answer in English." },
      { role: "system", content: "Be brief." },
      { role: "user", content: "Where is A-1?" },
    ]);
    // 58.130674 s − 58.097577 s
    expect(trace!.toolCalls[0]!.durationMs).toBe(33.097);
  });

  it("gives what the provider ran no duration: its result is stamped with the response", () => {
    const timestamp = "2026-01-05T00:00:02.000Z";
    const call = { tool_name: "web_search", tool_call_id: "c", args: { query: "q" }, part_kind: "builtin-tool-call" };
    const result = {
      tool_name: "web_search",
      tool_call_id: "c",
      content: [1],
      timestamp,
      part_kind: "builtin-tool-return",
    };
    const prompt = { kind: "request", parts: [{ part_kind: "user-prompt", content: "q" }] };
    const document = [prompt, { kind: "response", parts: [call, result], timestamp }];
    const [trace] = importValues("pydantic-ai", { document });
    expect(trace!.toolCalls).toMatchObject([{ name: "web_search", output: [1], status: "ok" }]);
    expect(trace!.toolCalls[0]).not.toHaveProperty("durationMs");
  });

  it("reads what it wrote before version 1, with arguments that did not pass", () => {
    const [trace] = importFixture("pydantic-ai/older.json");
    expect(trace!.toolCalls).toMatchObject([{ input: { id: 7 }, status: "error" }]);
    expect(trace!.turns[0]!.response["usage"]).toEqual({
      input_tokens: 50,
      cached_input_tokens: 6,
      output_tokens: 10,
      thinking_tokens: 4,
    });
    expect(trace!.turns[1]!.usage).toBeUndefined();
  });

  it("marks a call that was denied as one that never ran", () => {
    const trace = readTraceValue([
      { kind: "response", parts: [{ part_kind: "tool-call", tool_name: "pay", args: null, tool_call_id: "1" }] },
      {
        kind: "request",
        parts: [
          {
            part_kind: "tool-return",
            tool_name: "pay",
            content: "The tool call was denied.",
            tool_call_id: "1",
            outcome: "denied",
          },
        ],
      },
    ]);
    expect(trace.toolCalls).toMatchObject([{ name: "pay", status: "error", refused: true }]);
  });
});

describe("AutoGen", () => {
  it.each(["messages.json", "agent-state.json"])("%s", (name) => {
    const [trace] = importFixture(`autogen/${name}`);
    expect(trace!.source.unknown).toBeUndefined();
    expect(outcomes(`autogen/${name}`)).toEqual([
      { id: "c1", input: { id: "A-1" }, output: "shipped", status: "ok" },
      { id: "c2", input: { id: "B-2" }, output: "no such order", status: "error" },
    ]);
    expect(trace!.turns).toHaveLength(2);
    expect(trace!.turns[0]!.response["content"]).toMatchObject([{ type: "thinking", text: "I look." }, {}, {}]);
  });

  it("keeps the agents of a team apart; code that was run is a call", () => {
    const [trace] = importFixture("autogen/team.json");
    expect(trace!.agent).toBe("coder");
    expect(trace!.turns.map(({ agent }) => agent)).toEqual([undefined, undefined, "critic"]);
    expect(trace!.toolCalls).toMatchObject([{ name: "code_executor", output: "no python", status: "error" }]);
    expect(trace!.turns[2]!.request["messages"]).toEqual([
      { role: "user", content: "Add 2 and 3" },
      { role: "user", content: "Five, I think." },
    ]);
  });
});

describe("AutoGen 0.2 and AG2", () => {
  const said = (role: string, name: string, content: string) => ({ content, role, name });

  it("a ChatResult: whoever is called user_proxy is no model, although its role is assistant", () => {
    const [trace] = importFixture("autogen/chat-result.json");
    expect(outcomes("autogen/chat-result.json")).toEqual([
      { id: "c1", input: { id: "A-1" }, output: "shipped", status: "ok" },
      { id: "c2", input: { id: "B-2" }, output: "Error: no such order", status: "error" },
    ]);
    expect(trace).toMatchObject({ agent: "desk" });
    expect(trace!.turns.map(({ text, model }) => [text, model])).toEqual([
      ["", "gpt-4o-2024-08-06"],
      ["A-1 is shipped, B-2 is unknown. TERMINATE", "gpt-4o-2024-08-06"],
    ]);
    expect(trace!.turns[0]!.request["messages"]).toEqual([{ role: "user", content: "Where are orders A-1 and B-2?" }]);
    expect(trace!.source.unknown).toBeUndefined();
  });

  it("a group chat, in which everybody is a user: agents apart, code that was run is a call", () => {
    const [trace] = importFixture("autogen/group-chat.json");
    expect(trace!.turns.map(({ agent, text }) => [agent, text.split("\n")[0]])).toEqual([
      [undefined, "Coder, write it."],
      ["coder", "Here:"],
      ["coder", "Again:"],
      ["coder", "Five. TERMINATE"],
    ]);
    expect(trace!.toolCalls.map(({ name, input, output, status }) => [name, input, output, status])).toEqual([
      [
        "code_executor",
        { code_blocks: [{ language: "python", code: "print(2 + )\n" }] },
        "SyntaxError: invalid syntax",
        "error",
      ],
      ["code_executor", { code_blocks: [{ language: "python", code: "print(2 + 3)\n" }] }, "5\n", "ok"],
    ]);
  });

  it("the list alone, whose roles are turned round", () => {
    const trace = readTraceValue([
      said("assistant", "user_proxy", "What is it?"),
      said("user", "assistant", "A tool."),
      said("assistant", "user_proxy", ""),
      said("user", "assistant", "TERMINATE"),
    ]);
    expect(trace.source.format).toBe("autogen");
    expect(trace.turns.map(({ text }) => text)).toEqual(["A tool.", "TERMINATE"]);
  });

  it("two agents with models, of which the first only gave the task; calls of the form before tools", () => {
    const trace = readTraceValue({
      summary: "",
      chat_history: [
        said("assistant", "joe", "Tell a joke, Cathy."),
        { content: null, function_call: { name: "find_joke", arguments: '{"about": "cats"}' }, role: "assistant" },
        { content: "A cat walks in.", name: "find_joke", role: "function" },
        said("user", "cathy", "A cat walks in."),
        said("assistant", "joe", "Good one."),
      ],
    });
    expect(trace.turns.map(({ agent, text }) => [agent, text])).toEqual([
      [undefined, ""],
      [undefined, "A cat walks in."],
      ["joe", "Good one."],
    ]);
    expect(trace.toolCalls).toMatchObject([{ name: "find_joke", input: { about: "cats" }, output: "A cat walks in." }]);
  });

  it("without names the initiator's own words are those of the assistant", () => {
    const trace = readTraceValue({
      chat_id: 1,
      chat_history: [
        { content: "Hi", role: "assistant" },
        { content: "Hello.", role: "user" },
      ],
    });
    expect(trace.turns.map(({ text }) => text)).toEqual(["Hello."]);
  });

  it("a chat of several named people with an assistant is none of it", () => {
    const trace = readTraceValue([
      { role: "user", name: "mira", content: "Hi" },
      { role: "assistant", content: "Hello, Mira." },
      { role: "user", name: "tom", content: "And me?" },
      { role: "assistant", content: "Hello, Tom." },
    ]);
    expect(trace.source.format).toBe("openai-chat");
    expect(trace.turns).toHaveLength(2);
  });
});

describe("Mastra", () => {
  it.each(["messages-v2.json", "messages-v1.json"])("%s is the same two turns", (name) => {
    const [trace] = importFixture(`mastra/${name}`);
    expect(trace).toMatchObject({ id: "t1" });
    expect(trace!.turns.map(({ toolCalls }) => toolCalls.length)).toEqual([1, 0]);
    expect(outcomes(`mastra/${name}`)).toEqual([
      { id: "c1", input: { id: "A-1" }, output: { state: "shipped" }, status: "ok" },
    ]);
  });

  it("reads rows of a table, whose content is text", () => {
    expect(outcomes("mastra/rows.jsonl")).toEqual([
      { id: "c1", input: { id: "B-2" }, output: "no such order", status: "error" },
    ]);
  });
});
