import { gunzipSync, gzipSync } from "node:zlib";
import { type Selectable, sql } from "kysely";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import { keepRuns } from "./kept-runs.ts";
import { given } from "./rows.ts";
import type { Tables } from "./schema.ts";

/** How many reports of one kind a project may have, and how many bytes of them as they are kept. */
export interface ReportLimits {
  readonly reports: number;
  readonly bytes: number;
}

/** Published reports (`spoor.gate/1` …) under the digest of what they were made of: the same question is answered once. */
export interface Reports {
  put(
    projectId: number,
    report: {
      readonly schema: string;
      readonly inputsHash: string;
      readonly gate?: string;
      readonly body: string;
      readonly at: number;
      /** The runs it speaks of: their bodies are kept. */
      readonly runs?: readonly number[];
    },
  ): Promise<number>;
  get(projectId: number, id: number): Promise<StoredReport | undefined>;
  find(projectId: number, schema: string, inputsHash: string): Promise<StoredReport | undefined>;
  /** Newest first, without their bodies. */
  page(
    projectId: number,
    schema: string | undefined,
    before: number | undefined,
    limit: number,
  ): Promise<readonly Omit<StoredReport, "body">[]>;
}

export interface StoredReport {
  readonly id: number;
  readonly schema: string;
  readonly inputsHash: string;
  readonly gate?: string;
  readonly body: string;
  readonly createdAt: number;
}

/**
 * Of one kind, in one project: whoever may ask for comparisons, or send reports, must not be able to fill the disk. Beyond either the oldest go, and what
 * they alone kept falls under retention.
 */
export const REPORT_LIMITS: ReportLimits = { reports: 2_000, bytes: 512 * 1024 * 1024 };

/** The first answer to a question stays as long as there is room: the same inputs give the same report, and links to it hold. */
export function createReports(engine: StoreEngine, limits: ReportLimits = REPORT_LIMITS): Reports {
  const { db } = engine;
  const reports = (projectId: number) => db.selectFrom("reports").selectAll().where("project_id", "=", projectId);
  return {
    async put(projectId, { schema, inputsHash, gate, body, at, runs = [] }) {
      return engine.transaction(async (tx) => {
        await tx
          .insertInto("reports")
          .values({
            project_id: projectId,
            schema,
            inputs_hash: inputsHash,
            gate: gate ?? null,
            body: gzipSync(body),
            created_at: at,
          })
          .onConflict((conflict) => conflict.columns(["project_id", "schema", "inputs_hash"]).doNothing())
          .execute();
        const { id } = await tx
          .selectFrom("reports")
          .select("id")
          .where("project_id", "=", projectId)
          .where("schema", "=", schema)
          .where("inputs_hash", "=", inputsHash)
          .executeTakeFirstOrThrow();
        await keepRuns(tx, projectId, "report", id, runs);
        await dropOldest(tx, projectId, schema, limits);
        return id;
      });
    },
    async get(projectId, id) {
      const row = await reports(projectId).where("id", "=", id).executeTakeFirst();
      return row && reportOf(row);
    },
    async find(projectId, schema, inputsHash) {
      const row = await reports(projectId)
        .where("schema", "=", schema)
        .where("inputs_hash", "=", inputsHash)
        .executeTakeFirst();
      return row && reportOf(row);
    },
    async page(projectId, schema, before, limit) {
      const rows = await db
        .selectFrom("reports")
        .select(["id", "schema", "inputs_hash", "gate", "created_at"])
        .where("project_id", "=", projectId)
        .$if(schema !== undefined, (query) => query.where("schema", "=", schema as string))
        .$if(before !== undefined, (query) => query.where("id", "<", before as number))
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => headOf(row));
    },
  };
}

/** The newest stays, however large it is. */
async function dropOldest(tx: Tx, projectId: number, schema: string, limits: ReportLimits): Promise<void> {
  const rows = await tx
    .selectFrom("reports")
    .select(["id", sql<number | string>`length(body)`.as("size")])
    .where("project_id", "=", projectId)
    .where("schema", "=", schema)
    .orderBy("id", "desc")
    .execute();
  let bytes = 0;
  const first = rows.findIndex(({ size }, place) => {
    bytes += Number(size);
    return place > 0 && (place >= limits.reports || bytes > limits.bytes);
  });
  if (first === -1) return;
  // In one order, so that two who make room do not wait for each other in a circle.
  for (const { id } of rows.slice(first).reverse()) {
    await tx.deleteFrom("reports").where("id", "=", id).execute();
    await tx.deleteFrom("kept_runs").where("by_kind", "=", "report").where("by_id", "=", id).execute();
  }
}

function reportOf(row: Selectable<Tables["reports"]>): StoredReport {
  return { ...headOf(row), body: gunzipSync(row.body).toString("utf8") };
}

function headOf(row: Omit<Selectable<Tables["reports"]>, "body" | "project_id">): Omit<StoredReport, "body"> {
  return {
    id: row.id,
    schema: row.schema,
    inputsHash: row.inputs_hash,
    ...given("gate", row.gate),
    createdAt: row.created_at,
  };
}
