/**
 * What a command is about when nobody names it: the runs, the baseline's runs, rules and evaluators of the project's
 * configuration. A command that is given its inputs never looks for one.
 */

import { configPaths } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { CommonValues } from "./command.ts";
import type { Io } from "./io.ts";
import { usageError } from "./option.ts";

/** One command line reads its configuration once, however many of its inputs come from there. */
const known = new WeakMap<CommonValues, Promise<LoadedConfig | undefined>>();

/** The configuration that is named or found; undefined when there is none. */
export function findProject(args: CommonValues, io: Io): Promise<LoadedConfig | undefined> {
  const found = known.get(args) ?? readProject(args, io);
  known.set(args, found);
  return found;
}

/** Imported late: its schema outweighs a small diff. */
async function readProject(args: CommonValues, io: Io): Promise<LoadedConfig | undefined> {
  const { findConfig, loadConfig } = await import("../config/load-config.ts");
  const file = args.config ?? findConfig(io.cwd);
  return file === undefined ? undefined : loadConfig(file, io.cwd);
}

/** The runs to judge: as given, else those of the configuration. */
export async function tracesOf(given: readonly string[], command: string, args: CommonValues, io: Io) {
  if (given.length > 0) return given;
  return configPaths(await requireProject("TRACES", `${command} TRACES…`, args, io), "traces", io.cwd);
}

/** The runs that show the behaviour to keep: as given, else those of the configuration. */
export async function baselineRunsOf(given: readonly string[], command: string, args: CommonValues, io: Io) {
  if (given.length > 0) return given;
  return requireBaselineRuns(await requireProject("TRACES", `${command} TRACES…`, args, io), `${command} TRACES…`, io);
}

function requireBaselineRuns(loaded: LoadedConfig, usage: string, io: Io): readonly string[] {
  const paths = configPaths(loaded, "diff.baseline", io.cwd);
  if (paths.length > 0) return paths;
  throw usageError(
    `${loaded.file} names no runs that show the behaviour to keep.`,
    `Add diff.baseline to it, or name them: spoor ${usage}`,
  );
}

/** Both sides of a comparison: as given, a candidate alone against the configured baseline, or both from the configuration. */
export async function sidesOf(
  given: readonly string[],
  command: string,
  args: CommonValues,
  io: Io,
): Promise<{ readonly baseline: readonly string[]; readonly candidate: readonly string[] }> {
  if (given.length === 2) return { baseline: [given[0]!], candidate: [given[1]!] };
  if (given.length > 2) {
    throw usageError(
      `spoor ${command} needs two sets of runs, found ${given.length}.`,
      `spoor ${command} BASELINE CANDIDATE; put globs in quotes so that the shell does not spread them.`,
    );
  }
  const loaded = await requireProject(
    `two sets of runs, found ${given.length}`,
    `${command} BASELINE CANDIDATE`,
    args,
    io,
  );
  return {
    baseline: requireBaselineRuns(loaded, `${command} BASELINE CANDIDATE`, io),
    candidate: given.length === 1 ? given : configPaths(loaded, "traces", io.cwd),
  };
}

async function requireProject(what: string, usage: string, args: CommonValues, io: Io): Promise<LoadedConfig> {
  const loaded = await findProject(args, io);
  if (loaded !== undefined) return loaded;
  throw usageError(
    `spoor ${usage.replace(/ [A-Z].*/, "")} needs ${what}.`,
    `Usage: spoor ${usage}; in a project, spoor.config.yaml names them (spoor init writes one).`,
  );
}
