/** Gemini CLI and what was made of it: each fork is itself, with its calls, results and counts. */
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";
import { rankFormats } from "./formats.ts";

const facts = (name: string) => {
  const [trace] = importFixture(name);
  return {
    turns: trace!.turns.map((turn) => turn.text),
    calls: trace!.toolCalls.map((call) => [call.name, call.status, call.output]),
    unknown: trace!.source.unknown,
  };
};

describe("Gemini CLI", () => {
  it.each([
    { name: "inside the input", total: 1750, input: 1400 },
    { name: "on top of it, if the total says so", total: 1850, input: 1500 },
    { name: "inside the input when nothing says otherwise", total: undefined, input: 1400 },
  ])("cached tokens are $name", ({ total, input }) => {
    const tokens = { input: 1500, output: 200, cached: 100, thoughts: 50, tool: 0, total };
    const message = { id: "1", type: "gemini", content: "x", timestamp: "2026-01-01T00:00:00Z", tokens };
    const [trace] = importValues("gemini-cli", {
      document: { sessionId: "s", projectHash: "h", messages: [message] } as never,
    });
    expect(trace!.turns[0]!.usage).toEqual({
      inputTokens: input,
      outputTokens: 200,
      cachedInputTokens: 100,
      thinkingTokens: 50,
    });
  });

  it("a document holds calls with their results", () => {
    expect(facts("gemini-cli/session.json")).toEqual({
      turns: ["I will look at the configuration.", "It uses port 8080."],
      calls: [
        ["read_file", "ok", "port = 8080"],
        ["read_file", "error", "File not found: missing.toml"],
      ],
      unknown: undefined,
    });
  });

  it("counts each token once: cached input apart from the rest, thoughts beside the output", () => {
    const [trace] = importFixture("gemini-cli/session.json");
    expect(trace!.turns[0]!.usage).toEqual({
      inputTokens: 1000,
      cachedInputTokens: 200,
      outputTokens: 40,
      thinkingTokens: 25,
    });
  });

  it("of lines the last of a message counts, a refused call failed, and what was rewound happened", () => {
    const [trace] = importFixture("gemini-cli/session.jsonl");
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["", "All right."]);
    expect(trace!.toolCalls).toMatchObject([
      { name: "run_shell_command", status: "error", error: { kind: "cancelled" } },
    ]);
    expect(trace!.source.notes).toEqual(["the session was rewound 1 time; what happened before stays in the trace"]);
  });

  it("messages may come with a later line about the session", () => {
    const [trace] = importValues("gemini-cli", {
      lines: [
        { sessionId: "s", projectHash: "p", startTime: "2026-01-01T00:00:00Z" },
        {
          $set: {
            messages: [
              { id: "1", type: "user", content: "hi" },
              { id: "2", type: "gemini", content: "hello", toolCalls: [{ name: "ls", args: {}, status: "executing" }] },
            ],
          },
        },
      ],
    });
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["hello"]);
    expect(trace!.toolCalls).toMatchObject([{ name: "ls", status: "unknown" }]);
  });

  it("messages of unknown type are counted", () => {
    const [trace] = importValues("gemini-cli", {
      document: { sessionId: "s", projectHash: "p", messages: [{ id: "1", type: "quokka", content: "?" }] },
    });
    expect(trace!.source.unknown).toEqual({ "message: quokka": 1 });
  });
});

describe("forks", () => {
  it("Qwen Code has Claude Code's envelope and Gemini's parts", () => {
    expect(facts("qwen-code/session.jsonl")).toEqual({
      turns: ["", "There are two files."],
      calls: [
        ["list_directory", "ok", "a.txt\nb.txt"],
        ["read_file", "error", "File not found"],
      ],
      unknown: undefined,
    });
    expect(importFixture("qwen-code/session.jsonl")[0]!.turns[0]!.usage).toMatchObject({
      inputTokens: 110,
      cachedInputTokens: 100,
      outputTokens: 31,
    });
  });

  it("a compressed history of Qwen Code begins anew", () => {
    const line = (type: string, parts: unknown) =>
      ({ type, sessionId: "s", message: { role: type === "user" ? "user" : "model", parts } }) as never;
    const [trace] = importValues("qwen-code", {
      lines: [
        line("user", [{ text: "one" }]),
        line("assistant", [{ text: "two" }]),
        {
          type: "system",
          subtype: "chat_compression",
          sessionId: "s",
          systemPayload: { compressedHistory: [{ role: "user", parts: [{ text: "so far" }] }] },
        },
        line("user", [{ text: "three" }]),
        line("assistant", [{ text: "four" }]),
      ],
    });
    expect([...trace!.turns[1]!.messages!].map((message) => (message as { content: string }).content)).toEqual([
      "so far",
      "three",
    ]);
  });

  it("a response of iFlow that was written while it streamed is one turn, and each call one call", () => {
    expect(facts("iflow/session.jsonl")).toEqual({
      turns: ["First the project.", "Done."],
      calls: [
        ["read_file", "ok", "# Shop"],
        ["read_file", "error", "File not found"],
      ],
      unknown: undefined,
    });
    expect(importFixture("iflow/session.jsonl")[0]!.agent).toBe("iflow");
  });

  it("Claude Code's own lines stay Claude Code's", () => {
    const content = [{ type: "tool_use", id: "t", name: "Bash", input: {} }];
    const lines = [{ type: "assistant", sessionId: "s", message: { id: "msg_1", role: "assistant", content } }];
    expect(rankFormats({ lines })[0]!.format.name).toBe("claude-code");
  });
});
