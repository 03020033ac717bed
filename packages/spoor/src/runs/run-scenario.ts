/**
 * One run of the agent, recorded. What it writes stands apart until the run has happened: an agent that could not be started, failed, or
 * never reached its model leaves nothing that a comparison could take for behaviour.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { shellWord } from "../document/shell-word.ts";
import { ProviderError } from "../evals/providers/provider.ts";
import { type ProcessResult, runProcess } from "../evals/run-process.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import { childEnvironment } from "../record/child/child-environment.ts";
import { isNodeProgram } from "../record/child/node-program.ts";
import { registerModule } from "../record/child/register-module.ts";
import { openDoors } from "../record/open-doors.ts";
import { openRecordingFolder } from "../record/recording-folder.ts";
import type { PlannedRun } from "./plan-scenario-runs.ts";

export interface AgentSettings {
  /** A text runs in the shell, a list of words without one; `{PROMPT}` is what the user says. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agent: string;
  readonly timeoutMs: number;
  readonly now: () => Date;
  /** Aborted when the whole is given up. */
  readonly signal: AbortSignal;
}

/** Why it did not happen; undefined when it did, and its recording stands in `folder`. */
export async function runScenario(
  planned: PlannedRun,
  folder: string,
  settings: AgentSettings,
): Promise<string | undefined> {
  const { scenario, run } = planned;
  const apart = join(folder, ".run", `${encodeURIComponent(scenario)}.${run}`);
  mkdirSync(apart, { recursive: true });
  try {
    const why = await record(planned, apart, settings);
    if (why !== undefined) return why;
    const files = recordings(apart);
    if (files.length === 0) return "nothing was recorded: no call of a model came by";
    if (!(await reachedModel(files.map((file) => join(apart, file))))) return "no call of its model was answered";
    for (const file of files) renameSync(join(apart, file), join(folder, file));
    return undefined;
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

async function record(planned: PlannedRun, apart: string, settings: AgentSettings): Promise<string | undefined> {
  const { scenario, run, prompt } = planned;
  const { cwd, env, now } = settings;
  const doors = await openDoors({
    cwd,
    env,
    folder: await openRecordingFolder(apart, { cwd, now: now() }),
    startedAt: now().toISOString(),
    agent: settings.agent,
    scenario,
    run,
    tags: {},
    content: "full",
    durable: "second",
    proxy: "auto",
    otlp: false,
    upstreams: [],
  });
  try {
    const register = isNodeProgram(programOf(settings.command), cwd, env["PATH"]) ? registerModule() : undefined;
    const end = await runProcess(commandFor(settings.command, prompt), {
      cwd,
      env: childEnvironment(env, { ...doors, register }),
      input: prompt,
      signal: AbortSignal.any([settings.signal, AbortSignal.timeout(settings.timeoutMs)]),
    });
    return whyEnded(end);
  } catch (error) {
    if (settings.signal.aborted) throw error;
    if (error instanceof DOMException) return `it took longer than ${settings.timeoutMs / 1000} seconds`;
    if (error instanceof ProviderError || error instanceof SpoorError) return error.message;
    throw error;
  } finally {
    await doors.close();
  }
}

function programOf(command: string | readonly string[]): string {
  return typeof command === "string" ? (command.trim().split(/\s+/)[0] ?? "") : (command[0] ?? "");
}

function commandFor(command: string | readonly string[], prompt: string): string | readonly string[] {
  if (typeof command === "string") return command.replaceAll("{PROMPT}", () => shellWord(prompt));
  return command.map((word) => word.replaceAll("{PROMPT}", () => prompt));
}

function whyEnded({ exitCode, signal, stderr }: ProcessResult): string | undefined {
  if (exitCode === 0) return undefined;
  const how = signal === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  // Stacks and versions follow what went wrong; the line that names an error says it.
  const said = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1);
  return said === undefined ? how : `${how}: ${said.slice(0, 200)}`;
}

function recordings(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".agentlog"));
}

async function reachedModel(files: readonly string[]): Promise<boolean> {
  for (const file of files) {
    const traces = await loadTraceFile(file);
    if (traces.some(({ turns }) => turns.length > 0)) return true;
  }
  return false;
}
