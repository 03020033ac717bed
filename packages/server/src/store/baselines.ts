/**
 * Generations of an agent's baseline. The body of a row is the text of a baseline file, so that the command line and the service exchange files; what a
 * person decides is appended to `reviews` and never written over.
 */
import type { Json } from "@spoor/core";
import type { Selectable } from "kysely";
import { ensureAgent, findAgent } from "./agents.ts";
import type { Statements, StoreEngine, Tx } from "./engine/engine.ts";
import { writeEvents } from "./events.ts";
import { keepRuns } from "./kept-runs.ts";
import { given, readJson, writeJson } from "./rows.ts";
import type { Tables } from "./schema.ts";

/** Rows whose bodies are the baseline files of the command line. */
export interface Baselines {
  list(projectId: number, agent: string): Promise<readonly BaselineRow[]>;
  approved(projectId: number, agent: string): Promise<BaselineRow | undefined>;
  /** `runs` are those it was made of: their bodies are kept while it is a candidate or approved. */
  propose(
    projectId: number,
    agent: string,
    body: string,
    madeFrom: Json,
    at: number,
    runs?: readonly number[],
  ): Promise<BaselineRow>;
  /** `by` and `why` are a person's. Approving archives the generation approved before; going back is approving an old one again. */
  decide(
    projectId: number,
    agent: string,
    generation: number,
    decision: {
      readonly state: "approved" | "rejected";
      readonly by: string;
      readonly why: string;
      readonly at: number;
      /** Only while this generation is the approved one; otherwise nothing is decided. */
      readonly instead?: number;
    },
  ): Promise<BaselineRow | undefined>;
  /** What people decided, newest first. */
  reviews(projectId: number, agent: string): Promise<readonly Review[]>;
}

export interface Review {
  readonly id: number;
  readonly subject: string;
  readonly decision: string;
  readonly by: string;
  readonly why: string;
  readonly at: number;
}

export interface BaselineRow {
  readonly generation: number;
  readonly state: "candidate" | "approved" | "rejected" | "archived";
  readonly body: string;
  readonly madeFrom: Json;
  readonly by?: string;
  readonly why?: string;
  readonly at: number;
}

export function createBaselines(engine: StoreEngine): Baselines {
  const { db } = engine;
  return {
    async list(projectId, agent) {
      const agentId = await findAgent(db, projectId, agent);
      if (agentId === undefined) return [];
      const rows = await db
        .selectFrom("baselines")
        .selectAll()
        .where("agent_id", "=", agentId)
        .orderBy("generation", "desc")
        .execute();
      return rows.map(baselineOf);
    },
    async approved(projectId, agent) {
      const agentId = await findAgent(db, projectId, agent);
      const row = agentId === undefined ? undefined : await approvedRow(db, agentId);
      return row && baselineOf(row);
    },
    async propose(projectId, agent, body, madeFrom, at, runs = []) {
      return engine.transaction(async (tx) => {
        const agentId = await ensureAgent(tx, projectId, agent);
        await lockAgent(engine, tx, agentId);
        const { last } = await tx
          .selectFrom("baselines")
          .select(({ fn }) => fn.max<number | null>("generation").as("last"))
          .where("agent_id", "=", agentId)
          .executeTakeFirstOrThrow();
        const row = await tx
          .insertInto("baselines")
          .values({
            agent_id: agentId,
            generation: (last ?? 0) + 1,
            state: "candidate",
            body: Buffer.from(body),
            made_from: writeJson(madeFrom),
            by: null,
            why: null,
            at,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await keepRuns(tx, projectId, "baseline", row.id, runs);
        return baselineOf(row);
      });
    },
    async decide(projectId, agent, generation, { state, by, why, at, instead }) {
      const decided = await engine
        .transaction(async (tx) => {
          const agentId = await findAgent(tx, projectId, agent);
          if (agentId === undefined) return undefined;
          await lockAgent(engine, tx, agentId);
          if (instead !== undefined && (await approvedRow(tx, agentId))?.generation !== instead)
            throw new NoSuchGeneration();
          if (state === "approved") {
            await tx
              .updateTable("baselines")
              .set({ state: "archived" })
              .where("agent_id", "=", agentId)
              .where("state", "=", "approved")
              .where("generation", "!=", generation)
              .execute();
          }
          const row = await tx
            .updateTable("baselines")
            .set({ state, by, why, at })
            .where("agent_id", "=", agentId)
            .where("generation", "=", generation)
            .returningAll()
            .executeTakeFirst();
          // Nothing of it stands when there is no such generation: what was approved stays approved.
          if (row === undefined) throw new NoSuchGeneration();
          await tx
            .insertInto("reviews")
            .values({ agent_id: agentId, subject: `baseline/${generation}`, decision: state, by, why, at })
            .execute();
          await writeEvents(engine, tx, [
            { projectId, kind: "review", body: { agent, generation, decision: state }, at },
          ]);
          return baselineOf(row);
        })
        .catch((error: unknown) => {
          if (error instanceof NoSuchGeneration) return undefined;
          throw error;
        });
      if (decided !== undefined) engine.bell.ring("events");
      return decided;
    },
    async reviews(projectId, agent) {
      const agentId = await findAgent(db, projectId, agent);
      if (agentId === undefined) return [];
      return db
        .selectFrom("reviews")
        .select(["id", "subject", "decision", "by", "why", "at"])
        .where("agent_id", "=", agentId)
        .orderBy("id", "desc")
        .execute();
    },
  };
}

class NoSuchGeneration extends Error {}

/** Two people who decide at once decide one after the other. The embedded file's transactions do so anyway. */
async function lockAgent(engine: StoreEngine, tx: Tx, agentId: number): Promise<void> {
  if (engine.kind === "postgres")
    await tx.selectFrom("agents").select("id").where("id", "=", agentId).forUpdate().execute();
}

function approvedRow(db: Statements, agentId: number) {
  return db
    .selectFrom("baselines")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("state", "=", "approved")
    .executeTakeFirst();
}

function baselineOf(row: Selectable<Tables["baselines"]>): BaselineRow {
  return {
    generation: row.generation,
    state: row.state,
    body: Buffer.from(row.body).toString("utf8"),
    madeFrom: readJson(row.made_from),
    ...given("by", row.by),
    ...given("why", row.why),
    at: row.at,
  };
}
