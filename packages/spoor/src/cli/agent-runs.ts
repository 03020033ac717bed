/** The runs that the project's configuration asks for, made and recorded: what `spoor gate --run` judges and `spoor record` keeps. */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { isGlob } from "@spoor/core/internal/text/glob";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import { diffAgainst } from "../config/config.ts";
import { configPaths } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { newestRuns, RECORDINGS } from "../config/recordings-folder.ts";
import { shellWord } from "../document/shell-word.ts";
import { openRecordingFolder } from "../record/recording-folder.ts";
import { findBase } from "../runs/find-base.ts";
import { type PlannedRun, planScenarioRuns } from "../runs/plan-scenario-runs.ts";
import { runName, runsFailed } from "../runs/run-errors.ts";
import { baseRunsOf, writeRunNote } from "../runs/run-note.ts";
import type { AgentSettings, RunEnd } from "../runs/run-scenario.ts";
import { type AgentSides, isRecorded, runScenarios } from "../runs/run-scenarios.ts";
import type { Scenario } from "../runs/scenario.ts";
import type { Io } from "./io.ts";
import { option, usageError } from "./option.ts";

export const agentRunOptions = {
  repeat: option.optionalInteger("how often each scenario is run (default: run.repeat of the configuration)", {
    min: 1,
    max: 1000,
  }),
  resume: option.flag("go on with the newest runs: make only those that did not happen"),
} as const;

export interface AgentRunArgs {
  readonly repeat: number | undefined;
  readonly resume: boolean;
  readonly quiet: boolean;
  /** A checkout whose agent is run beside this one. */
  readonly base?: string | undefined;
}

/** Folders of recordings. */
export interface MadeRuns {
  readonly folder: string;
  /** The base's, when both were run. */
  readonly base?: string;
}

/** `command` is what makes the runs, as it would be typed without what goes on after a failure. */
export async function makeRuns(loaded: LoadedConfig, args: AgentRunArgs, io: Io, command: string): Promise<MadeRuns> {
  const settings = requireRun(loaded);
  const stop = new AbortController();
  const { made, sides } = await openSides(loaded, args, io, stop.signal);
  const planned = planScenarioRuns(scenariosOf(settings), {
    repeat: args.repeat ?? settings.repeat,
    seed: loaded.config.seed,
    withBase: made.base !== undefined,
  });
  await writeRunNote(made.folder, planned, made.base === undefined ? undefined : basename(made.base));
  const again = `${againCommand(command, args)} --resume`;
  const progress = createProgress(planned, sides, args, io);
  const onSignal = () => stop.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const failed = await runScenarios(planned, sides, {
      workers: settings.workers,
      signal: stop.signal,
      onStart: () => undefined,
      onEnd: progress,
    });
    if (stop.signal.aborted) throw interrupted(again);
    if (failed.length > 0) throw runsFailed(failed, planned.length, again);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
  return made;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function interrupted(again: string): SpoorError {
  return new SpoorError("run.failed", "The runs were interrupted.", {
    consequence: "What was recorded is kept, and nothing was judged.",
    hint: `Go on with the others: ${again}`,
  });
}

function againCommand(command: string, { repeat, base }: AgentRunArgs): string {
  const words = [
    ...(repeat === undefined ? [] : ["--repeat", String(repeat)]),
    ...(base === undefined ? [] : ["--base", base]),
  ];
  return [command, ...words.map(shellWord)].join(" ");
}

async function openSides(
  loaded: LoadedConfig,
  args: AgentRunArgs,
  io: Io,
  signal: AbortSignal,
): Promise<{ readonly made: MadeRuns; readonly sides: AgentSides }> {
  const run = requireRun(loaded);
  const base = args.base === undefined ? undefined : await findBase(args.base, loaded, run, io.cwd);
  const common = { agent: loaded.config.agent, timeoutMs: run.timeoutSeconds * 1000, now: io.now, signal };
  const candidate: AgentSettings = {
    ...common,
    command: run.command,
    cwd: loaded.folder,
    env: { ...io.env, ...run.env },
  };
  const made = args.resume ? resumed(loaded, args) : await fresh(loaded, args, io);
  if (base === undefined || made.base === undefined)
    return { made, sides: { candidate: { folder: made.folder, settings: candidate } } };
  const baseline: AgentSettings = { ...common, ...base, env: { ...io.env, ...base.env } };
  const sides: AgentSides = {
    candidate: { folder: made.folder, settings: candidate },
    baseline: { folder: made.base, settings: baseline },
  };
  return { made, sides };
}

async function fresh(loaded: LoadedConfig, { base }: AgentRunArgs, io: Io): Promise<MadeRuns> {
  const open = async () => (await openRecordingFolder(undefined, { cwd: loaded.folder, now: io.now() })).path;
  return { folder: await open(), ...(base === undefined ? {} : { base: await open() }) };
}

function resumed(loaded: LoadedConfig, args: AgentRunArgs): MadeRuns {
  const newest = newestRuns(join(loaded.folder, RECORDINGS));
  if (newest === undefined) throw usageError("There are no runs to go on with.", "Leave --resume out to begin.");
  const base = baseRunsOf(newest);
  if (base === undefined && args.base !== undefined)
    throw usageError("The newest runs were made without --base.", "Leave --base or --resume out.");
  if (base !== undefined && args.base === undefined)
    throw usageError("The newest runs were made with --base.", "Name the base again, or leave --resume out.");
  return { folder: newest, ...(base === undefined ? {} : { base }) };
}

/** A line for each run that has ended. */
function createProgress(planned: readonly PlannedRun[], sides: AgentSides, { quiet }: AgentRunArgs, io: Io) {
  const total = planned.length;
  let done = planned.filter((run) => isRecorded(run, sides)).length;
  return (run: PlannedRun, { outcome, why }: RunEnd) => {
    done++;
    if (quiet || outcome === "cancelled") return;
    const what = outcome === "recorded" ? "recorded" : `did not happen: ${why}`;
    io.err(`${String(done).padStart(String(total).length)} of ${total}  ${runName(run)} ${what}\n`);
  };
}

export function requireRun(loaded: LoadedConfig): NonNullable<LoadedConfig["config"]["run"]> {
  const { run } = loaded.config;
  if (run !== undefined && Object.keys(run.scenarios).length > 0) return run;
  throw new SpoorError("run.no-scenarios", `${loaded.file} does not say how to run the agent.`, {
    at: { file: loaded.file, path: "run" },
    consequence: "Nothing was run.",
    hint: "Add run: with a command and scenarios; docs/ci.md has an example.",
  });
}

function scenariosOf({ scenarios }: NonNullable<LoadedConfig["config"]["run"]>): Scenario[] {
  return Object.entries(scenarios).map(([scenario, prompt]) => ({ scenario, prompt }));
}

/** The configuration with these runs as the ones to judge, and the base's, where there are any, as those to compare with. */
export function judging(loaded: LoadedConfig, { folder, base }: MadeRuns): LoadedConfig {
  const { config } = loaded;
  // Both sides ran side by side, so how long they took can be compared as well.
  const beside = { baseline: [base ?? folder], toldOnly: config.diff?.toldOnly ?? [] };
  const diff = base === undefined ? config.diff : { ...(config.diff ?? diffAgainst(base)), ...beside };
  return { ...loaded, config: { ...config, traces: [folder], ...(diff === undefined ? {} : { diff }) } };
}

/** Runs become the baseline's, scenario by scenario: what no longer is among the scenarios stays. */
export function keepAsBaseline(loaded: LoadedConfig, folder: string, io: Io): string {
  const target = baselineFolder(loaded, io);
  mkdirSync(join(io.cwd, target), { recursive: true });
  const files = readdirSync(folder).filter((name) => name.endsWith(".agentlog"));
  const scenarios = Object.keys(requireRun(loaded).scenarios).map(fileStem);
  for (const old of readdirSync(join(io.cwd, target))) {
    const scenario = /^(.+)\.run\d+(?:\..+)?\.agentlog$/.exec(old)?.[1];
    if (scenario !== undefined && scenarios.includes(scenario) && !files.includes(old))
      rmSync(join(io.cwd, target, old));
  }
  for (const file of files) renameSync(join(folder, file), join(io.cwd, target, file));
  rmSync(folder, { recursive: true, force: true });
  return target;
}

/** `diff.baseline`, where it is one folder. */
export function baselineFolder(loaded: LoadedConfig, io: Io): string {
  const [path, ...others] = configPaths(loaded, "diff.baseline", io.cwd);
  if (path !== undefined && others.length === 0 && !isGlob(path) && !basename(path).includes(".")) return path;
  throw new SpoorError("run.no-scenarios", `${loaded.file} names no folder for the baseline's runs.`, {
    at: { file: loaded.file, path: "diff.baseline" },
    consequence: "Nothing was run.",
    hint: "For example diff: { baseline: recordings }",
  });
}
