/** A replayer over recordings on disk, for the process it is made in. */
import { homedir, tmpdir } from "node:os";
import { buildCassette } from "@spoor/core/internal/cassette/build-cassette";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { environmentSecrets } from "../../node/environment-secrets.ts";
import { loadCassetteTraces } from "./load-cassette.ts";
import type { ReplayOptions } from "./replay-options.ts";
import { createReplayer, type Replayer, type ReplayerSetting } from "./replayer.ts";

export function openReplayer(
  options: ReplayOptions,
  further: Pick<ReplayerSetting, "onAnnounced" | "problem"> = { problem: warn },
): Replayer {
  const { from, model, tools, toolRules, miss, allowEffects, mask, timing } = options;
  const cassette = buildCassette(loadCassetteTraces(from), {
    redaction: createRedaction({ known: environmentSecrets(process.env) }),
    folders: machineFolders(process.cwd()),
    mask,
    miss,
    tools: toolRules,
    allowEffects,
  });
  return createReplayer({ cassette, model, tools, toolRules, allowEffects, timing, ...further });
}

/** What is called otherwise on another machine. */
export function machineFolders(cwd: string) {
  return [
    { kind: "work", path: cwd },
    { kind: "home", path: homedir() },
    { kind: "temp", path: tmpdir() },
  ] as const;
}

function warn(error: unknown): void {
  process.emitWarning(`The replay could not answer: ${String(error)}`, { type: "SpoorWarning" });
}
