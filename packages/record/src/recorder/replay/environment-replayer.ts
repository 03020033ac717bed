/**
 * The replayer of a process that `spoor replay` started: one for all recorders in it, whichever copy of this package they come from.
 * It tells the command, by a file beside the recording, which tools stand behind it and in the end what it served. Settings that
 * cannot be read end the program: it would go on without the recordings.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";
import { closeAtExit } from "../../node/close-at-exit.ts";
import { openReplayer } from "./open-replayer.ts";
import type { ReplayOptions } from "./replay-options.ts";
import type { Replayer, ReplayNotes } from "./replayer.ts";

/** Known to every copy of this package. */
const slot = Symbol.for("spoor.replayer");

/** A line of the file: a tool that stands behind the replay, or what there is to say in the end. */
export type ReplayLine = { readonly wraps: string } | { readonly notes: ReplayNotes };

export const REPLAY_VARIABLE = "SPOOR_REPLAY";

/** `env.SPOOR_REPLAY` names a file of settings; undefined without it. */
export function environmentReplayer(env: Readonly<Record<string, string | undefined>>): Replayer | undefined {
  const file = env[REPLAY_VARIABLE];
  if (!file) return undefined;
  const slots = globalThis as { [slot]?: Replayer };
  const known = slots[slot];
  if (known !== undefined) return known;
  const settings = JSON.parse(readFileSync(file, "utf8")) as ReplayOptions;
  const log = join(dirname(file), `replay.${process.pid}${isMainThread ? "" : `-${threadId}`}.jsonl`);
  const tell = (line: ReplayLine) => appendFileSync(log, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  const replayer = openReplayer(settings, {
    // Unless the command knows of a tool, an answer that asks for it is not handed on.
    onAnnounced: (name) => attempt(() => tell({ wraps: name })),
    problem: (error) => process.emitWarning(`The replay could not answer: ${String(error)}`, { type: "SpoorWarning" }),
  });
  Object.defineProperty(slots, slot, { value: replayer, configurable: true });
  closeAtExit(() => tell({ notes: replayer.notes(Date.now()) }));
  return replayer;
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // A full disk.
  }
}
