/** What a session remembers, and the same as JSON: the one thing that is saved, restored and shared between processes. */
import { sealText, unsealText } from "@spoor/core/internal/canonical/sealed-text";
import { SpoorError } from "@spoor/core/internal/errors";
import type { TurnEvent } from "@spoor/core/internal/policy/events";
import { createMonitor, type Monitor } from "@spoor/core/internal/policy/monitor";
import type { MonitorOptions } from "@spoor/core/internal/policy/monitor-options";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { decodeState, encodeState } from "@spoor/core/internal/policy/state-codec";
import { isObject, type Json, type JsonObject, member, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { AnnouncedCalls } from "./announced-calls.ts";
import { policyDigest } from "./policy-digest.ts";
import { RunningCalls } from "./running-calls.ts";

export interface SessionState {
  readonly monitor: Monitor;
  turnCount: number;
  callCount: number;
  /** Calls that came without an id are numbered. */
  unnamedCount: number;
  /** The session of the latest turn, and the numbers of those a `session_key` has named. */
  currentSession: number;
  sessionKeys: Map<string, number>;
  latestTurn: TurnEvent | undefined;
  announced: AnnouncedCalls;
  running: RunningCalls;
  closed: boolean;
}

export function freshState(policy: Policy, options: MonitorOptions): SessionState {
  return {
    monitor: createMonitor(policy, options),
    turnCount: 0,
    callCount: 0,
    unnamedCount: 0,
    currentSession: 0,
    sessionKeys: new Map(),
    latestTurn: undefined,
    announced: new AnnouncedCalls(),
    running: new RunningCalls(),
    closed: false,
  };
}

const VERSION = 1;

/** As text, so that a store need not know what is in it; sealed, so that one that was damaged forbids instead of forgetting. */
export function saveState(state: SessionState, policy: Policy): string {
  const { monitor, announced, running, ...rest } = state;
  return sealText(
    stringifyJson({
      spoorSession: VERSION,
      policy: policyDigest(policy),
      monitor: monitor.save(),
      announced: announced.save(),
      running: running.save(),
      rest: encodeState(rest),
    }),
  );
}

export function restoreState(text: string, policy: Policy, options: MonitorOptions): SessionState {
  const saved = parseSaved(text);
  if (member(saved, "policy") !== policyDigest(policy)) throw badState("it was saved under another policy");
  try {
    const { monitor, ...fresh } = freshState(policy, options);
    monitor.restore(saved["monitor"] as JsonObject);
    fresh.announced.restore(saved["announced"] as Json);
    fresh.running.restore(saved["running"] as Json);
    const rest = decodeState(saved["rest"]!) as Omit<SessionState, "monitor" | "announced" | "running">;
    return { monitor, ...fresh, ...rest };
  } catch (error) {
    throw badState("parts of it are missing", error);
  }
}

function parseSaved(text: string): JsonObject {
  let saved: Json;
  try {
    saved = parseJson(text);
  } catch (error) {
    throw badState("it is not JSON", error);
  }
  if (!isObject(saved) || member(saved, "spoorSession") !== VERSION)
    throw badState("it is none, or of another version");
  if (unsealText(text) === undefined) throw badState("it is not what was saved, but was changed or cut");
  return saved;
}

function badState(why: string, cause?: unknown): SpoorError {
  return new SpoorError("guard.state", `The saved session cannot be gone on with: ${why}.`, {
    hint: "Begin a new session under another id.",
    consequence: "Nothing is let through.",
    cause,
  });
}
