/**
 * One run of the agent, recorded. What it writes stands apart until the run has happened: an agent that could not be started, failed, or
 * never reached its model leaves nothing that a comparison could take for behaviour.
 */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { ProviderError } from "../evals/providers/provider.ts";
import { type ProcessResult, runProcess } from "../evals/run-process.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import { childEnvironment } from "../record/child/child-environment.ts";
import { isNodeProgram } from "../record/child/node-program.ts";
import { registerModule } from "../record/child/register-module.ts";
import { type Doors, openDoors } from "../record/open-doors.ts";
import { openRecordingFolder } from "../record/recording-folder.ts";
import type { ReplayNotesOfAll, ReplayWorld } from "../record/replay/open-replay.ts";
import type { PlannedRun } from "./plan-scenario-runs.ts";

export interface AgentSettings {
  /** A text runs in the shell, a list of words without one; `{PROMPT}` is what the user says. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agent: string;
  readonly timeoutMs: number;
  readonly now: () => Date;
  /** A file with inputs that its requests carry as another version of the agent has them. */
  readonly exchange?: string | undefined;
  /** Aborted when the whole is given up. */
  readonly signal: AbortSignal;
  /** Recordings that answer for its tools. */
  readonly replay?: ReplayWorld | undefined;
}

/** `recorded`: its recording stands in the folder. `failed`: it did not happen, and why. `cancelled`: it was given up. */
export interface RunEnd {
  readonly outcome: "recorded" | "failed" | "cancelled";
  readonly why?: string;
  /** What was seen of it, whatever its end: it was paid for all the same. */
  readonly traces: readonly Trace[];
}

export async function runScenario(planned: PlannedRun, folder: string, settings: AgentSettings): Promise<RunEnd> {
  const apart = join(folder, ".run", `${encodeURIComponent(planned.scenario)}.${planned.run}`);
  makeFolderSync(apart);
  try {
    const why = await record(planned, apart, settings);
    const files = readdirSync(apart).filter((name) => name.endsWith(".agentlog"));
    const traces = await seen(files.map((file) => join(apart, file)));
    if (settings.signal.aborted) return { outcome: "cancelled", traces };
    const missing = why ?? whyNothing(files, traces);
    if (missing !== undefined) return { outcome: "failed", why: missing, traces };
    for (const file of files) renameSync(join(apart, file), join(folder, file));
    return { outcome: "recorded", traces };
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

async function record(planned: PlannedRun, apart: string, settings: AgentSettings): Promise<string | undefined> {
  const { scenario, run } = planned;
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
    replay: settings.replay,
    exchange: settings.exchange,
  });
  const why = await play(planned, doors, settings).catch(async (error: unknown) => {
    await doors.close();
    throw error;
  });
  const { replay } = await doors.close();
  return whyNotPlayed(replay) ?? why;
}

/** Runs the agent with the doors open. */
async function play(planned: PlannedRun, doors: Doors, settings: AgentSettings): Promise<string | undefined> {
  const { cwd, env } = settings;
  const { prompt } = planned;
  try {
    const register = isNodeProgram(programOf(settings.command), cwd, env["PATH"]) ? registerModule() : undefined;
    const end = await runProcess(commandFor(settings.command, prompt), {
      cwd,
      env: { ...childEnvironment(env, { ...doors, register }), [SAID]: prompt },
      input: prompt,
      // What it prints is its own business: only its last words are told when it fails.
      keep: "end",
      signal: AbortSignal.any([settings.signal, AbortSignal.timeout(settings.timeoutMs)]),
    });
    return whyEnded(end);
  } catch (error) {
    if (error instanceof DOMException) return `it took longer than ${settings.timeoutMs / 1000} seconds`;
    if (error instanceof ProviderError || error instanceof SpoorError) return error.message;
    if (settings.signal.aborted) return undefined;
    throw error;
  }
}

/** What would have left the recorded world is no run in it. */
function whyNotPlayed(replay: ReplayNotesOfAll | undefined): string | undefined {
  const open = [...new Set(replay?.all.flatMap((notes) => notes.open) ?? [])];
  if (open.length > 0)
    return `${open.join(", ")} would have run for real: wrap the tools with wrapTools of @spoor/record/recorder, or say run.tools: live`;
  return replay?.all.some(({ stopped }) => stopped) ? "it asked for a tool result that no recording has" : undefined;
}

function programOf(command: string | readonly string[]): string {
  return typeof command === "string" ? (command.trim().split(/\s+/)[0] ?? "") : (command[0] ?? "");
}

/** In a shell what the user says is the value of a variable and never code, with or without quotes around its place. */
function commandFor(command: string | readonly string[], prompt: string): string | readonly string[] {
  if (typeof command === "string") return command.replace(/"\{PROMPT\}"|'\{PROMPT\}'|\{PROMPT\}/g, `"$\{${SAID}}"`);
  return command.map((word) => word.replaceAll("{PROMPT}", () => prompt));
}

const SAID = "SPOOR_PROMPT";

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

function whyNothing(files: readonly string[], traces: readonly Trace[]): string | undefined {
  if (files.length === 0) return "nothing was recorded: no call of a model came by";
  return traces.some(({ turns }) => turns.length > 0) ? undefined : "no call of its model was answered";
}

/** A run that was cut off may leave a file that cannot be read, or nothing in it: then nothing of it was seen. */
async function seen(files: readonly string[]): Promise<Trace[]> {
  const traces = files.map((file) =>
    loadTraceFile(file).catch((error: unknown) => {
      if (error instanceof SpoorError) return [];
      throw error;
    }),
  );
  return (await Promise.all(traces)).flat();
}
