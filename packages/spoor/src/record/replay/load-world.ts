/** The recordings that a run is played in, read as every command reads traces, and how they are played. */
import { resolve } from "node:path";
import { buildCassette } from "@spoor/core/internal/cassette/build-cassette";
import type { CassetteOptions } from "@spoor/core/internal/cassette/cassette";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { present } from "@spoor/core/internal/trace/present";
import { environmentSecrets } from "@spoor/record/internal/node/environment-secrets";
import { noCassette } from "@spoor/record/internal/recorder/replay/load-cassette";
import { machineFolders } from "@spoor/record/internal/recorder/replay/open-replayer";
import type { ReplayOptions } from "@spoor/record/internal/recorder/replay/replay-options";
import { findFiles } from "../../load/find-files.ts";
import { loadTraces } from "../../load/load-traces.ts";
import type { ReplayWorld } from "./open-replay.ts";

export interface WorldOptions extends Pick<ReplayOptions, "model" | "tools" | "timing"> {
  readonly miss?: CassetteOptions["miss"];
  readonly allowEffects?: boolean | undefined;
  readonly mask?: readonly string[] | undefined;
  readonly toolRules?: CassetteOptions["tools"];
}

export interface WorldPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function loadReplayWorld(
  paths: readonly string[],
  options: WorldOptions,
  { cwd, env }: WorldPlace,
): Promise<ReplayWorld> {
  const whole = paths.map((path) => resolve(cwd, path));
  const traces = (await loadTraces(existing(whole, paths))).filter(
    ({ turns, toolCalls }) => turns.length + toolCalls.length > 0,
  );
  if (traces.length === 0) throw noCassette(paths, "there is no recording in it");
  const { miss, allowEffects, mask, toolRules } = options;
  const cassette = buildCassette(traces, {
    redaction: createRedaction({ known: environmentSecrets(env) }),
    folders: machineFolders(cwd),
    miss,
    allowEffects,
    mask,
    tools: toolRules,
  });
  return { cassette, traces, options: present({ ...options }) as ReplayWorld["options"] };
}

/** An empty folder and one that is not there have nothing to replay, and that is what has to be said. */
function existing(paths: readonly string[], shown: readonly string[]): readonly string[] {
  for (const [index, path] of paths.entries()) {
    try {
      findFiles(path);
    } catch (error) {
      throw noCassette([shown[index]!], (error as Error).message.replace(/\.$/, ""));
    }
  }
  return paths;
}
