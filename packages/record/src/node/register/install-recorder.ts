/** Puts a recorder into the process: around the global `fetch`, and where frameworks tell about their tools. */

import { messageOf } from "@spoor/core/internal/errors";
import type { Fetch } from "../../recorder/fetch/wrap-fetch.ts";
import { listenToAiTelemetry } from "../../recorder/hooks/ai-telemetry.ts";
import type { Replayer } from "../../recorder/replay/replayer.ts";
import { closeAtExit } from "../close-at-exit.ts";
import type { Environment } from "./environment-options.ts";
import { findsFrameworks } from "./find-frameworks.ts";
import { createLazyRecorder, type LazyRecorder } from "./lazy-recorder.ts";
import { watchOtherClients } from "./watch-other-clients.ts";

/** Known to every copy of this package, and to the lines that are added to frameworks. */
const slot = Symbol.for("spoor.recorder");

type Slots = { [slot]?: LazyRecorder };

export async function installRecorder(env: Environment): Promise<void> {
  const slots = globalThis as Slots;
  if (env["SPOOR_DISABLED"] === "1" || slots[slot] !== undefined) return;
  const replayer = env["SPOOR_REPLAY"] ? await replayerOf(env) : undefined;
  const recorder = createLazyRecorder(env, replayer);
  if (replayer !== undefined) await recorder.ready();
  Object.defineProperty(slots, slot, { value: recorder, configurable: true });
  const others = watchOtherClients(recorder);
  const watched = recorder.watchFetch(globalThis.fetch, others.expect);
  const fetch = env["SPOOR_EXCHANGE"] ? await exchanging(watched, env["SPOOR_EXCHANGE"]) : watched;
  Object.defineProperty(globalThis, "fetch", { value: fetch, writable: true, configurable: true, enumerable: true });
  listenToAiTelemetry(recorder.tools);
  closeAtExit(recorder.close);
  if (replayer !== undefined || findsFrameworks(process.argv[1], process.cwd())) await watchFrameworks(recorder);
}

/** A program that was to run in a recorded world does not run without it. */
async function replayerOf(env: Environment): Promise<Replayer | undefined> {
  try {
    const { environmentReplayer } = await import("../../recorder/replay/environment-replayer.ts");
    return environmentReplayer(env);
  } catch (error) {
    process.stderr.write(`spoor replay: ${messageOf(error)}\n`);
    process.exit(2);
  }
}

/** Loaded only where inputs are exchanged. */
async function exchanging(fetch: Fetch, file: string): Promise<Fetch> {
  const { exchangeFetch, readExchange } = await import("./exchange-fetch.ts");
  return exchangeFetch(fetch, readExchange(file));
}

async function watchFrameworks(recorder: LazyRecorder): Promise<void> {
  try {
    const { hookFrameworks } = await import("./hook-frameworks.ts");
    hookFrameworks(recorder);
  } catch (error) {
    process.emitWarning(`Tools of frameworks are not recorded: ${String(error)}`, { type: "SpoorWarning" });
  }
}
