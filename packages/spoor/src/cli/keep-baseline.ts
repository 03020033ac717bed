/** Runs that were made become the baseline's. */
import { basename, join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { isGlob } from "@spoor/core/internal/text/glob";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import { configPaths } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { loadScenarios } from "../runs/load-scenarios.ts";
import type { Io } from "./io.ts";
import { keepRuns } from "./keep-runs.ts";

/** Scenario by scenario: what no longer is among the scenarios stays. */
export async function keepAsBaseline(loaded: LoadedConfig, made: string, io: Io): Promise<string> {
  const target = baselineFolder(loaded, io);
  const scenarios = loadScenarios(loaded, io.cwd).map(({ scenario }) => fileStem(scenario));
  await keepRuns(loaded, {
    made,
    target: join(io.cwd, target),
    isOutdated(name) {
      const scenario = /^(.+)\.run\d+(?:\..+)?\.agentlog$/.exec(name)?.[1];
      return scenario !== undefined && scenarios.includes(scenario);
    },
  });
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
