/**
 * Real files of tools that have one or two here, each held to counts that were made apart from the readers: by counting
 * the file's own marks (model messages, calls by id, results by id, the usage it states) with a few lines of Python.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Trace } from "@spoor/core";
import { usedTokens } from "@spoor/core/internal/report/trace-totals";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../core/test/shared.ts";
import { loadTraceFile } from "../src/load/load-traces.ts";

const folder = join(sharedFolder, "corpora", "formats-2");
const isThere = sharedExists && existsSync(folder);

interface Counted {
  readonly file: string;
  readonly format: string;
  readonly traces?: number;
  readonly turns: number;
  readonly calls: number;
  readonly results?: number;
  readonly failed?: number;
  readonly tokens?: number;
}

const COUNTED: readonly Counted[] = [
  // 17 events of role model, 6 function calls, 6 function responses.
  { file: "adk-customer-service.session.json.gz", format: "adk", turns: 17, calls: 6, results: 6 },
  // 10 queries with a reference each, 6 of them with one expected call before it; an expectation has no results.
  { file: "adk-full-conversation.test.json.gz", format: "adk", turns: 16, calls: 6 },
  // 6 references, 3 intermediate responses, 4 queries with expected calls: 2, 1, 3 and 4 of them.
  { file: "adk-brand-search.evalset.json.gz", format: "adk", turns: 13, calls: 10 },
  // Three chats, one without a word; 3 edits applied, 2 not.
  { file: "aider-chat-history.md.gz", format: "aider", traces: 2, turns: 2, calls: 5, results: 5, failed: 2 },
  // 3 lines of the assistant, 2 more told as progress of the sub-agent.
  { file: "claude-code-subagent.jsonl.gz", format: "claude-code", turns: 5, calls: 2, results: 2 },
  { file: "codex-failed-tool.jsonl.gz", format: "codex-rollout", turns: 3, calls: 2, results: 2, failed: 1 },
  // The totals of the file: 1850 + 2450.
  { file: "gemini-cli-standard.json.gz", format: "gemini-cli", turns: 2, calls: 0, tokens: 4300 },
  { file: "gemini-cli-tool-calls.json.gz", format: "gemini-cli", turns: 1, calls: 1 },
  // 120 + 42 + 80 and 200 + 15 + 120; the last message of the tool answers no call.
  { file: "gptme-conversation.jsonl.gz", format: "gptme", turns: 2, calls: 1, results: 1, tokens: 577 },
  // 6 ids of calls over 8 lines that repeat while they stream; every count of tokens is 0.
  { file: "iflow-session.jsonl.gz", format: "iflow", turns: 4, calls: 6, results: 6 },
  { file: "inspect-images.json.gz", format: "inspect", turns: 1, calls: 0, tokens: 326 },
  { file: "inspect_log_formats.eval", format: "inspect", turns: 1, calls: 0, tokens: 68 },
  { file: "inspect_log_read_sample.eval", format: "inspect", turns: 1, calls: 0, tokens: 69 },
  { file: "langsmith-batch-default.json.gz", format: "langsmith", turns: 1, calls: 0, tokens: 18 },
  { file: "langsmith-batch-reasoning.json.gz", format: "langsmith", turns: 1, calls: 0, tokens: 2540 },
  // 200 + 30 and 230 + 20.
  { file: "qwen-code-tool-call.jsonl.gz", format: "qwen-code", turns: 2, calls: 1, results: 1, tokens: 480 },
  // 14 + 20 and 50 + 9.
  { file: "vercel-doGenerate.readable-span.json.gz", format: "otel-spans", traces: 2, turns: 2, calls: 0, tokens: 93 },
  {
    file: "vercel-generateText.readable-span.json.gz",
    format: "otel-spans",
    traces: 2,
    turns: 2,
    calls: 0,
    tokens: 93,
  },
  { file: "vibe-messages.jsonl.gz", format: "openai-chat", turns: 2, calls: 1, results: 1 },
];

describe.skipIf(!isThere)(onShared("real files, counted apart"), () => {
  it.each(COUNTED)("$file", async ({ file, ...expected }) => {
    const traces = await loadTraceFile(join(folder, file));
    const { traces: many = 1, results = 0, failed = 0, tokens } = expected;
    const { format, turns, calls } = expected;
    expect(count(traces)).toEqual({ format, traces: many, turns, calls, results, failed, tokens });
    expect(traces.flatMap(({ source }) => Object.keys(source.unknown ?? {}))).toEqual([]);
  });

  it("every file of the folder is counted here", () => {
    const files = readdirSync(folder).filter((file) => file !== "SOURCE.md");
    expect(COUNTED.map(({ file }) => file).sort()).toEqual(files.sort());
  });
});

function count(traces: readonly Trace[]): unknown {
  const calls = traces.flatMap((trace) => trace.toolCalls);
  const tokens = traces.map((trace) => usedTokens(trace)?.total).filter((total) => total !== undefined);
  return {
    format: traces[0]!.source.format,
    traces: traces.length,
    turns: traces.flatMap((trace) => trace.turns).length,
    calls: calls.length,
    results: calls.filter((call) => call.output !== undefined).length,
    failed: calls.filter((call) => call.status === "error").length,
    tokens: tokens.length === 0 ? undefined : tokens.reduce((sum, total) => sum + total, 0),
  };
}
