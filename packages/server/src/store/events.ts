import type { Json } from "@spoor/core";
import { type AlertChange, writeAlerts } from "./alerts.ts";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import { newestId } from "./newest-id.ts";
import { readJson, writeJson } from "./rows.ts";

/** What happened, in order: the live page and the webhooks read it from where they left off. Written with the thing itself. */
export interface Events {
  /** For what is not written with an evaluation: verdicts, cohorts. */
  add(
    projectId: number,
    kind: StoredEvent["kind"],
    body: Json,
    at: number,
    /** Who is to be told of it elsewhere, in the same transaction. */
    alerts?: readonly AlertChange[],
  ): Promise<void>;
  after(projectId: number, id: number, limit: number): Promise<readonly StoredEvent[]>;
  last(projectId: number): Promise<number>;
  /** The newest, newest first. */
  recent(projectId: number, limit: number): Promise<readonly StoredEvent[]>;
}

export interface StoredEvent {
  readonly id: number;
  readonly kind: "run" | "finding" | "verdict" | "cohort" | "review" | "reevaluation";
  readonly body: Json;
  readonly at: number;
}

export interface NewEvent {
  readonly projectId: number;
  readonly kind: StoredEvent["kind"];
  readonly body: Json;
  readonly at: number;
}

export function createEvents(engine: StoreEngine): Events {
  const { db } = engine;
  return {
    async add(projectId, kind, body, at, alerts = []) {
      await engine.transaction(async (tx) => {
        await writeAlerts(tx, alerts, at);
        await writeEvents(engine, tx, [{ projectId, kind, body, at }]);
      });
      engine.bell.ring("events");
    },
    async after(projectId, id, limit) {
      const rows = await db
        .selectFrom("events")
        .select(["id", "kind", "body", "at"])
        .where("project_id", "=", projectId)
        .where("id", ">", id)
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, body: readJson(row.body) }));
    },
    last: (projectId) => newestId(db, "events", projectId),
    async recent(projectId, limit) {
      const rows = await db
        .selectFrom("events")
        .select(["id", "kind", "body", "at"])
        .where("project_id", "=", projectId)
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, body: readJson(row.body) }));
    },
  };
}

/** The last thing a transaction writes: from here on it holds up other writers of events of these projects. */
export async function writeEvents(engine: StoreEngine, tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const projects = [...new Set(events.map(({ projectId }) => projectId))].sort((left, right) => left - right);
  for (const projectId of projects) await engine.orderEvents(tx, projectId);
  const rows = events.map(({ projectId, kind, body, at }) => ({
    project_id: projectId,
    kind,
    body: writeJson(body),
    at,
  }));
  await tx.insertInto("events").values(rows).execute();
}
