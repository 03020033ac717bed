import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { writeAlerts } from "./alerts.ts";
import type { StoreEngine } from "./engine/engine.ts";
import { writeEvents } from "./events.ts";
import { inChunks, readJson, writeJson } from "./rows.ts";
import type { Cohorts } from "./store.ts";

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
