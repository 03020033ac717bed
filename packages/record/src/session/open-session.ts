/** The state of one session behind its steps: in this process, or in a store that other processes share. */

import { SpoorError } from "@spoor/core/internal/errors";
import type { MonitorOptions } from "@spoor/core/internal/policy/monitor-options";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { hasMethod } from "../intercept/tool-use.ts";
import type { Changed, SessionStore } from "../store/session-store.ts";
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
    updateNow(store, id, (found) => {
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

/**
 * A judgement is needed before the call runs, so a store answers at once. One that answers with a promise, or never makes the
 * change, has kept nothing that can be relied on: refused, and what it may do later changes nothing.
 */
function updateNow<T>(store: SessionStore, id: string, change: (saved: string | undefined) => Changed<T>): T {
  let isOver = false;
  let wasMade = false;
  try {
    const answer: unknown = store.update(id, (found) => {
      if (isOver) throw notAtOnce();
      const changed = change(found);
      wasMade = true;
      return changed;
    });
    if (wasMade && !hasMethod(answer, "then")) return answer as T;
    // What it comes to is of no use to anyone any more.
    void Promise.resolve(answer).catch(() => undefined);
    throw notAtOnce();
  } finally {
    isOver = true;
  }
}

function notAtOnce(): SpoorError {
  return new SpoorError("guard.store", "The session cannot be kept: the store does not answer at once.", {
    hint:
      "update(id, change) of a store calls change and returns its result, without a promise. For a store over a network, read the " +
      "session first and go on with guard.restore(id, text); save it with session.save().",
    consequence: "Nothing is let through.",
  });
}
