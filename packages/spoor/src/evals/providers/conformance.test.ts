/**
 * What every provider must do, whatever stands behind it: hand on calls with arguments, results and status in order, keep
 * the good part of a bad output, end when told to, and fail in the words the runner understands.
 */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@spoor/core";
import { lastText } from "@spoor/core/internal/evaluators/subject";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendJson, startServer, type TestServer } from "../../../test/http-server.ts";
import { type AgentRun, readAnswer } from "../read-answer.ts";
import { targetShape } from "../target.ts";
import { type AgentContext, type AgentRequest, type Provider, ProviderError } from "./provider.ts";
import { providers } from "./providers.ts";

const FAKE_AGENT = fileURLToPath(new URL("../../../test/agents/fake-agent.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "spoor-conformance-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Scenario = "normal" | "malformed" | "crash" | "killed" | "hang" | "too-large";

/** One provider under test: how to set it up so that the agent behind it behaves as the scenario says. */
interface Subject {
  readonly provider: string;
  readonly settings: (scenario: Scenario) => JsonObject;
  /** Scenarios that cannot happen here, and why. */
  readonly impossible?: Partial<Record<Scenario, string>>;
  /** Kind of failure when the agent crashes; by default it failed. */
  readonly crash?: string;
  /** Settings with which nobody is there, and the kind of failure that gives. */
  readonly nobody: { readonly settings: () => JsonObject; readonly kind: string };
  /** Whether calls carry a duration. */
  readonly timed: boolean;
  /** Whether the agent hears the prompt, so that its answer can repeat it. */
  readonly deaf?: true;
}

let server: TestServer;
/** An address on which nobody listens any more. */
let closed: string;
beforeAll(async () => {
  const gone = await startServer(() => undefined);
  closed = gone.url;
  await gone.close();
  server = await startServer((request, response) => answerHttp(request.path, request.body, response));
});
afterAll(() => server.close());

/** A program that is the fake agent in one role. */
function program(kind: string, scenario: string): string {
  const path = join(folder, `${kind}-${scenario}`);
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${FAKE_AGENT}" ${kind} ${scenario} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

function agentFile(scenario: Scenario): string {
  const path = join(folder, `agent-${scenario}.mjs`);
  const bodies: Record<Scenario, string> = {
    normal:
      'return { output_messages: [{ role: "assistant", tool_calls: [{ tool: "lookup", input: { q: 1 }, output: "found", duration_ms: 3 }] }, { role: "assistant", content: "Done: " + prompt }] };',
    malformed:
      'return { output_messages: [{ role: "assistant", tool_calls: [{ tool: "lookup", input: { q: 1 }, output: "found", duration_ms: 3 }, { input: {} }] }, { role: "assistant", content: "Done: " + prompt }] };',
    crash: 'throw new Error("the agent broke down");',
    killed: "return undefined;",
    hang: "await new Promise(() => undefined);",
    "too-large": 'return { text: "x".repeat(65 * 1024 * 1024) };',
  };
  writeFileSync(path, `export default async function ({ prompt, signal }) { ${bodies[scenario]} }\n`);
  return path;
}

const nothing = { executable: join(folder, "no-such-program") };

const subjects: readonly Subject[] = [
  {
    provider: "cli",
    settings: (scenario) => ({
      command: [program("cli", scenario), "{OUTPUT_FILE}"],
      ...(scenario === "too-large" ? { command: [program("cli", scenario)] } : {}),
    }),
    nobody: { settings: () => ({ command: [join(folder, "no-such-program")] }), kind: "missing" },
    timed: true,
  },
  ...["codex", "claude", "copilot"].map(
    (kind): Subject => ({
      provider: kind,
      settings: (scenario) => ({ executable: program(kind, scenario) }),
      nobody: { settings: () => nothing, kind: "missing" },
      timed: true,
    }),
  ),
  ...["vscode", "vscode-insiders"].map(
    (provider): Subject => ({
      provider,
      settings: (scenario) => ({ executable: program("vscode", scenario), poll_ms: 1 }),
      nobody: { settings: () => nothing, kind: "missing" },
      timed: true,
    }),
  ),
  {
    provider: "openai",
    settings: (scenario) => ({
      base_url: `${server.url}/${scenario}/v1`,
      api_key: "test",
      model: "scripted",
      tools: [{ name: "lookup", result: "found" }],
    }),
    impossible: { killed: "a server has no process here" },
    crash: "unavailable",
    nobody: { settings: () => ({ base_url: `${closed}/v1`, api_key: "test", model: "m" }), kind: "unreachable" },
    // A canned result takes no time, and nobody measures it.
    timed: false,
  },
  {
    provider: "openai-compatible",
    settings: (scenario) => ({
      base_url: `${server.url}/${scenario}/v1`,
      model: "scripted",
      tools: [{ name: "lookup", result: "found" }],
    }),
    impossible: { killed: "a server has no process here" },
    crash: "unavailable",
    nobody: { settings: () => ({ base_url: `${closed}/v1`, model: "m" }), kind: "unreachable" },
    // A canned result takes no time, and nobody measures it.
    timed: false,
  },
  {
    provider: "anthropic",
    settings: (scenario) => ({
      base_url: `${server.url}/${scenario}`,
      api_key: "test",
      model: "scripted",
      tools: [{ name: "lookup", result: "found" }],
    }),
    impossible: { killed: "a server has no process here" },
    crash: "unavailable",
    nobody: { settings: () => ({ base_url: closed, api_key: "test", model: "m" }), kind: "unreachable" },
    // A canned result takes no time, and nobody measures it.
    timed: false,
  },
  {
    provider: "http",
    settings: (scenario) => ({ url: `${server.url}/${scenario}/agent` }),
    impossible: { killed: "a server has no process here" },
    crash: "unavailable",
    nobody: { settings: () => ({ url: `${closed}/agent` }), kind: "unreachable" },
    timed: true,
  },
  {
    provider: "function",
    settings: (scenario) => ({ module: agentFile(scenario) }),
    impossible: { killed: "it runs inside this process, in a thread" },
    nobody: { settings: () => ({ module: join(folder, "no-such-module.mjs") }), kind: "missing" },
    timed: true,
  },
  {
    provider: "replay",
    settings: (scenario) => ({ traces: recording(scenario) }),
    impossible: {
      crash: "nothing runs",
      killed: "nothing runs",
      hang: "nothing runs",
      "too-large": "files are read as traces",
      malformed: "a bad file is refused as a whole",
    },
    nobody: { settings: () => ({ traces: join(folder, "no-such-trace.json") }), kind: "missing" },
    timed: true,
    deaf: true,
  },
  {
    provider: "mock",
    settings: (scenario) => {
      const tool_calls = [
        { tool: "lookup", input: { q: 1 }, output: "found", duration_ms: 3 },
        ...(scenario === "malformed" ? [{ input: {} }] : []),
      ];
      const response =
        scenario === "crash"
          ? { error: "failed", message: "the agent broke down" }
          : {
              output_messages: [
                { role: "assistant", tool_calls },
                { role: "assistant", content: "Done: hello" },
              ],
            };
      return { response, ...(scenario === "hang" ? { delay_ms: 3_600_000 } : {}) };
    },
    impossible: { killed: "nothing runs", "too-large": "the answer stands in the targets file" },
    nobody: { settings: () => ({ response: { error: "unreachable" } }), kind: "unreachable" },
    timed: true,
  },
];

function recording(scenario: Scenario): string {
  const path = join(folder, `recorded-${scenario}.json`);
  const tool_calls = [{ tool: "lookup", input: { q: 1 }, output: "found", duration_ms: 3 }];
  writeFileSync(
    path,
    JSON.stringify({
      eval_id: "case-1",
      output_messages: [
        { role: "assistant", tool_calls },
        { role: "assistant", content: "Done: hello" },
      ],
    }),
  );
  return path;
}

function answerHttp(path: string, body: unknown, response: Parameters<typeof sendJson>[0]): void {
  const [, scenario, ...rest] = path.split("/");
  const route = rest.at(-1);
  const messages = (body as { messages?: { role: string; content: unknown }[] }).messages ?? [];
  if (scenario === "hang") return;
  if (scenario === "crash") {
    sendJson(response, { error: { message: "the agent broke down" } }, 500);
    return;
  }
  if (scenario === "too-large") {
    response.writeHead(200, { "content-type": "application/json" });
    const chunk = Buffer.alloc(1 << 20, "x");
    let sent = 0;
    const send = () => {
      while (sent < 70 && response.writable) {
        sent++;
        if (!response.write(chunk)) {
          response.once("drain", send);
          return;
        }
      }
      response.end();
    };
    send();
    return;
  }
  const bad = scenario === "malformed";
  const answered = messages.length > 1;
  if (route === "completions") {
    const calls = [
      { id: "c1", type: "function", function: { name: "lookup", arguments: '{"q":1}' } },
      ...(bad ? [{ id: "c2", function: {} }] : []),
    ];
    const message = answered
      ? { role: "assistant", content: `Done: ${String(messages[0]!.content)}` }
      : { role: "assistant", content: null, tool_calls: calls };
    sendJson(response, {
      model: "scripted",
      choices: [{ message }],
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    });
    return;
  }
  if (route === "messages") {
    const calls = [
      { type: "tool_use", id: "c1", name: "lookup", input: { q: 1 } },
      ...(bad ? [{ type: "tool_use", input: {} }] : []),
    ];
    const content = answered ? [{ type: "text", text: `Done: ${String(messages[0]!.content)}` }] : calls;
    sendJson(response, { model: "scripted", content, usage: { input_tokens: 10, output_tokens: 2 } });
    return;
  }
  const tool_calls = [
    { tool: "lookup", input: { q: 1 }, output: "found", duration_ms: 3 },
    ...(bad ? [{ input: {} }] : []),
  ];
  const { prompt } = body as { prompt?: string };
  sendJson(response, {
    output_messages: [
      { role: "assistant", tool_calls },
      { role: "assistant", content: `Done: ${prompt}` },
    ],
  });
}

function open(provider: string, settings: JsonObject): Provider {
  const problems = new Problems(valueSource({ provider, ...settings }, "targets.yaml"));
  const read = targetShape.read(problems.root());
  expect(problems.errors).toEqual([]);
  return read!.variant.open(read!.values, folder);
}

const request: AgentRequest = {
  caseId: "case-1",
  run: 1,
  attempt: 1,
  messages: [{ role: "user", content: "hello", text: "hello", files: [] }],
  prompt: "hello",
  files: [],
  folder,
  isolated: false,
  evalFile: "f.yaml",
};

function context(signal = new AbortController().signal, env: Record<string, string> = {}): AgentContext {
  return {
    signal,
    env: { ...process.env, ...env },
    activity: () => undefined,
    now: () => performance.timeOrigin + performance.now(),
  };
}

/** Asks as the runner does: the answer counts once it is read. */
async function ask(subject: Subject, settings: JsonObject, using = context()): Promise<AgentRun> {
  const answer = await open(subject.provider, settings).ask(request, using);
  return readAnswer(answer, { caseId: "case-1", run: 1, target: "agent", input: request.messages, elapsedMs: 5 });
}

async function failureOf(run: Promise<AgentRun>): Promise<ProviderError> {
  const error = await run.then(
    () => new Error("there was an answer"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

it("covers every provider", () => {
  expect(subjects.map(({ provider }) => provider).sort()).toEqual(providers.map(({ names }) => names[0]).sort());
});

describe.each(subjects)("provider $provider", (subject) => {
  /** A scenario that cannot happen has no test; `impossible` says why. */
  const when = (scenario: Scenario, name: string, test: () => Promise<void>) => {
    if (subject.impossible?.[scenario] === undefined) it(name, test);
  };

  it("hands on the call with its arguments, result and status, then the answer", async () => {
    const { trace, problems } = await ask(subject, subject.settings("normal"));
    const calls = trace!.toolCalls;
    expect(calls.map((call) => call.name.replace(/^mcp__shop__/, ""))).toEqual(["lookup"]);
    expect(calls[0]).toMatchObject({ input: { q: 1 }, output: "found", status: "ok" });
    if (subject.timed) expect(calls[0]!.durationMs).toBeGreaterThanOrEqual(0);
    expect(lastText(trace!)).toBe("Done: hello");
    expect(problems).toEqual([]);
  });

  when("malformed", "keeps the good call of a bad output and reports the bad one", async () => {
    const { trace, problems } = await ask(subject, subject.settings("malformed"));
    expect(trace!.toolCalls).toHaveLength(1);
    expect(problems).toHaveLength(1);
    expect(lastText(trace!)).toBe("Done: hello");
  });

  when("crash", "fails with the agent's own words when it breaks down", async () => {
    const error = await failureOf(ask(subject, subject.settings("crash")));
    expect(error.kind).toBe(subject.crash ?? "failed");
    expect(error.message).toContain("the agent broke down");
  });

  when("killed", "says so when the agent was killed", async () => {
    const error = await failureOf(ask(subject, subject.settings("killed")));
    expect(error).toMatchObject({ kind: "failed", message: expect.stringContaining("SIGKILL") });
  });

  when("too-large", "stops reading after 64 MiB", async () => {
    const error = await failureOf(ask(subject, subject.settings("too-large")));
    expect(error).toMatchObject({ kind: "too-large", message: expect.stringContaining("64 MiB") });
  });

  it("says when nobody is there", async () => {
    const error = await failureOf(ask(subject, subject.nobody.settings()));
    expect(error.kind).toBe(subject.nobody.kind);
  });

  when("hang", "ends, with everything it started, when it is told to", async () => {
    const stop = new AbortController();
    const pidFile = join(folder, `${subject.provider}.pid`);
    const pending = ask(subject, subject.settings("hang"), context(stop.signal, { FAKE_AGENT_PID: pidFile }));
    const settled = pending.then(
      () => "answered",
      () => "stopped",
    );
    const hasProcess = ["cli", "codex", "claude", "copilot", "vscode", "vscode-insiders"].includes(subject.provider);
    if (hasProcess)
      while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "")
        await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error("time is up"));
    expect(await settled).toBe("stopped");
    if (hasProcess) expect(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0)).toThrow();
  });
});
