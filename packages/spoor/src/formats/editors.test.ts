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

  it("what a run prints", () => {
    expect(facts("opencode/run.jsonl")).toEqual({
      turns: ["", "One file."],
      calls: [["bash", "ok", "a.txt", 1000]],
      unknown: undefined,
    });
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

  it("lines that change a document are replayed", () => {
    expect(facts("vscode-chat/session.jsonl")).toEqual({
      turns: ["I ask."],
      calls: [["mcp_docs_search", "ok", "8080", undefined]],
      unknown: undefined,
    });
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
