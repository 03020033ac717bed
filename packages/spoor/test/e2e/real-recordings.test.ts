/**
 * Claude Code and Codex, the real programs, recorded by `spoor record` while a scripted model drives them: one trace each, which tells
 * the same story as the transcript that the program itself keeps, read by Spoor's own readers.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Trace } from "@spoor/core";
import type { RecordReport } from "@spoor/core/internal/capture/record-report";
import { member } from "@spoor/core/internal/trace/json";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import type { ScriptCall } from "../../../record/test/model-server/said.ts";
import { type ScriptTurn, scripted } from "../../../record/test/model-server/script.ts";
import { loadTraces } from "../../src/load/load-traces.ts";
import { type InstalledAgent, installClaude, installCodex } from "./agent-cache.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const claude = installClaude();
const codex = installCodex();
const title = ({ program, why }: InstalledAgent) => (program === undefined ? ` (skipped: ${why})` : "");

interface Scene {
  readonly script: readonly ScriptTurn[];
  readonly others?: Readonly<Record<string, readonly ScriptTurn[]>>;
}

interface Started {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where the program keeps its own. */
  readonly transcripts: string;
}

/** Runs an agent under the recorder: the one trace of the recording, and those of its own transcripts. */
async function recordAgent({ script, others }: Scene, start: (folder: string, url: string) => Started) {
  const model = await startModelServer(scripted(script, others), () => ({}));
  onTestFinished(() => model.close());
  const folder = temporaryFolder();
  for (const path of ["project/.git/objects", "project/.git/refs", "home"])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, "project/.git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(folder, "home/config.toml"), 'model = "scripted"\n');
  const { command, env, transcripts } = start(folder, model.url);
  const run = await runSpoor(["record", "--to", "../recorded", "-o", "../report.json", "--", ...command], {
    cwd: join(folder, "project"),
    env: { HOME: join(folder, "home"), ...env },
  });
  expect(run.code, run.stderr).toBe(0);
  const recorded = await loadTraces([join(folder, "recorded")]);
  expect(recorded).toHaveLength(1);
  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as RecordReport;
  return { stderr: run.stderr, report, trace: recorded[0]!, told: await loadTraces([transcripts]), model };
}

const inClaude = (folder: string, url: string): Started => ({
  command: [claude.program!, "-p", "Do it", "--dangerously-skip-permissions"],
  env: {
    CLAUDE_CONFIG_DIR: join(folder, "home/.claude"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-scripted-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    IS_SANDBOX: "1",
  },
  transcripts: join(folder, "home/.claude/projects"),
});

const inCodex = (folder: string, url: string): Started => ({
  command: [codex.program!, "exec", "--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", "Do it"],
  env: {
    HOME: join(folder, "home"),
    CODEX_HOME: join(folder, "home"),
    OPENAI_BASE_URL: `${url}/v1`,
    CODEX_API_KEY: "sk-scripted-key",
  },
  transcripts: join(folder, "home/sessions"),
});

/** What was called, with what, and what came of it, by the id of the call. */
function callsOf(traces: readonly Trace[]) {
  const calls = traces.flatMap(({ toolCalls }) => toolCalls);
  return calls
    .filter(({ input }) => !JSON.stringify(input).includes("touch"))
    .map(({ id, name, input, output, status }) => ({ id: id ?? "", name, input, output, status }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The command each sub-agent ran, and the task that the call which started it gave. */
function subAgents(trace: Trace): [ran: string, asked: string][] {
  return trace.turns
    .filter(({ parentCallId, toolCalls }) => parentCallId !== undefined && wordIn(toolCalls, /echo (\w+)/) !== "")
    .map(({ parentCallId, toolCalls }): [string, string] => {
      const parent = trace.toolCalls.find(({ id }) => id === parentCallId);
      return [wordIn(toolCalls[0]!.input, /echo (\w+)/), wordIn(parent?.input, /look after (\w+)/)];
    })
    .sort();
}

function wordIn(value: unknown, pattern: RegExp): string {
  return pattern.exec(JSON.stringify(value) ?? "")?.[1] ?? "";
}

const BOTH = [
  ["ALPHA", "ALPHA"],
  ["BETA", "BETA"],
];
const plain: Scene = { script: [{ commands: ["echo one"] }, { commands: ["ls no-such-file"] }, { text: "Done." }] };
const delegating = (call: (task: string) => ScriptCall): Scene => ({
  script: [
    { calls: ["ALPHA", "BETA"].map((name) => call(`Please look after ${name} of the work`)) },
    { commands: [BOTH_ARE_DONE] },
    { text: "Done." },
  ],
  others: Object.fromEntries(
    ["ALPHA", "BETA"].map((name) => [
      name,
      [{ commands: [`echo ${name}`] }, { commands: [`touch done-${name}`] }, { text: `${name} done.` }],
    ]),
  ),
});

/** The main agent may end before those it started; it waits until both were told what their first command printed. */
const BOTH_ARE_DONE =
  "while [ ! -e done-ALPHA ] || [ ! -e done-BETA ] && [ $((i=i+1)) -lt 300 ]; do sleep 0.1; done; echo main";

describe.skipIf(claude.program === undefined)(`Claude Code${title(claude)}`, () => {
  it("calls, arguments and results are those of its own transcript", async () => {
    const { trace, told, report } = await recordAgent(plain, inClaude);
    expect(trace.toolCalls.map(({ input }) => member(input, "command"))).toEqual(["echo one", "ls no-such-file"]);
    expect(callsOf([trace])).toEqual(callsOf(told));
    expect(trace.turns.map(({ text }) => text)).toEqual(["", "", "Done."]);
    expect(report).toMatchObject({ missing: [], runs: [{ toolCalls: 2, failedCalls: 0 }] });
  });

  it("sub-agents stand under the calls that started them", async () => {
    const agent = (prompt: string): ScriptCall => ({
      name: "Agent",
      input: { description: "x", prompt, subagent_type: "general-purpose" },
    });
    const { trace, told } = await recordAgent(delegating(agent), inClaude);
    expect(subAgents(trace)).toEqual(BOTH);
    expect(callsOf([trace])).toEqual(callsOf(told));
  });
});

describe.skipIf(codex.program === undefined)(`Codex${title(codex)}`, () => {
  it("calls, arguments and results are those of its own transcript; what was added to the command is shown", async () => {
    const { trace, told, report, stderr } = await recordAgent(plain, inCodex);
    expect(trace.toolCalls.map(({ status }) => status)).toEqual(["ok", "error"]);
    expect(callsOf([trace])).toEqual(callsOf(told));
    expect(stderr).toMatch(/^spoor record: added -c openai_base_url="http:\/\/127\.0\.0\.1:\d+\/t\/…\/openai\/v1"/);
    expect(report.doors.proxy).toMatchObject({ calls: 3, upgradesRefused: 1 });
    expect(report.missing).toEqual([]);
  });

  it("spawned agents stand under the calls that started them", async () => {
    const spawn = (message: string): ScriptCall => ({
      name: "spawn_agent",
      namespace: "multi_agent_v1",
      input: { message },
    });
    const { trace, told } = await recordAgent(delegating(spawn), inCodex);
    expect(callsOf([trace])).toEqual(callsOf(told));
    expect(subAgents(trace)).toEqual(BOTH);
  });
});
