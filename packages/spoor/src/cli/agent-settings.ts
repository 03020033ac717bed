/** How the agent of the configuration is started, and the one of a base beside it. */
import { requireKnownRun } from "../config/known-run.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { findBase } from "../runs/find-base.ts";
import type { AgentSettings } from "../runs/run-scenario.ts";
import type { Io } from "./io.ts";

export interface AgentsOfSides {
  readonly candidate: AgentSettings;
  /** Of a checkout that was named. */
  readonly base?: AgentSettings;
}

export async function agentsOf(
  loaded: LoadedConfig,
  base: string | undefined,
  io: Io,
  { signal, replay }: Pick<AgentSettings, "signal" | "replay">,
): Promise<AgentsOfSides> {
  const run = loaded.config.run!;
  requireKnownRun(loaded);
  const found = base === undefined ? undefined : await findBase(base, loaded, run, io.cwd);
  const common = { agent: loaded.config.agent, timeoutMs: run.timeoutSeconds * 1000, now: io.now, signal, replay };
  return {
    candidate: { ...common, command: run.command, cwd: loaded.folder, env: { ...io.env, ...run.env } },
    ...(found === undefined ? {} : { base: { ...common, ...found, env: { ...io.env, ...found.env } } }),
  };
}
