/** Runs that a limit ends: what was done until then is read, counted and handed on to be scored. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@spoor/core";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { sendJson, startServer } from "../../test/http-server.ts";
import type { Provider } from "./providers/provider.ts";
import { runEvals } from "./run-evals.ts";
import type { RunLimits } from "./run-limits.ts";
import type { RunClock } from "./servers/run-clock.ts";
import { targetShape } from "./target.ts";

function open(provider: string, settings: JsonObject): Provider {
  const read = targetShape.read(new Problems(valueSource({ provider, ...settings }, "targets.yaml")).root())!;
  return read.variant.open(read.values, temporaryFolder());
}

interface Given {
  readonly limits?: RunLimits;
  /** The time is up as soon as this is so, however long that takes. */
  readonly upWhen?: () => boolean;
}

async function run(provider: Provider, { upWhen, ...given }: Given): Promise<RunRecord> {
  const target = {
    name: "t",
    providerName: "t",
    provider,
    retry: { initialDelayMs: 0, maxDelayMs: 0, backoffFactor: 1 },
    prices: { input: 1000, output: 1000 },
    digest: "",
  };
  const input = [{ role: "user", content: "go", text: "go", files: [] }];
  let record: RunRecord | undefined;
  await runEvals(
    [
      {
        suite: { file: join(temporaryFolder(), "f.yaml"), name: "f", targets: [], cases: [], diagnostics: [] },
        case: { id: "c", input, expectedMessages: [], evaluators: [], at: {}, digest: "" },
        evaluators: [],
        target,
        env: process.env,
        run: 1,
        threshold: 0.8,
        timeoutMs: 60_000,
        index: 0,
        key: "c",
        inputKey: "",
        ...given,
      },
    ],
    {
      cwd: "/",
      signal: new AbortController().signal,
      maxRetries: 0,
      includeTrace: true,
      keepWorkspaces: false,
      workers: 1,
      now: () => new Date(0),
      clock: () => performance.timeOrigin + performance.now(),
      ...(upWhen === undefined ? {} : { startClock: () => clockThatIsUp(upWhen) }),
      evaluate: async () => [
        { name: "e", type: "t", weight: 1, score: 1, aspects: 1, checks: [], status: "passed", passLine: 0.8 },
      ],
      onActivity: () => undefined,
      onFinish: (_run, outcome) => {
        record = outcome.record;
      },
    },
  );
  return record!;
}

function clockThatIsUp(when: () => boolean): RunClock {
  const controller = new AbortController();
  const timer = setInterval(() => when() && controller.abort(), 10);
  return {
    signal: controller.signal,
    get isUp() {
      return controller.signal.aborted;
    },
    onEnd: (listener) => controller.signal.addEventListener("abort", listener),
    pause: () => () => undefined,
    add: () => undefined,
    correction: () => 0,
    close: () => clearInterval(timer),
  };
}

/** What `looping` has printed is on its way when this is so, and what is on its way is read. */
const hasPrinted = (file: string) => () => existsSync(`${file}.printed`);

/** A program that prints `rounds` rounds of an agent at work and then never ends. */
function looping(rounds: number, line: (round: number) => readonly object[], torn = ""): string {
  const folder = temporaryFolder();
  const file = join(folder, "agent");
  const lines = Array.from({ length: rounds }, (_, index) => line(index + 1)).flat();
  writeFileSync(join(folder, "lines"), lines.map((value) => `${JSON.stringify(value)}\n`).join("") + torn);
  writeFileSync(file, `#!/bin/sh\ncat ${folder}/lines\ntouch ${file}.printed\nexec sleep 1000\n`, { mode: 0o755 });
  return file;
}

const claudeRound = (round: number) => [
  {
    type: "assistant",
    session_id: "s",
    message: {
      id: `m${round}`,
      model: "m",
      role: "assistant",
      content: [{ type: "tool_use", id: `t${round}`, name: "Bash", input: { command: "ls" } }],
      usage: { input_tokens: 90, cache_read_input_tokens: 10, output_tokens: 20 },
    },
  },
  {
    type: "user",
    session_id: "s",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${round}`, content: "a" }] },
  },
];
const codexRound = (round: number) => {
  const item = { id: `i${round}`, type: "command_execution", command: "ls", aggregated_output: "", exit_code: null };
  return [
    { type: "item.started", item },
    { type: "item.completed", item: { ...item, aggregated_output: "a", exit_code: 0, status: "completed" } },
  ];
};
const copilotRound = (round: number) => [
  {
    id: `e${round}`,
    timestamp: "2026-01-05T09:00:00.000Z",
    type: "assistant.message",
    data: {
      messageId: `m${round}`,
      content: "",
      toolRequests: [{ toolCallId: `t${round}`, name: "bash", arguments: { command: "ls" }, type: "function" }],
    },
  },
  {
    id: `u${round}`,
    timestamp: "2026-01-05T09:00:00.100Z",
    type: "assistant.usage",
    data: { model: "m", inputTokens: 100, outputTokens: 20 },
  },
  {
    id: `s${round}`,
    timestamp: "2026-01-05T09:00:00.200Z",
    type: "tool.execution_complete",
    data: { toolCallId: `t${round}`, success: true, result: { content: "a" } },
  },
];

describe.each([
  { provider: "claude", tool: "Bash", round: claudeRound },
  { provider: "codex", tool: "command_execution", round: codexRound },
  { provider: "copilot", tool: "bash", round: copilotRound },
])("$provider", ({ provider, tool, round }) => {
  it("keeps what it did until the time was up", async () => {
    const executable = looping(3, round);
    const record = await run(open(provider, { executable }), { upWhen: hasPrinted(executable) });
    expect(record).toMatchObject({
      status: "passed",
      ended: "limit",
      limit: { kind: "timeout", at: 60 },
      score: 1,
      trace_summary: { tool_calls_by_name: { [tool]: 3 } },
    });
    expect(record.output_messages).not.toBeNull();
  });
});

it.each([
  { provider: "codex", tool: "command_execution", round: codexRound },
  { provider: "copilot", tool: "bash", round: copilotRound },
])("$provider is ended when it goes past its turns", async ({ provider, tool, round }) => {
  const record = await run(open(provider, { executable: looping(5, round) }), { limits: { turns: 2 } });
  expect(record).toMatchObject({ ended: "limit", limit: { kind: "turns", at: 2 } });
  expect(record.trace_summary!.tool_calls_by_name[tool]).toBeGreaterThanOrEqual(2);
});

it.each([
  { provider: "claude", round: claudeRound },
  { provider: "copilot", round: copilotRound },
])("$provider is ended when it goes past its tokens", async ({ provider, round }) => {
  // Each response has 120 tokens, so that the third goes past 300.
  const record = await run(open(provider, { executable: looping(5, round) }), { limits: { tokens: 300 } });
  expect(record).toMatchObject({ ended: "limit", limit: { kind: "tokens", at: 300 } });
});

describe("cli", () => {
  it.each([
    ["a stream of events", codexRound, "", "command_execution"],
    ["a stream of events of another agent", claudeRound, "", "Bash"],
    ["a stream with a torn last line", codexRound, '{"type":"item.st', "command_execution"],
  ] as const)("reads %s up to the end of its time", async (_name, round, torn, tool) => {
    const program = looping(2, round, torn);
    const record = await run(open("cli", { command: [program] }), { upWhen: hasPrinted(program) });
    expect(record).toMatchObject({ ended: "limit", trace_summary: { tool_calls_by_name: { [tool]: 2 } } });
  });

  it("keeps what a command that fails had told, and never passes it", async () => {
    const told = JSON.stringify({ output_messages: [{ role: "assistant", tool_calls: [{ tool: "search" }] }] });
    const record = await run(open("cli", { command: ["sh", "-c", `echo '${told}'; echo no >&2; exit 3`] }), {});
    expect(record).toMatchObject({
      status: "failed",
      ended: "error",
      score: 1,
      error: { kind: "failed", message: "no (exit code 3)" },
      trace_summary: { tool_calls_by_name: { search: 1 } },
    });
  });

  it("says afterwards that a run went too far, when it was told only then", async () => {
    const told = {
      output_messages: [{ role: "assistant", content: "x" }],
      token_usage: { input: 90, output: 20 },
      cost_usd: 2,
    };
    const command = ["sh", "-c", `echo '${JSON.stringify(told)}'`];
    expect(await run(open("cli", { command }), { limits: { tokens: 100 } })).toMatchObject({
      ended: "limit",
      limit: { kind: "tokens", at: 100 },
      problems: ["ended at its limit of 100 tokens, which was known only when the run was over"],
    });
    expect(await run(open("cli", { command }), { limits: { costUsd: 1 } })).toMatchObject({
      limit: { kind: "cost", at: 1 },
    });
    expect(await run(open("cli", { command }), { limits: { tokens: 110, costUsd: 2 } })).toMatchObject({
      ended: "answered",
    });
  });
});

describe("a model", () => {
  const call = (text: string) => ({
    id: "r",
    object: "chat.completion",
    model: "m",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: text } }],
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });

  async function model(answer: (count: number) => object | undefined) {
    const server = await startServer((_request, response, count) => {
      const body = answer(count);
      if (body !== undefined) sendJson(response, body);
    });
    onTestFinished(() => server.close());
    const tools = [{ name: "look", result: { seen: true } }];
    return open("openai-compatible", { base_url: server.url, model: "m", tools, max_turns: 4 });
  }

  it("that goes on calling is ended at max_turns, at a limit of the run, or at its tokens or cost", async () => {
    const endless = await model(() => call("{}"));
    expect(await run(endless, {})).toMatchObject({
      ended: "limit",
      limit: { kind: "turns", at: 4 },
      trace_summary: { tool_calls_by_name: { look: 4 } },
      token_usage: { input: 400, output: 80 },
    });
    expect(await run(endless, { limits: { turns: 2 } })).toMatchObject({ limit: { kind: "turns", at: 2 } });
    expect(await run(endless, { limits: { tokens: 200 } })).toMatchObject({
      limit: { kind: "tokens", at: 200 },
      trace_summary: { tool_calls_by_name: { look: 2 } },
    });
    // 120 tokens at a thousandth of a dollar each.
    expect(await run(endless, { limits: { costUsd: 0.3 } })).toMatchObject({
      limit: { kind: "cost", at: 0.3 },
      trace_summary: { tool_calls_by_name: { look: 3 } },
    });
  });

  it("that falls silent leaves what it did until then", async () => {
    let asked = 0;
    const silent = await model((count) => {
      asked = count;
      return count <= 2 ? call("{}") : undefined;
    });
    expect(await run(silent, { upWhen: () => asked > 2 })).toMatchObject({
      ended: "limit",
      limit: { kind: "timeout" },
      trace_summary: { tool_calls_by_name: { look: 2 } },
    });
  });

  it("has no times for results that nobody had to wait for, and a line for arguments that are not JSON", async () => {
    const broken = await model(() => call('{"q": '));
    const record = await run(broken, { limits: { turns: 1 } });
    expect(record.problems).toEqual(["turn 1: the arguments of look are not JSON"]);
    const fine = await run(await model(() => call("{}")), { limits: { turns: 2 } });
    expect(fine.trace_summary!.tool_durations).toBeUndefined();
    expect(JSON.stringify(fine.output_messages)).not.toContain('duration_ms":0');
  });
});
