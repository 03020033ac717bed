/** opencode and VS Code's chat: turns, calls, failures, counts. */
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

const facts = (name: string) => {
  const [trace] = importFixture(name);
  return {
    turns: trace!.turns.map((turn) => turn.text),
    calls: trace!.toolCalls.map((call) => [call.name, call.status, call.output, call.durationMs]),
    unknown: trace!.source.unknown,
  };
};

describe("opencode", () => {
  it("an export: each step a turn, a tool's part its call and result", () => {
    expect(facts("opencode/export.json")).toEqual({
      turns: ["I look.", "Port 8080."],
      calls: [
        ["read", "ok", "port = 8080", 1000],
        ["bash", "error", "cat: gone: No such file", 1000],
      ],
      unknown: undefined,
    });
    const [trace] = importFixture("opencode/export.json");
    expect(trace!.turns.map((turn) => turn.durationMs)).toEqual([2000, 2000]);
    expect(trace!.turns[0]!.usage).toEqual({
      inputTokens: 10,
      outputTokens: 50,
      cachedInputTokens: 900,
      cachedWrite5mTokens: 30,
    });
  });

  it("a session of a newer version: a command that ended with an exit code other than 0 failed", () => {
    expect(facts("opencode/session.json")).toEqual({
      turns: ["", "One test fails: `checked` is not there yet."],
      calls: [
        ["edit", "ok", "", 50],
        ["bash", "error", "1 failed, 3 passed\n", 1500],
      ],
      unknown: undefined,
    });
    const [trace] = importFixture("opencode/session.json");
    expect(trace!.turns.map(({ usage }) => usage)).toMatchObject([
      { inputTokens: 2711, outputTokens: 85, cachedInputTokens: 1200, thinkingTokens: 30 },
      { inputTokens: 200, outputTokens: 90, cachedInputTokens: 4000 },
    ]);
  });

  it.each([
    { exit: 0, status: "ok" },
    { exit: 1, status: "error" },
    { exit: 137, status: "error" },
    { exit: null, status: "ok" },
    { exit: undefined, status: "ok" },
  ])("exit code $exit: $status", ({ exit, status }) => {
    const state = { status: "completed", input: {}, output: "", metadata: { exit } };
    const parts = [{ type: "tool", tool: "bash", callID: "c", state }];
    const messages = [{ info: { role: "assistant" }, parts }];
    const [trace] = importValues("opencode", { document: { info: { id: "s" }, messages } as never });
    expect(trace!.toolCalls.map((call) => call.status)).toEqual([status]);
  });

  it("what a run prints", () => {
    expect(facts("opencode/run.jsonl")).toEqual({
      turns: ["", "One file."],
      calls: [["bash", "ok", "a.txt", 1000]],
      unknown: undefined,
    });
  });

  it("messages as the server gives them", () => {
    expect(facts("opencode/messages.json")).toEqual({
      turns: ["", "Three."],
      calls: [["files_list", "ok", "3", 400]],
      unknown: undefined,
    });
    const [trace] = importFixture("opencode/messages.json");
    expect(trace!.turns[0]!.usage).toEqual({ inputTokens: 410, outputTokens: 20, cachedInputTokens: 4100 });
    expect(trace!.id).toBe("ses_77");
  });

  it("the server's events: parts as they were told last, pieces joined, what was removed gone, a call nobody could read failed", () => {
    expect(facts("opencode/events.json")).toEqual({
      turns: ["I edit it."],
      calls: [
        [
          "edit",
          "error",
          "The arguments provided to the tool are invalid: Invalid input for tool edit: JSON parsing failed",
          2,
        ],
        ["edit", "ok", "", 40],
      ],
      unknown: undefined,
    });
    const [trace] = importFixture("opencode/events.json");
    expect(trace!.turns[0]!.model).toBe("claude-sonnet-4-5");
    expect(trace!.turns[0]!.request["messages"]).toEqual([{ role: "user", content: "Set the port to 9090." }]);
    expect(trace!.toolCalls[0]!.input).toBeUndefined();
  });

  const event = (type: string, properties: object) => ({ type, properties });
  const told = (id: string, sessionID: string, more: object) =>
    event("message.part.updated", { part: { id, messageID: `m-${sessionID}`, sessionID, ...more } });

  it.each([
    { name: "one per line", wrap: (events: object[]) => ({ lines: events }) },
    { name: "a list", wrap: (events: object[]) => ({ document: events, lines: [events] }) },
    {
      name: "of all projects",
      wrap: (events: object[]) => ({ lines: events.map((payload) => ({ directory: "/shop", payload })) }),
    },
  ])("events of two sessions are two traces, also joined late: $name", ({ wrap }) => {
    const state = { status: "completed", input: { q: 1 }, output: "x", time: { start: 1, end: 3 } };
    const events = [
      told("a", "s1", { type: "tool", tool: "task", callID: "c1", state }),
      told("b", "s2", { type: "tool", tool: "grep", callID: "c2", state }),
      told("c", "s2", { type: "text", text: "Found." }),
    ];
    const traces = importValues("opencode", wrap(events) as never);
    expect(traces.map(({ toolCalls }) => toolCalls.map((call) => [call.name, call.durationMs]))).toEqual([
      [["task", 2]],
      [["grep", 2]],
    ]);
    expect(traces[1]!.turns.map((turn) => turn.text)).toEqual(["Found."]);
  });

  it("an event about messages that is not known is counted, one about anything else is not", () => {
    const events = [
      told("a", "s", { type: "step-start" }),
      told("b", "s", { type: "text", text: "Hi." }),
      event("message.rewritten", { sessionID: "s" }),
      event("lsp.updated", {}),
      event("session.error", { sessionID: "s", error: { name: "APIError", data: { message: "overloaded" } } }),
    ];
    const [trace] = importValues("opencode", { lines: events } as never);
    expect(trace!.source.unknown).toEqual({ "event: message.rewritten": 1 });
    expect(trace!.records.at(-1)).toMatchObject({ kind: "error", payload: { message: "overloaded" } });
  });

  it("several steps of one message are several turns, a running tool has no outcome, an error is told", () => {
    const part = (type: string, more: object = {}) => ({ type, ...more });
    const [trace] = importValues("opencode", {
      document: {
        info: { id: "s" },
        messages: [
          {
            info: { role: "assistant", error: { name: "APIError", data: { message: "overloaded" } } },
            parts: [
              part("step-start"),
              part("text", { text: "one" }),
              part("step-start"),
              part("tool", { tool: "bash", callID: "c", state: { status: "running", input: {} } }),
              part("quokka"),
            ],
          },
        ],
      } as never,
    });
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["one", ""]);
    expect(trace!.toolCalls).toMatchObject([{ name: "bash", status: "unknown" }]);
    expect(trace!.records.filter((record) => record.kind === "error")).toHaveLength(1);
    expect(trace!.source.unknown).toEqual({ "part quokka": 1 });
  });
});

describe("VS Code's chat", () => {
  it("rounds are turns; results stand by id; an answer without rounds is what was shown", () => {
    expect(facts("vscode-chat/export.json")).toEqual({
      turns: ["I run them.", "All pass.", "You are welcome, see a.ts."],
      calls: [
        ["run_in_terminal", "ok", "PASS 12", undefined],
        ["read_file", "error", "ERROR while calling tool: file does not exist", undefined],
      ],
      unknown: undefined,
    });
    const [trace] = importFixture("vscode-chat/export.json");
    expect(trace!.toolCalls[0]!.input).toEqual({ command: "npm test" });
    expect(trace!.source.notes).toEqual(["1 answer without rounds, each told as one turn"]);
  });

  it("results that were rendered from elements are their text; counts belong to an answer of one round", () => {
    expect(facts("vscode-chat/agent-rounds.json")).toEqual({
      turns: ["I look at the files.", "", "README.md is there now.", "Gladly."],
      calls: [
        ["read_file", "error", expect.stringMatching(/^ERROR while calling tool: cannot open/), undefined],
        ["list_dir", "ok", "spec.md\nshop.py", undefined],
        ["create_file", "ok", "The following files were successfully edited:\n/home/dev/shop/README.md", undefined],
      ],
      unknown: undefined,
    });
    const [trace] = importFixture("vscode-chat/agent-rounds.json");
    expect(trace!.turns.map(({ usage }) => usage)).toEqual([
      undefined,
      undefined,
      undefined,
      { inputTokens: 812, outputTokens: 9 },
    ]);
    expect(trace!.turns.map(({ ts }) => ts)).toEqual([
      "2026-03-17T03:55:54.000Z",
      "2026-03-17T03:55:59.000Z",
      "2026-03-17T03:56:02.000Z",
      "2026-03-17T03:56:21.000Z",
    ]);
  });

  it.each([
    {
      name: "nested elements",
      value: { node: { children: [{ children: [{ text: "a" }] }, { text: "b", lineBreakBefore: true }] } },
      output: "a\nb",
    },
    { name: "an element without text", value: { node: { type: 1, children: [] } }, output: "" },
    { name: "a plain text", value: "c", output: "c" },
  ])("a result that is $name", ({ value, output }) => {
    const round = { response: "", toolCalls: [{ name: "t", arguments: "{}", id: "i" }] };
    const metadata = { toolCallRounds: [round], toolCallResults: { i: { content: [{ value }] } } };
    const request = { message: { text: "q" }, response: [], result: { metadata } };
    const [trace] = importValues("vscode-chat", { document: { requests: [request] } as never });
    expect(trace!.toolCalls[0]!.output).toBe(output);
  });

  it("lines that change a document are replayed", () => {
    expect(facts("vscode-chat/session.jsonl")).toEqual({
      turns: ["I ask."],
      calls: [["mcp_docs_search", "ok", "8080", undefined]],
      unknown: undefined,
    });
  });

  it.each([
    { name: "an object that is no text", step: { toString: 2 } },
    { name: "a list", step: [] },
    { name: "nothing", step: null },
    { name: "a name that is not there", step: "quokka" },
  ])("a line that changes something at a place that is $name changes nothing that was said", ({ step }) => {
    const chat = { requests: [{ message: { text: "hi" }, response: [{ value: "Hello." }] }] };
    const lines = [
      { kind: 0, v: chat },
      { kind: 1, k: ["requests", step, "response"], v: [] },
      { kind: 1, k: ["requests", 0, step], v: "x" },
      { kind: 2, k: [step], v: ["x"] },
    ];
    const [trace] = importValues("vscode-chat", { lines } as never);
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["Hello."]);
  });

  it("shown parts of unknown kind are counted; a request that failed is an error", () => {
    const [trace] = importValues("vscode-chat", {
      document: {
        responderUsername: "GitHub Copilot",
        requests: [
          {
            message: { text: "hi" },
            response: [{ kind: "quokka" }],
            result: { errorDetails: { message: "rate limited" } },
          },
        ],
      },
    });
    expect(trace!.source.unknown).toEqual({ "response quokka": 1 });
    expect(trace!.records.map((record) => record.kind)).toEqual(["metadata", "error"]);
  });
});
