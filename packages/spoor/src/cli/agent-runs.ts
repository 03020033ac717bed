/** The runs that the project's configuration asks for, made and recorded: what `spoor gate --run` judges and `spoor record` keeps. */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { isGlob } from "@spoor/core/internal/text/glob";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import { configPaths } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { newestRuns, RECORDINGS } from "../config/recordings-folder.ts";
import { openRecordingFolder } from "../record/recording-folder.ts";
import { planScenarioRuns } from "../runs/plan-scenario-runs.ts";
import { runScenarios, runsFailed } from "../runs/run-scenarios.ts";
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
}

/** Makes the runs and returns the folder that holds them. `again` is the command that goes on after a failure. */
export async function makeRuns(loaded: LoadedConfig, args: AgentRunArgs, io: Io, again: string): Promise<string> {
  const settings = requireRun(loaded);
  const planned = planScenarioRuns(settings, args.repeat ?? settings.repeat);
  const folder = args.resume ? resumed(loaded) : await fresh(loaded, io);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    const failed = await runScenarios(planned, folder, {
      command: settings.command,
      cwd: loaded.folder,
      env: { ...io.env, ...settings.env },
      agent: loaded.config.agent,
      timeoutMs: settings.timeoutSeconds * 1000,
      workers: settings.workers,
      now: io.now,
      signal: stop.signal,
      onRun: (run, done, total, why) => {
        if (args.quiet) return;
        const what = why === undefined ? "recorded" : `did not happen: ${why}`;
        io.err(
          `${String(done).padStart(String(total).length)} of ${total}  ${run.scenario} (run ${run.run}) ${what}\n`,
        );
      },
    });
    if (failed.length > 0) throw runsFailed(failed, planned.length, `${again} --resume`);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new SpoorError("run.failed", "The runs were interrupted.", {
      consequence: "What was recorded is kept, and nothing was judged.",
      hint: `Go on with the others: ${again} --resume`,
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
  return folder;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export function requireRun(loaded: LoadedConfig): NonNullable<LoadedConfig["config"]["run"]> {
  const { run } = loaded.config;
  if (run !== undefined && Object.keys(run.scenarios).length > 0) return run;
  throw new SpoorError("run.no-scenarios", `${loaded.file} does not say how to run the agent.`, {
    at: { file: loaded.file, path: "run" },
    consequence: "Nothing was run.",
    hint: "Add run: with a command and scenarios; docs/ci.md has an example.",
  });
}

async function fresh(loaded: LoadedConfig, io: Io): Promise<string> {
  return (await openRecordingFolder(undefined, { cwd: loaded.folder, now: io.now() })).path;
}

function resumed(loaded: LoadedConfig): string {
  const newest = newestRuns(join(loaded.folder, RECORDINGS));
  if (newest !== undefined) return newest;
  throw usageError("There are no runs to go on with.", "Leave --resume out to begin.");
}

/** The configuration with the runs of a folder as the ones to judge. */
export function judging(loaded: LoadedConfig, folder: string): LoadedConfig {
  return { ...loaded, config: { ...loaded.config, traces: [folder] } };
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
