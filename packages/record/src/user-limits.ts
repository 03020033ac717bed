/**
 * What rules count over all sessions of a user: in this process, or in the store that other processes share. A session takes it
 * up before each step and puts it back after it, so that two sessions of one user obey one limit.
 */
import { contentId } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { Rate } from "@spoor/core/internal/policy/rate";
import { decodeState, encodeState } from "@spoor/core/internal/policy/state-codec";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import type { GuardOptions } from "./guard-options.ts";

export type SharedStates = ReadonlyMap<string, unknown>;

export interface UserLimits {
  /** Hands over what the user has used up, alone, and keeps what `work` returns as the new state. */
  step<T>(user: string, work: (states: SharedStates) => { readonly states: SharedStates; readonly result: T }): T;
}

const NONE: SharedStates = new Map();
/** Users of whom this process remembers what they used up. */
const MAX_USERS = 100_000;

/** Undefined where no rule counts over sessions. */
export function createUserLimits(policy: Policy, { store, now }: GuardOptions): UserLimits | undefined {
  const rules = policy.rules.filter(({ definition, params }) => definition.perUser?.(params));
  if (rules.length === 0) return undefined;
  if (store !== undefined) {
    // Under other limits people begin anew: what was counted for one says nothing about another.
    const limits = rules.map(({ id, kind, rawParams, explanation }) => ({ id, kind, params: rawParams, explanation }));
    return {
      step: (user, work) =>
        store.update(`spoor-user-${contentId({ user, limits })}`, (saved) => {
          const { states, result } = work(saved === undefined ? NONE : (decodeState(parseJson(saved)) as SharedStates));
          return { saved: stringifyJson(encodeState(states)), result };
        }),
    };
  }
  const windows = rules.map(
    ({ params }) => (params as { readonly per?: Rate }).per?.seconds ?? Number.POSITIVE_INFINITY,
  );
  return inMemory(Math.max(...windows) * 1000, now);
}

/** `longestMs`: after so long nothing that a user did counts any more. */
function inMemory(longestMs: number, now: GuardOptions["now"]): UserLimits {
  /** In the order of their last use. */
  const kept = new Map<string, { states: SharedStates; used: number }>();
  const makeRoom = (at: number) => {
    for (const [user, { used }] of kept) {
      if (kept.size < MAX_USERS) return;
      if (at - used <= longestMs) throw tooManyUsers();
      kept.delete(user);
    }
  };
  return {
    step(user, work) {
      const at = now?.().getTime() ?? 0;
      const known = kept.get(user);
      if (known === undefined) makeRoom(at);
      const { states, result } = work(known?.states ?? NONE);
      kept.delete(user);
      kept.set(user, { states, used: at });
      return result;
    },
  };
}

function tooManyUsers(): SpoorError {
  return new SpoorError(
    "guard.evicted",
    `More than ${MAX_USERS} users are counted, and none of them can be forgotten.`,
    {
      hint: "Give the guard a store, or limits with a time.",
      consequence: "Nothing is let through.",
    },
  );
}
