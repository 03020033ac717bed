/** The state of one session behind its steps: in this process, or in a store that other processes share. */

import type { MonitorOptions } from "@spoor/core/internal/policy/monitor-options";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { SessionStore } from "../store/session-store.ts";
import { freshState, restoreState, type SessionState, saveState } from "./session-state.ts";

export interface OpenState {
  step<T>(work: (state: SessionState) => T): T;
  save(): string;
}

export function openState(
  id: string,
  policy: Policy,
  options: MonitorOptions,
  saved: string | undefined,
  store: SessionStore | undefined,
): OpenState {
  const read = (text: string | undefined) =>
    text === undefined ? freshState(policy, options) : restoreState(text, policy, options);
  let state = read(saved);
  if (store === undefined) return { step: (work) => work(state), save: () => saveState(state, policy) };
  /** What this process wrote last: while it still stands there, the state at hand is the one it says. */
  let written: string | undefined;
  const step = <T>(work: (state: SessionState) => T): T =>
    store.update(id, (found) => {
      if (found === undefined ? written !== undefined : found !== written) state = read(found);
      // A step that throws has changed nothing that is kept: what stands in the store is read anew.
      written = FAILED;
      const result = work(state);
      written = state.closed ? undefined : saveState(state, policy);
      return { saved: written, result };
    });
  if (saved !== undefined) step(() => undefined);
  return { step, save: () => step((current) => saveState(current, policy)) };
}

const FAILED = "\u0000";
