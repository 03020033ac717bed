import type { Json } from "@spoor/core";
import { type Selectable, sql } from "kysely";
import { writeLetters } from "./alerts.ts";
import type { StoreEngine } from "./engine/engine.ts";
import type { Delivery, Hook, HookEvent, HookFormat } from "./hook.ts";
import { ranOut } from "./ran-out.ts";
import { DAY_MS, given, readJson } from "./rows.ts";
import type { Tables } from "./schema.ts";

export interface Hooks {
  /** Its secret comes sealed. */
  add(projectId: number, hook: Omit<Hook, "id"> & { readonly secret: Uint8Array }): Promise<Hook>;
  list(projectId: number): Promise<readonly (Hook & { readonly waiting: number; readonly dead: number })[]>;
  /** With everything it was still to be told. */
  remove(projectId: number, id: number): Promise<boolean>;
  send(
    projectId: number,
    hookId: number,
    letter: { readonly key: string; readonly event: string; readonly body: Json },
    at: number,
  ): Promise<boolean>;
  /** Newest first. */
  deliveries(projectId: number, hookId: number, limit: number): Promise<readonly Delivery[]>;
  /** What is due and nobody else is about to send before `until`; each counts as tried. */
  claim(
    limit: number,
    now: number,
    until: number,
  ): Promise<readonly (Delivery & { readonly hook: Hook; readonly secret: Uint8Array })[]>;
  delivered(id: number, at: number): Promise<void>;
  /** Again at `nextAt`; without one it is given up. */
  failed(id: number, error: string, when: { readonly nextAt?: number; readonly at: number }): Promise<void>;
}

export function createHooks(engine: StoreEngine): Hooks {
  const { db } = engine;
  return {
    async add(projectId, { name, url, format, events, base, secret, createdAt }) {
      const row = { project_id: projectId, name, url, format, events: events.join(" "), base, secret };
      const { id } = await db
        .insertInto("hooks")
        .values({ ...row, created_at: createdAt })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { id, name, url, format, events, base, createdAt };
    },
    async list(projectId) {
      const rows = await db
        .selectFrom("hooks")
        .selectAll()
        .select([countOf("waiting").as("waiting"), countOf("dead").as("dead")])
        .where("project_id", "=", projectId)
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...hookOf(row), waiting: row.waiting, dead: row.dead }));
    },
    async remove(projectId, id) {
      return engine.transaction(async (tx) => {
        const gone = await tx
          .deleteFrom("hooks")
          .where("project_id", "=", projectId)
          .where("id", "=", id)
          .returning("id")
          .execute();
        if (gone.length === 0) return false;
        await tx.deleteFrom("outbox").where("hook_id", "=", id).execute();
        return true;
      });
    },
    async send(projectId, hookId, letter, at) {
      const isThere = await engine.transaction(async (tx) => {
        const hook = await tx
          .selectFrom("hooks")
          .select("id")
          .where("project_id", "=", projectId)
          .where("id", "=", hookId)
          .executeTakeFirst();
        if (hook === undefined) return false;
        await writeLetters(tx, [{ projectId, hookId, ...letter }], at);
        return true;
      });
      if (isThere) engine.bell.ring("events");
      return isThere;
    },
    async deliveries(projectId, hookId, limit) {
      const rows = await db
        .selectFrom("outbox")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("hook_id", "=", hookId)
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(deliveryOf);
    },
    async claim(limit, now, until) {
      const rows = await db
        .updateTable("outbox")
        .set({ claimed_until: until, attempts: sql`attempts + 1` })
        .where("id", "in", (query) =>
          query
            .selectFrom("outbox as due")
            .select("due.id")
            .where("due.state", "=", "waiting")
            .where(ranOut("due.next_at", now, DAY_MS))
            .where(ranOut("due.claimed_until", now, until - now))
            .orderBy("due.next_at")
            .limit(limit)
            .$if(engine.kind === "postgres", (due) => due.modifyEnd(sql`for update skip locked`)),
        )
        .returningAll()
        .execute();
      if (rows.length === 0) return [];
      const hooks = await db
        .selectFrom("hooks")
        .selectAll()
        .where("id", "in", [...new Set(rows.map(({ hook_id }) => hook_id))])
        .execute();
      const byId = new Map(hooks.map((hook) => [hook.id, hook]));
      return rows.flatMap((row) => {
        const hook = byId.get(row.hook_id);
        return hook === undefined ? [] : [{ ...deliveryOf(row), hook: hookOf(hook), secret: hook.secret }];
      });
    },
    async delivered(id, at) {
      await db
        .updateTable("outbox")
        .set({ state: "delivered", done_at: at, error: null })
        .where("id", "=", id)
        .where("state", "=", "waiting")
        .execute();
    },
    async failed(id, error, { nextAt, at }) {
      const changed =
        nextAt === undefined
          ? { state: "dead" as const, done_at: at, error }
          : { next_at: nextAt, claimed_until: 0, error };
      await db.updateTable("outbox").set(changed).where("id", "=", id).where("state", "=", "waiting").execute();
    },
  };
}

function countOf(state: string) {
  return sql<number>`(select count(*) from outbox where outbox.hook_id = hooks.id and outbox.state = ${state})`;
}

function hookOf(row: Selectable<Tables["hooks"]>): Hook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    format: row.format as HookFormat,
    events: row.events.split(" ") as HookEvent[],
    base: row.base,
    createdAt: row.created_at,
  };
}

function deliveryOf(row: Selectable<Tables["outbox"]>): Delivery {
  return {
    id: row.id,
    key: row.key,
    event: row.event,
    body: readJson(row.body),
    state: row.state,
    attempts: row.attempts,
    nextAt: row.next_at,
    createdAt: row.created_at,
    ...given("error", row.error),
    ...given("doneAt", row.done_at),
  };
}
