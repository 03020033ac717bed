/**
 * What the guards of several processes remember of one session. One at a time takes it and keeps what came of it; a process that dies with a session in
 * its hand loses it after a while, and with it the right to keep anything: whoever has it then went on from what was kept before.
 */
import type { StoreEngine } from "./engine/engine.ts";
import type { GuardSessions } from "./store.ts";

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
              or([eb("guard_sessions.locked_until", "<=", now), eb("guard_sessions.lock_token", "=", lock)]),
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
