/**
 * One way in: whatever door the same bytes come through (a live program, a saved file, the output of a command, a dumped
 * trace that is read again), they are the same calls, the same sub-agents, the same models and the same fingerprint.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildTrace, type Json, type JsonObject, type Trace, type TraceRecord } from "@spoor/core";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { fingerprintTrace } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { listFixtures } from "../../test/fixtures.ts";
import { sendJson, startServer } from "../../test/http-server.ts";
import { loadTraceFile, loadTraces } from "../load/load-traces.ts";
import { dumpTrace } from "./dump-traces.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { createRedactor, forOthers } from "./redact.ts";
import { type RunOutcome, runOnce } from "./run-once.ts";
import { type TargetValues, targetShape } from "./target.ts";
import { createWorkspacePool } from "./workspace-pool.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-doors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Providers that run the program whose stream a format is. */
const LIVE: Readonly<Record<string, string>> = { "codex-exec": "codex", "claude-code": "claude", copilot: "copilot" };

/** Formats whose files are not text, which no command can print as its answer. */
const BYTES = new Set(["otlp-protobuf"]);
/** Archives and databases: bytes too, whose formats have a spelling as text besides. */
const PACKED = /\.(eval|db|vscdb)$/;
/** Prose: what a program prints in it is its answer, and no recording. */
const PROSE = new Set(["aider"]);

const fixtures = listFixtures().filter(
  ({ format, path }) => !BYTES.has(format) && !PROSE.has(format) && !PACKED.test(path),
);

describe.each(fixtures)("$name", ({ format, path }) => {
  it("is the same trace through every door", async () => {
    await expectOneTrace(format, path);
  });
});

describe.skipIf(!sharedExists)(onShared("real recordings"), () => {
  it.each(recordings())("%s is the same trace through every door", { timeout: 120_000 }, async (name) => {
    const bytes = gunzipSync(readFileSync(join(sharedFolder, "corpora", name)));
    const path = join(folder, basename(name, ".gz"));
    writeFileSync(path, bytes);
    const [first] = await loadTraceFile(path);
    await expectOneTrace(first!.source.format, path);
  });
});

/** Sessions of coding agents: one trace per file. */
function recordings(): string[] {
  if (!sharedExists) return [];
  const under = (corpus: string) =>
    readdirSync(join(sharedFolder, "corpora", corpus))
      .filter((file) => file.endsWith(".gz"))
      .map((file) => `${corpus}/${file}`);
  const several = ["claude-code", "pi-session", "swe-agent"].flatMap(under);
  return [...several, "formats-2/codex-failed-tool.jsonl.gz"];
}

async function expectOneTrace(format: string, path: string): Promise<void> {
  const saved = await loadTraces([path]);
  for (const trace of saved) {
    // A file with several traces answers for the case that is named like one of them.
    const caseId = trace.source.entry ?? "case";
    const printed = await run("cli", { command: ["cat", path] }, caseId);
    expect(essence(printed.trace), "printed").toEqual(essence(trace));
    const shared = essence(withoutSecrets(trace));
    expect(essence(await dumped(printed)), "printed, dumped and read again").toEqual(shared);
    const provider = LIVE[format];
    if (provider === undefined) continue;
    const live = await run(provider, { executable: printing(path) }, caseId);
    expect(essence(live.trace), "live").toEqual(essence(trace));
    expect(essence(await dumped(live)), "live, dumped and read again").toEqual(shared);
    expect(figures(live.trace), "figures").toEqual(figures(printed.trace));
  }
}

/** Dumps are made to be shared: keys that an agent read somewhere are taken out of them. */
function withoutSecrets(trace: Trace): Trace {
  const { json } = forOthers(createRedactor([], {}));
  const records = trace.records.map((record) => json(record as unknown as Json) as unknown as TraceRecord);
  return records.every((record, index) => record === trace.records[index])
    ? trace
    : buildTrace(records, { source: trace.source });
}

describe("a model that is asked directly", () => {
  const reply = (content: object) => ({ id: "x", created: 1767603601, model: "m-1", ...content });
  const replies: Record<string, readonly object[]> = {
    openai: [
      reply({
        choices: [
          {
            finish_reason: "tool_calls",
            message: {
              role: "assistant",
              content: "I look it up.",
              tool_calls: [{ id: "c1", type: "function", function: { name: "lookup", arguments: '{"id":"A-7"}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 100, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 64 } },
      }),
      reply({
        choices: [{ finish_reason: "stop", message: { role: "assistant", content: "Shipped." } }],
        usage: { prompt_tokens: 140, completion_tokens: 5 },
      }),
    ],
    anthropic: [
      reply({
        type: "message",
        role: "assistant",
        stop_reason: "tool_use",
        content: [
          { type: "thinking", thinking: "The order first.", signature: "s" },
          { type: "text", text: "I look it up." },
          { type: "tool_use", id: "c1", name: "lookup", input: { id: "A-7" } },
        ],
        usage: { input_tokens: 36, output_tokens: 30, cache_read_input_tokens: 64 },
      }),
      reply({
        type: "message",
        role: "assistant",
        stop_reason: "end_turn",
        content: [{ type: "text", text: "Shipped." }],
        usage: { input_tokens: 140, output_tokens: 5 },
      }),
    ],
  };

  it.each(Object.keys(replies))("%s: the run is what a log of its requests and responses is", async (provider) => {
    const server = await startServer((_request, response, count) => sendJson(response, replies[provider]![count - 1]!));
    onTestFinished(() => server.close());
    const live = await run(provider, {
      base_url: server.url,
      api_key: "test",
      model: "m",
      system_prompt: "Be kind.",
      tools: [{ name: "lookup", parameters: { type: "object" }, result: { status: "shipped" } }],
      pricing: { input: 2, output: 8, cached: 0.5 },
    });
    const log = join(folder, `${provider}.jsonl`);
    const pairs = server.requests.map(({ body }, index) => ({ request: body, response: replies[provider]![index] }));
    writeFileSync(log, pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""));
    const [saved] = await loadTraces([log]);
    expect(essence(live.trace)).toEqual(essence(saved));
    expect(essence(await dumped(live))).toEqual(essence(saved));
    expect(live.trace!.toolCalls).toMatchObject([{ name: "lookup", output: '{"status":"shipped"}', status: "ok" }]);
    // 176 uncached input tokens, 64 cached and 35 output tokens, at 2, 0.5 and 8 dollars per million.
    expect(live.record).toMatchObject({
      token_usage: { input: 176, cached: 64, output: 35 },
      cost_usd: (176 * 2 + 64 * 0.5 + 35 * 8) / 1e6,
    });
  });
});

it("a live run keeps what a stream without clocks does not tell: what was asked, and how long calls took", async () => {
  const fixture = fixtures.find(({ name }) => name === "codex/exec-stream.jsonl")!;
  const live = await run("codex", { executable: printing(fixture.path) });
  const again = await dumped(live);
  expect(again.scenario).toBe("case");
  expect(again.turns[0]!.messages?.at(0)).toEqual({ role: "user", content: "the question" });
  expect(again.toolCalls.every((call) => call.durationMs !== undefined)).toBe(true);
  expect(again.turns.every((turn) => turn.ts !== undefined)).toBe(true);
});

it("what was declined has failed, and MCP tools have one name", async () => {
  const fixture = fixtures.find(({ name }) => name === "codex/declined-stream.jsonl")!;
  const [saved] = await loadTraces([fixture.path]);
  expect(saved!.toolCalls.map(({ name, status }) => [name, status])).toEqual([
    ["mcp__github__create_issue", "ok"],
    ["mcp__github__close_issue", "error"],
    ["command_execution", "error"],
  ]);
});

it("prices the tokens of an agent that never says what they cost, and leaves a stated cost alone", async () => {
  const stream = fixtures.find(({ name }) => name === "codex/exec-stream.jsonl")!;
  const pricing = { input: 2, output: 8, cached: 0.5 };
  const live = await run("codex", { executable: printing(stream.path), pricing });
  const { input, output, cached = 0 } = live.record.token_usage!;
  expect(input + output).toBeGreaterThan(0);
  expect(live.record.cost_usd).toBeCloseTo((input * 2 + output * 8 + cached * 0.5) / 1e6, 12);
  const stated = fixtures.find(({ name }) => name === "claude-code/stream-sub-agent.jsonl")!;
  const claude = await run("claude", { executable: printing(stated.path), pricing });
  expect(claude.record.cost_usd).toBe(0.02);
});

it("counts what sub-agents used", async () => {
  const fixture = fixtures.find(({ name }) => name === "claude-code/stream-sub-agent.jsonl")!;
  const live = await run("claude", { executable: printing(fixture.path) });
  expect(live.record).toMatchObject({
    candidate_answer: "There is no bug.",
    token_usage: { input: 350, output: 65 },
    cost_usd: 0.02,
    duration_ms: 4200,
  });
  expect(live.trace!.turns.map(({ agent }) => agent)).toEqual([undefined, "Explore", "Explore", undefined]);
});

/** What must not depend on the door. */
function essence(trace: Trace | undefined) {
  if (trace === undefined) return undefined;
  return {
    fingerprint: fingerprintTrace(trace).hash,
    calls: trace.toolCalls.map(({ name, input, output, status, agent, error }) => ({
      name,
      input,
      output,
      status,
      agent,
      error,
    })),
    turns: trace.turns.map(({ text, model, stopReason, agent, parentCallId, usage }) => ({
      text,
      model,
      stopReason,
      agent,
      parentCallId,
      usage,
    })),
  };
}

function figures(trace: Trace | undefined) {
  const { tokenUsage, costUsd } = subjectOfTrace(trace);
  return { tokenUsage, costUsd };
}

/** A program that prints a file and hears nothing. */
function printing(path: string): string {
  const program = join(folder, `print-${basename(path)}.sh`);
  writeFileSync(program, `#!/bin/sh\nexec cat '${path}'\n`);
  chmodSync(program, 0o755);
  return program;
}

async function dumped(outcome: RunOutcome): Promise<Trace> {
  const file = join(folder, "dumped.agentlog");
  await dumpTrace(file, planned("mock", {}, "case"), outcome, { text: (text) => text, json: (value) => value });
  const [trace] = await loadTraces([file]);
  return trace!;
}

function run(provider: string, settings: JsonObject, caseId = "case"): Promise<RunOutcome> {
  const { signal } = new AbortController();
  const settingsOfRun = {
    cwd: folder,
    signal,
    maxRetries: 0,
    includeTrace: false,
    keepWorkspaces: false,
    now: () => new Date(0),
    clock: () => performance.timeOrigin + performance.now(),
    evaluate: async () => [],
    onActivity: () => undefined,
  };
  return runOnce(planned(provider, settings, caseId), settingsOfRun, createWorkspacePool({ signal, keep: false }));
}

function planned(provider: string, settings: JsonObject, id: string): PlannedRun {
  const read = targetShape.read(new Problems(valueSource({ provider, ...settings }, "targets.yaml")).root())!;
  const { pricing } = read.values as TargetValues;
  const question: Json = "the question";
  const input = [{ role: "user", content: question, text: "the question", files: [] }];
  return {
    suite: { file: "f.yaml", name: "f", targets: [], cases: [], diagnostics: [] },
    case: { id, input, expectedMessages: [], evaluators: [], at: {}, digest: "" },
    evaluators: [],
    target: {
      name: "agent",
      providerName: provider,
      provider: read.variant.open(read.values, folder),
      retry: { initialDelayMs: 0, maxDelayMs: 0, backoffFactor: 1 },
      ...(pricing === undefined ? {} : { prices: pricing }),
      digest: "",
    },
    env: process.env,
    run: 1,
    threshold: 0.8,
    timeoutMs: 60_000,
    index: 0,
    key: "k",
    inputKey: "",
  };
}
