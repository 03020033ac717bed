import { inflateRawSync } from "node:zlib";
import type { Json } from "@spoor/core";
import { sql } from "kysely";
import type { Statements, StoreEngine } from "./engine/engine.ts";
import { DAY_MS, given, HOUR_MS, readJson, writeJson } from "./rows.ts";

export interface Agents {
  list(projectId: number): Promise<readonly Agent[]>;
  releases(projectId: number, agent: string): Promise<readonly Release[]>;
  /** Says beforehand what a release is made of. */
  announce(projectId: number, agent: string, release: string, inputs: Json, at: number): Promise<void>;
  behaviours(projectId: number, agent: string): Promise<readonly Behaviour[]>;
  /** How often each path was taken on each day from `from` on, among the newest `most` runs of the agent. */
  behaviourDays(projectId: number, agent: string, from: number, most: number): Promise<readonly BehaviourDay[]>;
  rollups(projectId: number, agent: string, from: number, to: number): Promise<readonly Rollup[]>;
}

export interface Agent {
  readonly id: number;
  readonly name: string;
  readonly noun?: string;
  readonly runs: number;
  readonly lastReceivedAt?: number;
}

export interface Release {
  readonly id: number;
  readonly name: string;
  readonly firstSeenAt: number;
  readonly inputs?: Json;
  readonly runs: number;
}

export interface Behaviour {
  readonly id: number;
  readonly hashVersion: string;
  readonly mode: string;
  readonly hash: string;
  readonly path: readonly string[];
  readonly seen: number;
  readonly firstRunId: number;
  readonly lastSeenAt: number;
  readonly status: string;
}

export interface BehaviourDay {
  /** Of the behaviour. */
  readonly id: number;
  /** Days since 1970, of arrival. */
  readonly day: number;
  readonly runs: number;
}

/** Sums of the runs of a release that arrived in one hour. */
export interface Rollup {
  readonly release: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly runs: number;
  readonly known: number;
  readonly failed: number;
  readonly violations: number;
  readonly errors: number;
  readonly tokens: number;
  readonly costMicro: number;
  readonly durationMs: number;
}

export function createAgents(engine: StoreEngine): Agents {
  const { db } = engine;
  return {
    async list(projectId) {
      // The sums of rollups are exact, and the newest run of an agent is one look into an index: no run is counted.
      const rows = await db
        .selectFrom("agents")
        .select(["agents.id", "agents.name", "agents.noun"])
        .select([
          sql<number>`coalesce((select sum(rollups.runs) from rollups where rollups.agent_id = agents.id), 0)`.as(
            "runs",
          ),
          sql<
            number | null
          >`(select runs.received_at from runs where runs.project_id = agents.project_id and runs.agent_id = agents.id
            order by runs.id desc limit 1)`.as("last_received_at"),
        ])
        .where("agents.project_id", "=", projectId)
        .orderBy("agents.name")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        ...given("noun", row.noun),
        runs: Number(row.runs),
        ...given("lastReceivedAt", row.last_received_at),
      }));
    },
    async releases(projectId, agent) {
      const rows = await db
        .selectFrom("releases")
        .innerJoin("agents", "agents.id", "releases.agent_id")
        .select(["releases.id", "releases.name", "releases.first_seen_at", "releases.inputs"])
        .select(
          sql<number>`coalesce((select sum(rollups.runs) from rollups
            where rollups.agent_id = releases.agent_id and rollups.release_id = releases.id), 0)`.as("runs"),
        )
        .where("agents.project_id", "=", projectId)
        .where("agents.name", "=", agent)
        .orderBy("releases.first_seen_at", "desc")
        .orderBy("releases.id", "desc")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        firstSeenAt: row.first_seen_at,
        ...given("inputs", row.inputs === null ? undefined : readJson(row.inputs)),
        runs: Number(row.runs),
      }));
    },
    async announce(projectId, agent, release, inputs, at) {
      await engine.transaction(async (tx) => {
        const agentId = await ensureAgent(tx, projectId, agent);
        await tx
          .insertInto("releases")
          .values({ agent_id: agentId, name: release, first_seen_at: at, inputs: writeJson(inputs) })
          .onConflict((conflict) => conflict.columns(["agent_id", "name"]).doUpdateSet({ inputs: writeJson(inputs) }))
          .execute();
      });
    },
    async behaviours(projectId, agent) {
      const rows = await db
        .selectFrom("behaviours")
        .innerJoin("agents", "agents.id", "behaviours.agent_id")
        .selectAll("behaviours")
        .where("agents.project_id", "=", projectId)
        .where("agents.name", "=", agent)
        .where("behaviours.seen", ">", 0)
        .orderBy("behaviours.seen", "desc")
        .orderBy("behaviours.id")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        hashVersion: row.hash_version,
        mode: row.mode,
        hash: row.hash,
        path: readJson(inflateRawSync(row.path).toString()) as readonly string[],
        seen: row.seen,
        firstRunId: row.first_run_id,
        lastSeenAt: row.last_seen_at,
        status: row.status,
      }));
    },
    async behaviourDays(projectId, agent, from, most) {
      const agentId = await findAgent(db, projectId, agent);
      if (agentId === undefined) return [];
      // Bounded before it is summed: the index gives the newest, and no run behind them is looked at.
      const newest = db
        .selectFrom("runs")
        .select(["behaviour_id", "received_at"])
        .where("project_id", "=", projectId)
        .where("agent_id", "=", agentId)
        .where("superseded_by", "is", null)
        .orderBy("id", "desc")
        .limit(most);
      const day = sql<number>`newest.received_at / ${sql.lit(DAY_MS)}`;
      const rows = await db
        .selectFrom(newest.as("newest"))
        .select(["newest.behaviour_id", day.as("day")])
        .select(({ fn }) => fn.countAll<number>().as("runs"))
        .where("newest.received_at", ">=", from)
        .groupBy(["newest.behaviour_id", day])
        .orderBy("newest.behaviour_id")
        .orderBy(day)
        .execute();
      return rows.map((row) => ({ id: row.behaviour_id, day: Number(row.day), runs: Number(row.runs) }));
    },
    async rollups(projectId, agent, from, to) {
      const rows = await db
        .selectFrom("rollups")
        .innerJoin("agents", "agents.id", "rollups.agent_id")
        .leftJoin("releases", "releases.id", "rollups.release_id")
        .selectAll("rollups")
        .select("releases.name as release")
        .where("agents.project_id", "=", projectId)
        .where("agents.name", "=", agent)
        .where("rollups.hour", ">=", Math.floor(from / HOUR_MS))
        .where("rollups.hour", "<", Math.ceil(to / HOUR_MS))
        .where("rollups.runs", ">", 0)
        .orderBy("rollups.hour")
        .orderBy("rollups.release_id")
        .execute();
      return rows.map((row) => ({
        release: row.release ?? "",
        hour: row.hour,
        runs: row.runs,
        known: row.known,
        failed: row.failed,
        violations: row.violations,
        errors: row.errors,
        tokens: row.tokens,
        costMicro: row.cost_micro,
        durationMs: row.ms_sum,
      }));
    },
  };
}

/** The agent's number; made when a release or a baseline of it is spoken of before its first run. */
export async function ensureAgent(db: Statements, projectId: number, name: string): Promise<number> {
  const known = await findAgent(db, projectId, name);
  if (known !== undefined) return known;
  await db
    .insertInto("agents")
    .values({ project_id: projectId, name, noun: null })
    .onConflict((conflict) => conflict.columns(["project_id", "name"]).doNothing())
    .execute();
  const made = await findAgent(db, projectId, name);
  if (made === undefined) throw new Error(`The agent ${name} was not kept.`);
  return made;
}

export async function findAgent(db: Statements, projectId: number, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("agents")
    .select("id")
    .where("project_id", "=", projectId)
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.id;
}
