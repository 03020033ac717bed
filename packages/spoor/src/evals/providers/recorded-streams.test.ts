/** The stream readers on what the real programs printed (test/fixtures): the script of those runs is the oracle. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Json, parseJson } from "@spoor/core";
import { expect, it } from "vitest";
import { traceOfMessages } from "../../formats/output-messages.ts";
import { AgentStream } from "./agent-stream.ts";
import { claudeStream } from "./claude.ts";
import { codexStream } from "./codex.ts";
import type { StreamReader, Totals } from "./coding-agent.ts";

function play(reader: StreamReader, file: string) {
  const text = readFileSync(fileURLToPath(new URL(`../../../test/fixtures/${file}`, import.meta.url)), "utf8");
  let time = 0;
  const stream = new AgentStream({
    signal: new AbortController().signal,
    env: {},
    activity: () => undefined,
    now: () => (time += 10),
  });
  const totals: Totals = {};
  for (const line of text.trim().split("\n")) reader.event(parseJson(line) as Json, stream, totals);
  return { messages: stream.finish(), totals, problems: stream.problems };
}

it("reads a run of Codex: two commands side by side, one that fails, one that writes, the answer", () => {
  const { messages, totals, problems } = play(codexStream, "codex/exec-stream.jsonl");
  const trace = traceOfMessages(messages);
  expect(problems).toEqual([]);
  expect(trace.toolCalls.map((call) => [call.name, call.status, call.turnIndex])).toEqual([
    ["command_execution", "ok", 0],
    ["command_execution", "ok", 0],
    ["command_execution", "error", 1],
    ["command_execution", "ok", 2],
  ]);
  expect(trace.toolCalls[1]!.output).toBe("package.json\n");
  expect(trace.toolCalls.every((call) => call.durationMs !== undefined)).toBe(true);
  expect(messages.at(-1)).toMatchObject({ content: "answer.js now exports 42." });
  // 4,600 input tokens, 60 of them cached; a token is counted once.
  expect(totals).toMatchObject({ usage: { input: 4540, cached: 60, output: 86 } });
});

it("reads a run of Claude Code: results join their calls and are never calls themselves", () => {
  const { messages, totals, problems } = play(claudeStream, "claude/stream.jsonl");
  const trace = traceOfMessages(messages);
  expect(problems).toEqual([]);
  expect(trace.toolCalls.map((call) => [call.name, call.status, call.turnIndex])).toEqual([
    ["Bash", "ok", 0],
    ["Read", "ok", 0],
    ["Bash", "error", 1],
    ["Write", "ok", 2],
  ]);
  expect(trace.turns).toHaveLength(4);
  expect(trace.toolCalls[0]!.input).toEqual({ command: "ls -1", description: "List files" });
  expect(messages.at(-1)).toMatchObject({ content: "answer.js now exports 42." });
  expect(totals).toMatchObject({ usage: { input: 4600, cached: 60, output: 86 }, durationMs: 839 });
});
