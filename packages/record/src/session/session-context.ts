/** What every step of a session needs: who it is, what it judges by, what it remembers. */
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { Situation } from "@spoor/core/internal/policy/situation";
import type { Watchers } from "@spoor/core/internal/policy/watched-calls";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import type { GuardMode, GuardOptions } from "../guard-options.ts";
import type { SessionState } from "./session-state.ts";

export type Settings = GuardOptions & { readonly mode: GuardMode };

export interface SessionContext {
  readonly id: string;
  readonly policy: Policy;
  readonly settings: Settings;
  readonly situation: Situation;
  /** The rules that a tool matters to. */
  readonly watchers: (tool: string) => Watchers;
  /** Whether calls of a tool are seen when they start. */
  readonly isSeen: (tool: string) => boolean;
  /** Runs a step on the session's state, alone: with a store, on the state every other process sees. */
  step<T>(work: (state: SessionState) => T): T;
}

export function record({ settings, id }: SessionContext, entry: TraceRecord): void {
  try {
    settings.onRecord?.(entry, id);
  } catch (error) {
    settings.onError?.(error);
  }
}
