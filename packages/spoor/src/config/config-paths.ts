/** Paths of a configuration, as the working folder sees them. Light to import: commands ask before they load a schema. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { LoadedConfig } from "./load-config.ts";
import { newestRuns, RECORDINGS } from "./recordings-folder.ts";

/** The runs that a configuration names; empty when it names none. */
export function configPaths(
  loaded: LoadedConfig,
  key: "traces" | "diff.baseline" | "replay.from",
  cwd: string,
): string[] {
  const named = { traces: tracesOf, "diff.baseline": baselineOf, "replay.from": replayOf };
  const paths = named[key](loaded);
  return paths === undefined ? [] : [paths].flat().map((path) => resolveConfigPath(loaded, path, cwd));
}

function baselineOf({ config }: LoadedConfig): string | readonly string[] | undefined {
  return config.diff?.baseline;
}

function replayOf({ config }: LoadedConfig): string | readonly string[] | undefined {
  return config.replay?.from;
}

/** As named, else the newest runs that were made by it. */
function tracesOf(loaded: LoadedConfig): string | readonly string[] {
  return loaded.config.traces ?? madeRuns(loaded) ?? RECORDINGS;
}

/** The folder of the newest runs that `spoor gate --run` or `spoor record` made. */
export function madeRuns({ folder }: LoadedConfig): string | undefined {
  return newestRuns(join(folder, RECORDINGS));
}

/** The eval files that `run.scenarios` names, which may be globs; empty when the scenarios stand in the configuration. */
export function scenarioFiles(loaded: LoadedConfig, cwd: string): string[] {
  const scenarios = loaded.config.run?.scenarios;
  if (typeof scenarios !== "string" && !Array.isArray(scenarios)) return [];
  return [scenarios].flat().map((path) => resolveConfigPath(loaded, path, cwd));
}

/** `server:AGENT@RELEASE`: runs that are with the shared service and not in a folder. */
export function isAtService(path: string): boolean {
  return path.startsWith("server:");
}

/** It may not leave the project unless it is absolute. */
export function resolveConfigPath(loaded: LoadedConfig, path: string, cwd: string): string {
  if (isAtService(path))
    throw new SpoorError("config.at-service", `${loaded.file}: ${path} is with the service, and this needs files.`, {
      at: { file: loaded.file },
      consequence: "Nothing was read or written.",
      hint: "spoor gate fetches it. What is meant becomes the baseline there: spoor push TRACES --release NAME",
    });
  const full = resolve(loaded.folder, path);
  if (!isAbsolute(path) && relative(loaded.folder, full).startsWith("..")) {
    throw new SpoorError("config.outside", `${loaded.file}: ${path} leads out of the project.`, {
      at: { file: loaded.file },
      hint: "Paths may not leave the folder of the configuration; use an absolute path if that is meant.",
    });
  }
  return relative(cwd, full) || ".";
}

/** A file that a configuration asks for is written inside of the project, also where a folder on the way is a link. */
export function configOutput(loaded: LoadedConfig, path: string, cwd: string): string {
  const full = resolve(loaded.folder, path);
  const root = realpathSync(loaded.folder);
  const way = relative(root, realPlace(full));
  if (way !== "" && !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`)) return resolve(cwd, full);
  throw new SpoorError("config.outside", `${loaded.file}: ${path} leads out of the project.`, {
    at: { file: loaded.file },
    hint: "A configuration comes with the pull request; to write elsewhere, name the file on the command line: -o FILE",
  });
}

/** Where a file is or would be, with the links that are there followed. */
function realPlace(path: string): string {
  const above = dirname(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || above === path) {
    try {
      return realpathSync(path);
    } catch {
      // A link to nothing would be followed when it is written.
      return resolve(above, readlinkSync(path));
    }
  }
  return join(realPlace(above), basename(path));
}
