/** Runs that were made become the baseline's. */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { isGlob } from "@spoor/core/internal/text/glob";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import { configPaths } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { loadScenarios } from "../runs/load-scenarios.ts";
import type { Io } from "./io.ts";

/** Scenario by scenario: what no longer is among the scenarios stays. */
export function keepAsBaseline(loaded: LoadedConfig, folder: string, io: Io): string {
  const target = baselineFolder(loaded, io);
  makeFolderSync(join(io.cwd, target));
  const files = readdirSync(folder).filter((name) => name.endsWith(".agentlog"));
  const scenarios = loadScenarios(loaded, io.cwd).map(({ scenario }) => fileStem(scenario));
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
