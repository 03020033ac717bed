import { gunzipSync, gzipSync } from "node:zlib";
import type { Json } from "@spoor/core";
import { sql } from "kysely";
import { type AlertChange, writeAlerts } from "./alerts.ts";
import type { StoreEngine } from "./engine/engine.ts";
import { writeEvents } from "./events.ts";
import { inChunks, readJson, writeJson } from "./rows.ts";
import type { StoredRun } from "./run-shapes.ts";

/** What the cohort lens keeps of runs, and what was last said of each pair of releases. */
export interface Cohorts {
  /** The first runs of a release, in the order in which they arrived; replaced ones are not among them. */
  runs(projectId: number, releaseId: number, most: number): Promise<readonly CohortArrival[]>;
  /** What was kept of them under this version, as JSON, by number. */
  details(projectId: number, ids: readonly number[], version: number): Promise<ReadonlyMap<number, string>>;
  keepDetails(
    projectId: number,
    version: number,
    details: readonly { readonly id: number; readonly detail: string }[],
  ): Promise<void>;
  /** The pair that was looked at last comes first. */
  list(projectId: number, agent: string): Promise<readonly CohortLook[]>;
  /** Writes a look and its event together; false when this many looks have been written already, by whoever. */
  look(
    projectId: number,
    pair: { readonly agentId: number; readonly releaseId: number; readonly againstId: number },
    look: {
      readonly looks: number;
      readonly state: Json;
      readonly event: Json;
      readonly alerts: readonly AlertChange[];
      readonly at: number;
    },
  ): Promise<boolean>;
}

export type CohortArrival = Pick<StoredRun, "id" | "contentId" | "name" | "receivedAt">;

export interface CohortLook {
  readonly release: string;
  readonly against: string;
  /** How often it was looked at. */
  readonly looks: number;
  readonly lookedAt: number;
  readonly state: Json;
}

export function createCohorts(engine: StoreEngine): Cohorts {
  const { db } = engine;
  return {
    async runs(projectId, releaseId, most) {
      const rows = await db
        .selectFrom("runs")
        .select(["id", "content_id", "name", "received_at"])
        .where("project_id", "=", projectId)
        .where("release_id", "=", releaseId)
        .where("superseded_by", "is", null)
        .orderBy("id")
        .limit(most)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        contentId: row.content_id,
        name: row.name,
        receivedAt: row.received_at,
      }));
    },
    async details(projectId, ids, version) {
      const found = new Map<number, string>();
      await inChunks(
        ids.map((id) => ({ id })),
        async (chunk) => {
          const rows = await db
            .selectFrom("cohort_runs")
            .innerJoin("runs", "runs.id", "cohort_runs.run_id")
            .select(["cohort_runs.run_id", "cohort_runs.detail"])
            .where("runs.project_id", "=", projectId)
            .where("cohort_runs.version", "=", version)
            .where(
              "cohort_runs.run_id",
              "in",
              chunk.map(({ id }) => id),
            )
            .execute();
          for (const row of rows) found.set(row.run_id, gunzipSync(row.detail).toString("utf8"));
        },
      );
      return found;
    },
    async keepDetails(projectId, version, details) {
      if (details.length === 0) return;
      const packed = new Map(details.map(({ id, detail }) => [id, gzipSync(detail)]));
      await engine.transaction(async (tx) => {
        // A run that was deleted meanwhile leaves nothing behind.
        const runs = await tx
          .selectFrom("runs")
          .select("id")
          .where("project_id", "=", projectId)
          .where("id", "in", [...packed.keys()])
          .orderBy("id")
          .$if(engine.kind === "postgres", (query) => query.forShare())
          .execute();
        if (runs.length === 0) return;
        await tx
          .insertInto("cohort_runs")
          .values(runs.map(({ id }) => ({ run_id: id, version, detail: packed.get(id)! })))
          .onConflict((conflict) =>
            conflict.column("run_id").doUpdateSet({ version: sql`excluded.version`, detail: sql`excluded.detail` }),
          )
          .execute();
      });
    },
    async list(projectId, agent) {
      const rows = await db
        .selectFrom("cohorts")
        .innerJoin("agents", "agents.id", "cohorts.agent_id")
        .innerJoin("releases", "releases.id", "cohorts.release_id")
        .innerJoin("releases as others", "others.id", "cohorts.against_id")
        .select(["cohorts.looks", "cohorts.looked_at", "cohorts.state"])
        .select(["releases.name as release", "others.name as against"])
        .where("agents.project_id", "=", projectId)
        .where("agents.name", "=", agent)
        .orderBy("cohorts.looked_at", "desc")
        .orderBy("cohorts.release_id", "desc")
        .execute();
      return rows.map(({ release, against, looks, looked_at, state }) => ({
        release,
        against,
        looks,
        lookedAt: looked_at,
        state: readJson(state),
      }));
    },
    async look(projectId, { agentId, releaseId, againstId }, { looks, state, event, alerts, at }) {
      const row = {
        agent_id: agentId,
        release_id: releaseId,
        against_id: againstId,
        looks,
        looked_at: at,
        state: writeJson(state),
      };
      const isNew = await engine.transaction(async (tx) => {
        const written = await tx
          .insertInto("cohorts")
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(["agent_id", "release_id", "against_id"])
              .doUpdateSet({ looks, looked_at: at, state: row.state })
              .where("cohorts.looks", "<", looks),
          )
          .returning("looks")
          .executeTakeFirst();
        if (written === undefined) return false;
        await writeAlerts(tx, alerts, at);
        await writeEvents(engine, tx, [{ projectId, kind: "cohort", body: event, at }]);
        return true;
      });
      if (isNew) engine.bell.ring("events");
      return isNew;
    },
  };
}
