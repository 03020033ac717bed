/**
 * Recordings in place of the model, the tools, or both, for one process. Doors bring it what they see: the interceptor its tools, a
 * fetch or a proxy its calls of models. It fails closed: whatever it cannot answer does not happen, unless it was told that it may.
 */

import type { StatedSession } from "@spoor/core/internal/capture/seen";
import type { Cassette, CassetteSummary } from "@spoor/core/internal/cassette/cassette";
import type { SpoorError } from "@spoor/core/internal/errors";
import type { ReplayMark } from "@spoor/core/internal/trace/replay-marks";
import type { ToolUse } from "../../intercept/tool-use.ts";
import { decideModel, type ModelDecision, type ModelReplayDoor, type ModelRequest } from "./replay-model.ts";
import type { ReplayOptions, Source } from "./replay-options.ts";
import { ReplaySessions } from "./replay-sessions.ts";
import { replayedUse } from "./replay-tool.ts";

export interface Replayer {
  readonly model: Source;
  readonly tools: Source;
  /** A tool of this name is asked about here before it runs. */
  announce(name: string): void;
  /** The same use, which asks the recording instead of running. */
  standBefore(use: ToolUse, session: StatedSession | undefined): ToolUse;
  decide(request: ModelRequest): ModelDecision;
  /** Told of each result how it came about, before it is handed on. */
  onMark(listener: (use: ToolUse, mark: ReplayMark) => void): void;
  notes(nowMs: number): ReplayNotes;
}

/** What a replay has to say in the end. */
export interface ReplayNotes {
  readonly sessions: readonly CassetteSummary[];
  /** Tools whose calls were not handed on, because nothing stood before them. */
  readonly open: readonly string[];
  /** Tools that the provider ran by itself. */
  readonly provider: readonly string[];
  /** A miss ended the run. */
  readonly stopped: boolean;
}

export interface ReplayerSetting {
  readonly model?: Source | undefined;
  readonly tools?: Source | undefined;
  readonly toolRules?: ReplayOptions["toolRules"];
  readonly allowEffects?: boolean | undefined;
  readonly timing?: "none" | "recorded" | undefined;
  readonly cassette: Cassette;
  /** Names that are known elsewhere: other processes of the same run. */
  readonly announcedElsewhere?: (name: string) => boolean;
  readonly onAnnounced?: (name: string) => void;
  readonly problem: (error: unknown) => void;
}

export function createReplayer(setting: ReplayerSetting): Replayer {
  const { cassette, model = "live", tools = "recorded", toolRules = {}, allowEffects = false } = setting;
  const sessions = new ReplaySessions(cassette);
  const announced = new Set<string>();
  const open = new Set<string>();
  const provider = new Set<string>();
  const listeners: ((use: ToolUse, mark: ReplayMark) => void)[] = [];
  let stopped: SpoorError | undefined;
  const door: ModelReplayDoor = {
    model,
    tools,
    timing: setting.timing ?? "none",
    sessions,
    isCovered(name, session) {
      if (announced.has(name) || setting.announcedElsewhere?.(name) === true) return true;
      return toolRules[name]?.live === true && (allowEffects || !session.isEffect(name));
    },
    stopped: () => stopped,
    refused: new Map(),
    foundOpen: (names) => addAll(open, names),
    foundProvider: (names) => addAll(provider, names),
  };
  const mark = (use: ToolUse, how: ReplayMark) => {
    for (const listener of listeners) listener(use, how);
  };

  return {
    model,
    tools,
    announce(name) {
      if (announced.has(name)) return;
      announced.add(name);
      setting.onAnnounced?.(name);
    },
    standBefore(use, session) {
      if (tools === "live") return use;
      return replayedUse(use, {
        sessionOf: (callId) => sessions.ofTool(session, callId),
        mark,
        stopped: () => stopped,
        stop(error) {
          stopped ??= error;
        },
        problem: setting.problem,
      });
    },
    decide: (request) => decideModel(request, door),
    onMark: (listener) => void listeners.push(listener),
    notes: (nowMs) => ({
      sessions: sessions.summaries(nowMs),
      open: [...open],
      provider: [...provider],
      stopped: stopped !== undefined,
    }),
  };
}

function addAll(set: Set<string>, names: readonly string[]): void {
  for (const name of names) set.add(name);
}
