import { type SelectQueryBuilder, sql } from "kysely";
import { findAgent } from "./agents.ts";
import { changeCounters, countedColumns } from "./counters.ts";
import type { Database, StoreEngine } from "./engine/engine.ts";
import { given, readJson } from "./rows.ts";
import type { Codec, Finding, RunFilter, StageResult, StoredRun } from "./run-shapes.ts";
import type { Tables } from "./schema.ts";
import { storedRunOf, storedRuns } from "./stored-runs.ts";

export interface Runs {
  get(projectId: number, id: number): Promise<StoredRun | undefined>;
  /** By the 32 hex digits people see: the run, or all runs of the arrival of that id. */
  named(projectId: number, name: string): Promise<readonly StoredRun[]>;
  /** Newest first, by key: `before` is the id of the last run of the page before. */
  page(projectId: number, filter: RunFilter, before: number | undefined, limit: number): Promise<readonly StoredRun[]>;
  /** Exact up to `most`; `most + 1` means more. */
  count(projectId: number, filter: RunFilter, most: number): Promise<number>;
  body(projectId: number, id: number): Promise<{ readonly codec: Codec; readonly bytes: Uint8Array } | undefined>;
  findings(projectId: number, id: number): Promise<readonly Finding[]>;
  tools(
    projectId: number,
    id: number,
  ): Promise<readonly { readonly name: string; readonly calls: number; readonly errors: number }[]>;
  stages(projectId: number, id: number): Promise<readonly StageResult[]>;
  /** Body, findings, tools and figures go; the content id stays, so that the same bytes do not come back. */
  remove(projectId: number, id: number, at: number): Promise<boolean>;
}

export function createRuns(engine: StoreEngine): Runs {
  const { db } = engine;
  return {
    async get(projectId, id) {
      const row = await storedRuns(db)
        .where("runs.project_id", "=", projectId)
        .where("runs.id", "=", id)
        .executeTakeFirst();
      return row && storedRunOf(row);
    },
    async named(projectId, name) {
      const range = rangeOf(name);
      if (range === undefined) return [];
      const [from, to] = range;
      const own = await storedRuns(db)
        .where("runs.project_id", "=", projectId)
        .where("runs.content_id", ">=", from)
        .where("runs.content_id", "<=", to)
        .orderBy("runs.id")
        .execute();
      if (own.length > 0) return own.map(storedRunOf);
      const together = await storedRuns(db)
        .where("runs.project_id", "=", projectId)
        .where("arrivals.project_id", "=", projectId)
        .where("arrivals.content_id", ">=", from)
        .where("arrivals.content_id", "<=", to)
        .orderBy("runs.id")
        .execute();
      return together.map(storedRunOf);
    },
    async page(projectId, filter, before, limit) {
      const ids = await idsOf(db, projectId, filter, before, limit);
      if (ids === undefined) return [];
      const rows = await storedRuns(db)
        .innerJoin(ids.as("page"), "page.id", "runs.id")
        .orderBy("runs.id", "desc")
        .execute();
      return rows.map(storedRunOf);
    },
    async count(projectId, filter, most) {
      const ids = await idsOf(db, projectId, filter, undefined, most + 1);
      if (ids === undefined) return 0;
      const row = await db
        .selectFrom(ids.as("some"))
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow();
      return row.n;
    },
    async body(projectId, id) {
      const row = await db
        .selectFrom("runs")
        .innerJoin("bodies", (join) =>
          join.onRef("bodies.run_id", "=", "runs.id").onRef("bodies.body_month", "=", "runs.body_month"),
        )
        .select(["bodies.codec", "bodies.body"])
        .where("runs.project_id", "=", projectId)
        .where("runs.id", "=", id)
        .executeTakeFirst();
      return row && { codec: row.codec, bytes: row.body };
    },
    async findings(projectId, id) {
      const rows = await db
        .selectFrom("findings")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("run_id", "=", id)
        .orderBy("id")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        runId: row.run_id,
        configHash: row.config_hash,
        ruleId: row.rule_id,
        kind: row.kind,
        severity: row.severity,
        code: row.code,
        subject: row.subject,
        ...given("turnIndex", row.turn_index === -1 ? undefined : row.turn_index),
        ...given("sessionIndex", row.session_index === -1 ? undefined : row.session_index),
        evidence: readJson(row.evidence),
      }));
    },
    async tools(projectId, id) {
      return db
        .selectFrom("run_tools")
        .innerJoin("tools", "tools.id", "run_tools.tool_id")
        .select(["tools.name", "run_tools.calls", "run_tools.errors"])
        .where("run_tools.project_id", "=", projectId)
        .where("run_tools.run_id", "=", id)
        .orderBy("run_tools.tool_id")
        .execute();
    },
    async stages(projectId, id) {
      const rows = await db
        .selectFrom("stage_results")
        .innerJoin("runs", "runs.id", "stage_results.run_id")
        .select(["stage", "config_hash", "result"])
        .where("runs.project_id", "=", projectId)
        .where("run_id", "=", id)
        .orderBy("stage")
        .orderBy("config_hash")
        .execute();
      return rows.map((row) => ({ stage: row.stage, configHash: row.config_hash, result: readJson(row.result) }));
    },
    remove: (projectId, id, at) => removeRun(engine, projectId, id, at),
  };
}

/** The first 32 hex digits of a content id, as the ids that begin with them. */
function rangeOf(name: string): readonly [Uint8Array, Uint8Array] | undefined {
  if (!/^[0-9a-f]{32,64}$/i.test(name) || name.length % 2 === 1) return undefined;
  return [Buffer.from(name, "hex"), Buffer.from(name.padEnd(64, "f"), "hex")];
}

/** The newest ids that a filter leaves; undefined when it names what the project does not have. */
async function idsOf(db: Database, projectId: number, filter: RunFilter, before: number | undefined, limit: number) {
  const agent = filter.agent === undefined ? undefined : ((await findAgent(db, projectId, filter.agent)) ?? null);
  const tool = filter.tool === undefined ? undefined : await toolId(db, projectId, filter.tool);
  if (agent === null || tool === null) return undefined;
  // From the tool's own rows where a tool is asked for: they are in the order of the page already.
  const base: SelectQueryBuilder<Tables, "runs", object> =
    tool === undefined
      ? db.selectFrom("runs")
      : db
          .selectFrom("run_tools")
          .innerJoin("runs", "runs.id", "run_tools.run_id")
          .where("run_tools.project_id", "=", projectId)
          .where("run_tools.tool_id", "=", tool)
          .$if(before !== undefined, (query) => query.where("run_tools.run_id", "<", before as number));
  let query = base
    .select("runs.id")
    .where("runs.project_id", "=", projectId)
    .orderBy(tool === undefined ? "runs.id" : sql`run_tools.run_id`, "desc")
    .limit(limit);
  if (before !== undefined) query = query.where("runs.id", "<", before);
  if (filter.superseded !== true) query = query.where("runs.superseded_by", "is", null);
  if (agent !== undefined) query = query.where("runs.agent_id", "=", agent);
  if (filter.behaviour !== undefined) query = query.where("runs.behaviour_id", "=", filter.behaviour);
  if (filter.status !== undefined) query = query.where("runs.status", "=", filter.status);
  if (filter.verdict !== undefined) query = query.where("runs.verdict", "=", filter.verdict);
  if (filter.model !== undefined) query = query.where("runs.model", "=", filter.model);
  if (filter.scenario !== undefined) query = query.where("runs.scenario", "=", filter.scenario);
  if (filter.from !== undefined) query = query.where("runs.received_at", ">=", filter.from);
  if (filter.to !== undefined) query = query.where("runs.received_at", "<", filter.to);
  if (filter.release !== undefined) {
    const releases = db
      .selectFrom("releases")
      .innerJoin("agents", "agents.id", "releases.agent_id")
      .select("releases.id")
      .where("agents.project_id", "=", projectId)
      .where("releases.name", "=", filter.release);
    query = query.where("runs.release_id", "in", releases);
  }
  if (filter.rule !== undefined) {
    const violating = db
      .selectFrom("findings")
      .select("findings.run_id")
      .where("findings.project_id", "=", projectId)
      .where("findings.rule_id", "=", filter.rule);
    query = query.where("runs.id", "in", violating);
  }
  if (filter.arrival !== undefined) {
    const arrivals = db
      .selectFrom("arrivals")
      .select("arrivals.id")
      .where("arrivals.project_id", "=", projectId)
      .where("arrivals.content_id", "=", filter.arrival);
    query = query.where("runs.arrival_id", "in", arrivals);
  }
  return query;
}

async function toolId(db: Database, projectId: number, name: string): Promise<number | null> {
  const row = await db
    .selectFrom("tools")
    .select("id")
    .where("project_id", "=", projectId)
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function removeRun(engine: StoreEngine, projectId: number, id: number, at: number): Promise<boolean> {
  return engine.transaction(async (tx) => {
    const removed = await tx
      .deleteFrom("runs")
      .where("project_id", "=", projectId)
      .where("id", "=", id)
      .returning([...countedColumns, "content_id", "body_month", "superseded_by"])
      .execute();
    const [run] = removed;
    if (run === undefined) return false;
    await tx
      .insertInto("tombstones")
      .values({ project_id: projectId, content_id: run.content_id, at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx.deleteFrom("bodies").where("body_month", "=", run.body_month).where("run_id", "=", id).execute();
    await tx.deleteFrom("findings").where("run_id", "=", id).execute();
    await tx.deleteFrom("run_tools").where("run_id", "=", id).execute();
    await tx.deleteFrom("stage_results").where("run_id", "=", id).execute();
    await tx.deleteFrom("cohort_runs").where("run_id", "=", id).execute();
    await tx.deleteFrom("kept_runs").where("run_id", "=", id).execute();
    // What was replaced is not counted any more.
    if (run.superseded_by === null) await changeCounters(tx, [run], -1);
    return true;
  });
}
