/**
 * The open sessions of a guard, the least recently used first out. What a dropped session had used up is forgotten with it, so
 * its id is not opened again: a limit that starts anew is no limit. With a store nothing is lost, and it is.
 */
import { contentId } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { GuardOptions } from "./guard-options.ts";
import type { GuardSession } from "./session/guard-session.ts";

export interface Sessions {
  open(id: string, create: () => GuardSession): GuardSession;
  has(id: string): boolean;
  forget(id: string): void;
  all(): readonly GuardSession[];
}

const DEFAULT_MAX = 10_000;
/** Ids of dropped sessions, as short digests; beyond so many the oldest are given up. */
const MAX_DROPPED = 200_000;
const DIGEST_LENGTH = 24;

export function createSessions({ sessions: limits = {}, now, store }: GuardOptions): Sessions {
  const { max = DEFAULT_MAX, idleMs, onDrop } = limits;
  if (idleMs !== undefined && now === undefined)
    throw new TypeError("createGuard: sessions.idleMs needs a clock, given as now.");
  if (!(max >= 1)) throw new TypeError(`createGuard: sessions.max must be at least 1; found ${max}.`);
  /** In the order of their last use. */
  const kept = new Map<string, { session: GuardSession; used: number }>();
  const dropped = new Set<string>();
  const time = () => (now === undefined ? 0 : now().getTime());

  function drop(id: string): void {
    const { session } = kept.get(id)!;
    kept.delete(id);
    if (store !== undefined) return;
    dropped.add(digestOf(id));
    if (dropped.size > MAX_DROPPED) dropped.delete(dropped.values().next().value!);
    const report = session.close();
    onDrop?.(id, report);
  }

  function makeRoom(at: number): void {
    for (const [id, { used }] of kept) {
      const isIdle = idleMs !== undefined && at - used > idleMs;
      if (!isIdle && kept.size < max) break;
      drop(id);
    }
  }

  return {
    open(id, create) {
      const at = time();
      const found = kept.get(id);
      const fresh = found !== undefined && (idleMs === undefined || at - found.used <= idleMs);
      if (fresh) {
        kept.delete(id);
        kept.set(id, { session: found.session, used: at });
        return found.session;
      }
      makeRoom(at);
      if (dropped.has(digestOf(id))) throw evicted(id);
      const session = create();
      kept.set(id, { session, used: at });
      return session;
    },
    has: (id) => kept.has(id),
    forget: (id) => kept.delete(id),
    all: () => [...kept.values()].map(({ session }) => session),
  };
}

function digestOf(id: string): string {
  return contentId({ session: id }).slice(-DIGEST_LENGTH);
}

function evicted(id: string): SpoorError {
  return new SpoorError(
    "guard.evicted",
    `The session "${id}" was dropped to make room, and what it had used up with it.`,
    {
      hint: "Give the guard a store, a larger sessions.max, or close sessions that have ended.",
      consequence: "Nothing is let through.",
    },
  );
}
