/** A reader that understands little or nothing of what is plainly there refuses, and says what it saw. */
import { describe, expect, it } from "vitest";
import { readTrace } from "./read-trace.ts";

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");

/** Shapes of one tool in the file of another, each read with the reader that would have taken it. */
const CASES: { name: string; from: string; text: string; saw: RegExp }[] = [
  {
    name: "lines of Claude Code with another API's parts",
    from: "claude-code",
    text: lines(
      { type: "user", sessionId: "s", message: { role: "user", parts: [{ text: "list" }] } },
      {
        type: "assistant",
        sessionId: "s",
        message: { role: "model", parts: [{ functionCall: { name: "ls", args: {} } }] },
      },
      { type: "assistant", sessionId: "s", message: { role: "model", parts: [{ text: "Three files." }] } },
    ),
    saw: /shows 2 messages of a model and 1 tool call, .*"model" with parts of functionCall, line 2\.message/,
  },
  {
    name: "Converse blocks as chat messages",
    from: "openai-chat",
    text: JSON.stringify([
      { role: "user", content: [{ text: "weather?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "t", name: "weather", input: {} } }] },
      { role: "user", content: [{ toolResult: { toolUseId: "t", content: [{ text: "sun" }] } }] },
    ]),
    saw: /shows 1 message of a model and 1 tool call, .*"assistant" with content of toolUse, \[1\]/,
  },
  {
    name: "calls in blocks nobody knows, beside text that is understood",
    from: "anthropic",
    text: JSON.stringify([
      { role: "user", content: "weather?" },
      {
        role: "assistant",
        content: [{ type: "text", text: "I look." }, { type: "text", text: "Now." }, { type: "tool-weather" }],
      },
      { role: "assistant", content: [{ type: "text", text: "Sun." }] },
    ]),
    saw: /shows 1 tool call, of which nothing was found .*"assistant" with content of text, tool-weather/,
  },
  {
    name: "a session whose messages stand one level deeper than the reader looks",
    from: "openai-chat",
    text: JSON.stringify({ messages: [{ role: "user", content: "hi" }], log: [{ role: "ai", text: "hello" }] }),
    saw: /shows 1 message of a model, of which nothing was found \("ai" with text, log\[0\]\)/,
  },
];

describe("stores of telemetry that hold no run", () => {
  it.each<[string, unknown, RegExp]>([
    [
      "Langfuse, events alone",
      {
        id: "t",
        observations: [{ id: "o", traceId: "t", type: "EVENT", startTime: "2026-01-01T00:00:00Z", name: "x" }],
      },
      /no observation is a model or tool call/,
    ],
    [
      "MLflow, spans of types nobody knows",
      {
        info: { trace_id: "t" },
        data: { spans: [{ span_id: "1", name: "x", attributes: { "mlflow.spanType": '"WHATEVER"' } }] },
      },
      /no span is a model or tool call/,
    ],
    [
      "Weave, a training",
      [
        {
          id: "1",
          trace_id: "t",
          op_name: "weave:///a/b/op/train:1",
          project_id: "a/b",
          started_at: "2026-01-01T00:00:00Z",
          inputs: {},
        },
      ],
      /no call is one of a model or a tool/,
    ],
    [
      "LangSmith, a prompt that was filled in",
      [
        {
          id: "1",
          run_type: "prompt",
          name: "p",
          trace_id: "1",
          dotted_order: "20260101T000000000000Z1",
          start_time: "2026-01-01T00:00:00",
          inputs: {},
        },
      ],
      /no run is a model or tool call/,
    ],
  ])("%s", async (_name, value, why) => {
    const refused = readTrace(JSON.stringify(value));
    await expect(refused).rejects.toMatchObject({ code: "trace.empty" });
    await expect(refused).rejects.toThrow(why);
  });
});

describe("too little understood", () => {
  it.each(["bot", "agent", "chatbot", "gpt"])("messages of a %s are those of a model", async (role) => {
    const text = JSON.stringify([
      { role: "user", content: "hi" },
      { role, content: "hello" },
    ]);
    await expect(readTrace(text)).rejects.toMatchObject({ code: "trace.not-understood" });
  });

  it.each(CASES)("$name", async ({ from, text, saw }) => {
    const refused = readTrace(text, { from });
    await expect(refused).rejects.toMatchObject({ code: "trace.not-understood" });
    await expect(refused).rejects.toThrow(saw);
  });

  it.each(CASES)("$name: --lenient uses what is understood", async ({ from, text }) => {
    expect((await readTrace(text, { from, lenient: true })).source.format).toBe(from);
  });

  it("a list under `history` is no SWE-agent run because of its name", async () => {
    const text = JSON.stringify({
      history: [
        { role: "human", text: "hi" },
        { role: "assistant", text: "hello" },
      ],
    });
    await expect(readTrace(text)).rejects.toMatchObject({ code: "trace.unknown-format" });
  });

  it("a history without trajectory is one where SWE-agent's own marks are", async () => {
    const text = JSON.stringify({
      history: [
        { role: "user", content: "Fix it.", agent: "main" },
        { role: "assistant", content: "ls", action: "ls", agent: "main" },
      ],
    });
    expect((await readTrace(text)).toolCalls.map((call) => call.name)).toEqual(["ls"]);
  });

  it("a run that only spoke, a run that died and a conversation nobody answered are read", async () => {
    const said = JSON.stringify([
      { role: "user", content: "hi" },
      { role: "assistant", content: "hello" },
    ]);
    expect((await readTrace(said)).turns).toHaveLength(1);
    const asked = JSON.stringify([{ role: "user", content: "hi" }]);
    expect((await readTrace(asked)).turns).toHaveLength(0);
    const died = JSON.stringify([{ task_id: 1, trial: 0, reward: 0, traj: [], info: { error: "rate limit" } }]);
    expect((await readTrace(died)).turns).toHaveLength(0);
  });

  it("calls of the history of a first request were found, though they are none of this run", async () => {
    const pair = {
      request: {
        model: "m",
        messages: [
          { role: "user", content: "weather?" },
          {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "1", type: "function", function: { name: "w", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: "1", content: "sun" },
        ],
      },
      response: {
        object: "chat.completion",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Sun." } }],
      },
    };
    const trace = await readTrace(JSON.stringify(pair));
    expect(trace.turns.map((turn) => turn.text)).toEqual(["Sun."]);
    expect(trace.toolCalls).toEqual([]);
  });
});

const CHUNK = { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Sun." } }] };

it.each<[string, string]>([
  ["chunks of chat completions, one per line", lines(CHUNK, CHUNK)],
  ["chunks as a list", JSON.stringify([CHUNK, CHUNK])],
  [
    "events of the Responses API",
    lines({ type: "response.created", response: {} }, { type: "response.output_text.delta", delta: "Sun." }),
  ],
  [
    "events of Anthropic",
    lines({ type: "message_start", message: {} }, { type: "content_block_delta", index: 0, delta: {} }),
  ],
])("a saved stream is named as what it is, with the way to a whole run: %s", async (_name, text) => {
  const refused = readTrace(text);
  await expect(refused).rejects.toThrow(/is a model's answer in the pieces in which it was streamed/);
  await expect(refused).rejects.toMatchObject({
    code: "trace.unknown-format",
    hint: expect.stringMatching(/^Record the run: spoor record -- COMMAND\./),
  });
});
