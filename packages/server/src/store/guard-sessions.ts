/**
 * What the guards of several processes remember of one session. One at a time takes it and keeps what came of it; a process that dies with a session in
 * its hand loses it after a while, and with it the right to keep anything: whoever has it then went on from what was kept before.
 */
import type { StoreEngine } from "./engine/engine.ts";
import { ranOut } from "./ran-out.ts";

/** What the guards of several processes remember of one session; one process at a time has it. */
export interface GuardSessions {
  /**
   * The saved text (undefined at first) for `forMs`, or "held" when somebody else has it. The same lock takes it again: for those who did not hear the
   * answer.
   */
  take(projectId: number, session: string, lock: string, now: number, forMs: number): Promise<TakenSession | "held">;
  /** Keeps the text, or forgets the session where there is none, and lets go of it. False when the lock is no longer the one that has it. */
  keep(projectId: number, session: string, lock: string, saved: string | undefined, now: number): Promise<boolean>;
  /** Lets go of it as it was. */
  release(projectId: number, session: string, lock: string): Promise<void>;
}

export interface TakenSession {
  readonly saved?: string;
}

const NOBODY = { lock_token: "", locked_until: 0 } as const;

export function createGuardSessions({ db }: StoreEngine): GuardSessions {
  return {
    async take(projectId, session, lock, now, forMs) {
      const locked = { lock_token: lock, locked_until: now + forMs, touched_at: now };
      const row = await db
        .insertInto("guard_sessions")
        .values({ project_id: projectId, session, saved: null, kept_by: "", ...locked })
        .onConflict((conflict) =>
          conflict
            .columns(["project_id", "session"])
            .doUpdateSet(locked)
            .where(({ eb, or }) =>
              or([ranOut("guard_sessions.locked_until", now, forMs), eb("guard_sessions.lock_token", "=", lock)]),
            ),
        )
        .returning("saved")
        .executeTakeFirst();
      if (row === undefined) return "held";
      return row.saved === null ? {} : { saved: Buffer.from(row.saved).toString("utf8") };
    },

    async keep(projectId, session, lock, saved, now) {
      if (saved === undefined)
        return (await forget(projectId, session, lock)) || (await found(projectId, session)) === undefined;
      const kept = await db
        .updateTable("guard_sessions")
        .set({ ...NOBODY, saved: Buffer.from(saved, "utf8"), kept_by: lock, touched_at: now })
        .where("project_id", "=", projectId)
        .where("session", "=", session)
        .where("lock_token", "=", lock)
        .returning("session")
        .execute();
      return kept.length > 0 || (await found(projectId, session))?.kept_by === lock;
    },

    async release(projectId, session, lock) {
      const row = await found(projectId, session);
      // What nobody has kept anything of is not there.
      if (row?.saved === null) await forget(projectId, session, lock);
      else
        await db
          .updateTable("guard_sessions")
          .set(NOBODY)
          .where("project_id", "=", projectId)
          .where("session", "=", session)
          .where("lock_token", "=", lock)
          .execute();
    },
  };

  async function forget(projectId: number, session: string, lock: string): Promise<boolean> {
    const gone = await db
      .deleteFrom("guard_sessions")
      .where("project_id", "=", projectId)
      .where("session", "=", session)
      .where("lock_token", "=", lock)
      .returning("session")
      .execute();
    return gone.length > 0;
  }

  function found(projectId: number, session: string) {
    return db
      .selectFrom("guard_sessions")
      .select(["saved", "kept_by"])
      .where("project_id", "=", projectId)
      .where("session", "=", session)
      .executeTakeFirst();
  }
}
