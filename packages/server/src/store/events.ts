import type { Json } from "@spoor/core";
import { writeAlerts } from "./alerts.ts";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import { newestId } from "./newest-id.ts";
import { readJson, writeJson } from "./rows.ts";
import type { Events, StoredEvent } from "./store.ts";

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
