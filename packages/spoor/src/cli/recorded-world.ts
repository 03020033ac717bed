/** The world that runs of the configuration are played in, where `run.tools` says that tools come from recordings. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import { resolveConfigPath } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { loadReplayWorld } from "../record/replay/load-world.ts";
import type { ReplayWorld } from "../record/replay/open-replay.ts";
import type { Scenario } from "../runs/scenario.ts";
import type { Io } from "./io.ts";
import { keepRuns } from "./keep-runs.ts";

/** Recorded runs of each scenario: three answer noticeably more calls than one. */
export const CASSETTE_RUNS = 3;

export async function recordedWorld(loaded: LoadedConfig, io: Io): Promise<ReplayWorld> {
  const folder = cassetteFolder(loaded, io);
  const { replay } = loaded.config;
  if (!existsSync(join(io.cwd, folder)))
    throw new SpoorError("replay.no-cassette", `${folder} is not there, and run.tools says that tools come from it.`, {
      at: { file: loaded.file, path: "run.tools" },
      consequence: "Nothing was run.",
      hint: "Make it, and commit it: spoor record --baseline",
    });
  const options = {
    model: "live",
    tools: "recorded",
    miss: replay?.miss,
    mask: replay?.mask,
    toolRules: replay?.tools,
  } as const;
  return loadReplayWorld([folder], options, io);
}

export function cassetteFolder(loaded: LoadedConfig, io: Io): string {
  return resolveConfigPath(loaded, loaded.config.run!.cassettes, io.cwd);
}

/** Whether every scenario has its recordings. */
export function hasCassettes(loaded: LoadedConfig, scenarios: readonly Scenario[], io: Io): boolean {
  const folder = join(io.cwd, cassetteFolder(loaded, io));
  return scenarios.every(({ scenario }) =>
    Array.from({ length: CASSETTE_RUNS }, (_, index) =>
      existsSync(join(folder, `${fileStem(scenario)}.run${index + 1}.agentlog`)),
    ).every(Boolean),
  );
}

/** Live runs become the recordings of their scenarios; those of others stay. */
export function keepAsCassettes(made: string, loaded: LoadedConfig, io: Io): Promise<void> {
  return keepRuns(loaded, { made, target: join(io.cwd, cassetteFolder(loaded, io)), isOutdated: () => false });
}
