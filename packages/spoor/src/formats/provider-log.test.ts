/** Logs of the three provider dialects: lists of messages, pairs of request and response, files of both. */
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

describe("OpenAI chat", () => {
  it("makes a turn of every assistant message of a list, and of every line a conversation", () => {
    const [list] = importFixture("openai-chat/messages.json");
    expect(list!.turns.map((turn) => turn.toolCalls.map((call) => [call.input, call.output]))).toEqual([
      [
        [{ city: "Rome" }, "sunny"],
        [{ city: "Oslo" }, "snow"],
      ],
      [],
    ]);
    const tuning = importFixture("openai-chat/fine-tuning.jsonl");
    expect(tuning.map((trace) => [trace.id, trace.turns.length])).toEqual([
      ["conversation 1", 2],
      ["conversation 2", 1],
      ["conversation 3", 2],
    ]);
    expect(tuning[0]!.turns[0]!.request["tools"]).toHaveLength(1);
    expect(tuning[2]!.toolCalls).toMatchObject([{ name: "weather", output: "rain" }]);
  });

  it("joins pairs whose request extends the one before, and counts each token once", () => {
    const [talk, refused, failed] = importFixture("openai-chat/pairs.jsonl");
    expect(talk!.turns).toHaveLength(2);
    expect(talk!.turns[0]).toMatchObject({
      durationMs: 640,
      ts: "2026-01-05T09:00:01.000Z",
      request: { model: "gpt-y", params: { temperature: 0.2 } },
      response: {
        model: "gpt-y-2026",
        stop_reason: "tool_use",
        usage: { input_tokens: 36, cached_input_tokens: 64, output_tokens: 20, thinking_tokens: 10 },
      },
    });
    expect(talk!.toolCalls.map((call) => call.output)).toEqual(["sunny", "snow"]);
    expect(talk!.turns[1]!.request["messages"]).toHaveLength(5);
    expect(refused!.turns[0]!.response).toMatchObject({
      stop_reason: "refusal",
      content: [{ text: "I can't help with that." }],
    });
    expect(refused!.source.unknown).toEqual({ "further choice of a response": 1 });
    expect(failed!.records.at(-1)).toEqual({
      kind: "error",
      payload: { source: "llm", code: "429", message: "rate limited" },
    });
  });

  it("does not count the history of a first request as turns", () => {
    const messages = [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: "c" },
    ];
    const response = { choices: [{ message: { content: "d" }, finish_reason: "length" }] };
    const [trace] = importValues("openai-chat", { document: { request: { messages }, response } });
    expect(trace!.turns).toHaveLength(1);
    expect(trace!.turns[0]!.request["messages"]).toHaveLength(3);
    expect(trace!.turns[0]!.response["stop_reason"]).toBe("max_tokens");
  });

  it("reads batch files, failures included", () => {
    const [done, failed] = importFixture("openai-chat/batch-output.jsonl");
    expect(done).toMatchObject({
      scenario: "task-1",
      turns: [{ response: { usage: { input_tokens: 1, output_tokens: 2 } } }],
    });
    expect(failed).toMatchObject({ scenario: "task-2", turns: [] });
  });
});

it("reads calls of custom tools, and what a model thought under every name for it", () => {
  const calls = [{ id: "a", type: "custom", custom: { name: "shell", input: "ls -la" } }];
  const thoughts = ["reasoning_content", "reasoning", "thinking"];
  for (const key of thoughts) {
    const message = { role: "assistant", content: "x", [key]: "hm", tool_calls: calls };
    const [trace] = importValues("openai-chat", { document: { choices: [{ message, finish_reason: "stop" }] } });
    expect(trace!.turns[0]!.response["content"]).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "x" },
      { type: "tool_use", id: "a", name: "shell", input: "ls -la" },
    ]);
    expect(trace!.source.unknown).toBeUndefined();
  }
});

describe("OpenAI responses", () => {
  it("takes a response that failed for an error, with what the API said", () => {
    const error = { code: "server_error", message: "try again" };
    const document = { object: "response", id: "r", status: "failed", error, output: [], usage: null };
    const [trace] = importValues("openai-responses", { document });
    expect(trace!.turns).toEqual([]);
    expect(trace!.records.find(({ kind }) => kind === "error")!.payload).toMatchObject(error);
  });

  it("makes one turn of all items of a response, tools of the provider with their results", () => {
    const [trace] = importFixture("openai-responses/response.json");
    expect(trace!.turns).toHaveLength(1);
    expect(trace!.toolCalls.map((call) => [call.id, call.name, call.status])).toEqual([
      ["c1", "weather", "unknown"],
      ["c2", "weather", "unknown"],
      ["ws", "web_search", "ok"],
      ["mcp", "lookup", "error"],
    ]);
    expect(trace!.turns[0]!.response).toMatchObject({
      stop_reason: "tool_use",
      usage: { input_tokens: 30, cached_input_tokens: 20, output_tokens: 8, thinking_tokens: 4 },
    });
  });

  it("follows previous_response_id, and tells other conversations apart", () => {
    const [talk, other] = importFixture("openai-responses/pairs.jsonl");
    expect(talk!.turns.map((turn) => turn.response["stop_reason"])).toEqual(["tool_use", "max_tokens"]);
    expect(talk!.toolCalls).toMatchObject([{ output: "sunny", status: "ok" }]);
    expect(talk!.turns[0]!.request["messages"]).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "Weather in Rome?" },
    ]);
    expect(other!.turns).toHaveLength(1);
  });

  it("reads a bare list of items", () => {
    const [trace] = importFixture("openai-responses/items.json");
    expect(trace!.turns.map((turn) => turn.toolCalls.length)).toEqual([1, 0]);
  });
});

describe("Anthropic messages", () => {
  it("reads a request as what happened, results and their failures in the next user message", () => {
    const [trace] = importFixture("anthropic/request.json");
    expect(trace!.turns).toHaveLength(2);
    expect(trace!.toolCalls.map((call) => [call.output, call.status])).toEqual([
      ["sunny", "ok"],
      ["no data", "error"],
    ]);
    expect(trace!.turns[1]!.request["messages"]).toMatchObject([
      { role: "system", content: "Be kind." },
      { role: "user" },
      { role: "assistant" },
      { role: "tool" },
      { role: "tool" },
      { role: "user", content: "and hurry" },
    ]);
  });

  it("gives the same calls for pairs, with stop reasons and usage", () => {
    const [trace] = importFixture("anthropic/pairs.jsonl");
    expect(trace!.toolCalls.map((call) => call.status)).toEqual(["ok", "error"]);
    expect(trace!.turns.map((turn) => turn.response["stop_reason"])).toEqual(["tool_use", "end_turn"]);
    expect(trace!.turns[0]!.response["usage"]).toEqual({
      input_tokens: 10,
      output_tokens: 20,
      cached_input_tokens: 100,
      cached_write_5m_tokens: 5,
    });
    expect(trace!.turns[0]!.request["params"]).toEqual({ max_tokens: 100 });
  });

  it("joins tools that ran at the provider with the results in the same response", () => {
    const [trace] = importFixture("anthropic/server-tools.json");
    expect(trace!.toolCalls.map(({ name, output, status }) => [name, output, status])).toEqual([
      ["web_search", [{ type: "web_search_result", title: "Oslo", url: "https://weather.example/oslo" }], "ok"],
      ["bash_code_execution", { type: "bash_code_execution_tool_result_error", error_code: "unavailable" }, "error"],
      ["mcp__stations__nearest", [{ type: "text", text: "Blindern" }], "ok"],
      ["mcp__stations__nearest", [{ type: "text", text: "no such place" }], "error"],
    ]);
    expect(trace!.source.unknown).toBeUndefined();
  });

  it("reads a lone response", () => {
    const [trace] = importFixture("anthropic/response.json");
    expect(trace!.turns[0]!.response["content"]).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "Hi" },
    ]);
  });
});

describe("Gemini", () => {
  it("numbers calls that have no id, and answers them by name, in order", () => {
    const traces = [importFixture("gemini/pairs.jsonl"), importFixture("gemini/contents.json")].flat();
    expect(traces).toHaveLength(2);
    for (const { toolCalls, turns } of traces) {
      expect(turns).toHaveLength(3);
      expect(toolCalls.map(({ id, input, output, status }) => [id, input, output, status])).toEqual([
        ["get_weather#0", { city: "Rome" }, "sunny, 24 C", "ok"],
        ["get_weather#1", { city: "Oslo" }, "no such station", "error"],
        ["get_weather#2", { city: "Oslo Sentrum" }, { temperature: -3 }, "ok"],
      ]);
    }
    expect(traces[0]!.turns.map((turn) => turn.response["stop_reason"])).toEqual(["tool_use", "tool_use", "end_turn"]);
    expect(traces[0]!.turns[0]!.response["usage"]).toEqual({
      input_tokens: 57,
      output_tokens: 32,
      cached_input_tokens: 4,
      thinking_tokens: 20,
    });
    expect(traces.map((trace) => trace.source.unknown)).toEqual([undefined, undefined]);
  });
});

describe("Gemini in the names of its Python SDK", () => {
  const answer = { function_call: { id: null, name: "f", args: { a: 1 } }, text: null, thought: null };

  it("reads usage, model and why it ended", () => {
    const usage = { prompt_token_count: 10, tool_use_prompt_token_count: 4, candidates_token_count: 2 };
    const response = {
      candidates: [{ content: { role: "model", parts: [answer] }, finish_reason: "STOP" }],
      usage_metadata: { ...usage, thoughts_token_count: null },
      model_version: "gemini-x",
    };
    const request = {
      contents: [{ role: "user", parts: [{ text: "a" }, { inline_data: { mime_type: "image/png" } }] }],
    };
    const [trace] = importValues("gemini", { document: { request, response } });
    expect(trace!.turns[0]!.response).toMatchObject({
      model: "gemini-x",
      stop_reason: "tool_use",
      usage: { input_tokens: 14, output_tokens: 2 },
    });
    expect(trace!.source.unknown).toBeUndefined();
  });

  it.each([
    { promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 5 } },
    { candidates: null, prompt_feedback: { block_reason: "SAFETY" }, usage_metadata: { prompt_token_count: 5 } },
  ])("a prompt that was blocked is an answer without words", (response) => {
    const request = { contents: [{ role: "user", parts: [{ text: "a" }] }] };
    const [trace] = importValues("gemini", { document: { request, response } });
    expect(trace!.turns.map((turn) => turn.response)).toMatchObject([
      { stop_reason: "content_filter", usage: { input_tokens: 5 } },
    ]);
  });
});

describe("Bedrock Converse", () => {
  it("reads blocks by their keys, and what a tool returned or why it failed", () => {
    const traces = [importFixture("bedrock/pairs.jsonl"), importFixture("bedrock/messages.json")].flat();
    expect(traces).toHaveLength(2);
    for (const { toolCalls, turns } of traces) {
      expect(turns).toHaveLength(2);
      expect(toolCalls.map(({ id, output, status }) => [id, output, status])).toEqual([
        ["tooluse_1", { temperature: 24 }, "ok"],
        ["tooluse_2", "no such station", "error"],
      ]);
    }
    expect(traces[0]!.turns[0]!.durationMs).toBe(850);
    expect(traces.map((trace) => trace.source.unknown)).toEqual([undefined, undefined]);
  });
});

it("results of a message batch are a trace each, and say what became of those that failed", () => {
  const message = { id: "msg_1", type: "message", role: "assistant", content: [{ type: "text", text: "hi" }] };
  const traces = importValues("anthropic", {
    lines: [
      { custom_id: "ok", result: { type: "succeeded", message } },
      {
        custom_id: "bad",
        result: { type: "errored", error: { type: "error", error: { message: "max_tokens is missing" } } },
      },
      { custom_id: "late", result: { type: "expired" } },
    ],
  });
  expect(traces.map(({ id, turns }) => [id, turns.length])).toEqual([
    ["msg_1", 1],
    ["bad", 0],
    ["late", 0],
  ]);
  expect(traces.slice(1).map(({ records }) => records.at(-1))).toMatchObject([
    { kind: "error", payload: { message: "max_tokens is missing" } },
    { kind: "error", payload: { message: "the request was expired" } },
  ]);
});
