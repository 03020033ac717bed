import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { importFixture } from "../../test/fixtures.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import { parseGptmeText } from "./gptme-text.ts";

const [trace] = importFixture("gptme/conversation.jsonl");

it("finds the calls in the text, in all three ways gptme writes them, and joins results by id or in order", () => {
  expect(trace!.toolCalls.map(({ name, input, output }) => [name, input, output])).toEqual([
    ["shell", { content: "ls" }, "Ran allowlisted command: `ls`\n\na.ts"],
    ["save", { path: "b.ts", content: "x\n@y(1): {}" }, "Saved to b.ts"],
    ["shell", { command: "cat b.ts" }, "x"],
    ["patch", { args: "b.ts", content: "-x\n+y" }, "Patch applied"],
  ]);
  expect(trace!.turns.map(({ toolCalls }) => toolCalls.length)).toEqual([1, 2, 1, 0]);
});

it("leaves in the text what was said, and blocks that are only shown", () => {
  expect(trace!.turns[0]!.response["content"]).toMatchObject([
    { type: "thinking", text: "look" },
    { type: "text", text: "I look.\n\n\nAn example:\n\n```json\n{}\n```" },
    { type: "tool_use" },
  ]);
  expect(trace!.turns[0]!.response["usage"]).toEqual({
    input_tokens: 120,
    output_tokens: 42,
    cached_input_tokens: 80,
    cached_write_5m_tokens: 10,
  });
  expect(trace!.turns[1]!.response["usage"]).toEqual({ input_tokens: 200, output_tokens: 10, thinking_tokens: 20 });
});

it.each([
  ["a fence that is never closed", "```shell\nls", []],
  ["a call within a block that is only shown", "```md\n@shell(1): {}\n```", []],
  [
    "arguments over several lines",
    '@shell(1): {\n"command": "ls"\n}',
    [{ id: "1", name: "shell", input: { command: "ls" } }],
  ],
  ["arguments that are no JSON", "@shell(1): {oops", [{ id: "1", name: "shell", input: "{oops" }]],
  ["a use that is broken off", "<tool-use>\n<shell>\nls", []],
])("%s", (_name, content, calls) => {
  expect(parseGptmeText(content).calls).toEqual(calls);
});

it("a long text of openings is read at once", () => {
  const hostile = "```shell x\n@a(1): {\n<tool-use>\n<think>\n".repeat(50_000);
  expect(parseGptmeText(hostile).text.length).toBeGreaterThan(0);
});

describe.skipIf(!sharedExists)(onShared("a sample of another reader"), () => {
  // Counted by hand: two answers, one of them with a block of Python; the second result has no call in the file.
  it("gptme-conversation.jsonl", async () => {
    const [real] = await loadTraceFile(`${sharedFolder}/corpora/formats-2/gptme-conversation.jsonl.gz`);
    expect(real!.source).toMatchObject({ format: "gptme" });
    expect(real!.turns).toHaveLength(2);
    expect(real!.toolCalls).toMatchObject([{ name: "python", output: "Saved file: hello.py" }]);
    expect(real!.source.notes).toContain("1 tool result without a call in this trace");
  });

  // Counted by hand: two answers and one call, in OpenAI's dialect.
  it("vibe-messages.jsonl", async () => {
    const [real] = await loadTraceFile(`${sharedFolder}/corpora/formats-2/vibe-messages.jsonl.gz`);
    expect(real!.source).toMatchObject({ format: "openai-chat" });
    expect(real!.turns).toHaveLength(2);
    expect(real!.toolCalls).toMatchObject([{ name: "read_file", input: { path: "README.md" }, status: "ok" }]);
  });
});
