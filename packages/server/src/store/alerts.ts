/**
 * Alerts are quiet: one for each agent, release and rule (or verdict, or cohort) until it is cleared, then one that says so. Raised and cleared in the
 * transaction of what raises or clears them, with the letters to everybody who is to be told.
 */
import type { Json, JsonObject } from "@spoor/core";
import { sql } from "kysely";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import type { HookEvent } from "./hook.ts";
import { groupBy, inChunks, writeJson } from "./rows.ts";

/** Something that people are told of once, until it is over. */
export interface AlertChange {
  readonly projectId: number;
  readonly agentId: number;
  /** -1 for none. */
  readonly releaseId: number;
  readonly subject: string;
  readonly event: HookEvent;
  readonly state: "raised" | "cleared";
  /** What is told: never anything that a run said. */
  readonly facts: JsonObject;
}

export interface Alerts {
  /** Clears what rules raised where none of the newest runs of the release breaks the rule any more; how many. */
  clearQuiet(lookBack: number, at: number): Promise<number>;
}

/** As many of the newest runs as say what an agent does now. */
export const NEWEST_RUNS = 30;

export function createAlerts(engine: StoreEngine): Alerts {
  return {
    async clearQuiet(lookBack, at) {
      const raised = await engine.db
        .selectFrom("alerts")
        .innerJoin("agents", "agents.id", "alerts.agent_id")
        .leftJoin("releases", "releases.id", "alerts.release_id")
        .select(["alerts.agent_id", "alerts.release_id", "alerts.subject", "agents.project_id", "agents.name"])
        .select("releases.name as release")
        .where("alerts.raised", "=", 1)
        .where("alerts.subject", "like", "rule %")
        .orderBy("alerts.at")
        .limit(500)
        .execute();
      let cleared = 0;
      for (const { agent_id, release_id, subject, project_id, name, release } of raised) {
        const rule = subject.slice("rule ".length);
        const { rows } =
          await sql`select 1 from findings where findings.project_id = ${project_id} and findings.rule_id = ${rule}
          and findings.run_id in (select runs.id from runs where runs.project_id = ${project_id} and runs.agent_id = ${agent_id}
            and runs.release_id = ${release_id} and runs.superseded_by is null order by runs.id desc limit ${lookBack})
          limit 1`.execute(engine.db);
        if (rows.length > 0) continue;
        const of = release === null ? "" : `, release ${release}`;
        const sentence = `Rule ${rule} is no longer broken by the newest runs of ${name}${of}.`;
        const facts = { agent: name, ...(release === null ? {} : { release }), rule, sentence };
        const alert = { projectId: project_id, agentId: agent_id, releaseId: release_id, subject } as const;
        await engine.transaction((tx) =>
          writeAlerts(tx, [{ ...alert, event: "finding", state: "cleared", facts }], at),
        );
        cleared++;
      }
      if (cleared > 0) engine.bell.ring("events");
      return cleared;
    },
  };
}

/** A run with the rules that it breaks. */
export interface BrokenRules {
  readonly projectId: number;
  readonly agentId: number;
  /** -1 for none. */
  readonly releaseId: number;
  readonly agent: string;
  readonly release: string | undefined;
  readonly rules: readonly string[];
}

/** One for every rule that is broken in a release, however many runs do; without a word of any of them. */
export function alertsOfRules(runs: readonly BrokenRules[]): readonly AlertChange[] {
  const broken = runs.flatMap((run) => [...new Set(run.rules)].map((rule) => ({ run, rule })));
  const groups = groupBy(broken, ({ run, rule }) => JSON.stringify([run.agentId, run.releaseId, rule]));
  return [...groups.values()].map(([first, ...others]) => {
    const { run, rule } = first!;
    const { projectId, agentId, releaseId, agent, release } = run;
    const count = others.length + 1;
    const query = new URLSearchParams({ agent, ...(release === undefined ? {} : { release }), rule });
    const of = release === undefined ? agent : `${agent}, release ${release}`;
    return {
      projectId,
      agentId,
      releaseId,
      subject: `rule ${rule}`,
      event: "finding",
      state: "raised",
      facts: {
        agent,
        ...(release === undefined ? {} : { release }),
        rule,
        sentence: `Rule ${rule} is broken by ${count === 1 ? "a run" : `${count} runs`} of ${of}.`,
        path: `/api/v1/runs?${query}`,
      },
    };
  });
}

/** Only of projects that have somebody to tell. In sorted order, so that two writers never wait in a circle. */
export async function writeAlerts(tx: Tx, changes: readonly AlertChange[], at: number): Promise<void> {
  for (const [projectId, some] of groupBy(changes, (change) => change.projectId)) {
    const hooks = await tx.selectFrom("hooks").select(["id", "events"]).where("project_id", "=", projectId).execute();
    if (hooks.length === 0) continue;
    const letters: Letter[] = [];
    for (const change of some.toSorted(inOrder)) {
      const generation = await turned(tx, change, at);
      if (generation === undefined) continue;
      const { event, state, agentId, releaseId, subject, facts } = change;
      const told = hooks.filter(({ events }) => events.split(" ").includes(event));
      for (const { id } of told) {
        const key = `${id} ${event} ${agentId}:${releaseId}:${subject} ${generation} ${state}`;
        letters.push({ projectId, hookId: id, key, event, body: { event, state, ...facts, at } });
      }
    }
    await writeLetters(tx, letters, at);
  }
}

function inOrder(left: AlertChange, right: AlertChange): number {
  const { agentId, releaseId, subject } = left;
  return agentId - right.agentId || releaseId - right.releaseId || (subject < right.subject ? -1 : 1);
}

/** How often it was raised, when this is news. What is known already is asked without a lock: a rule that every run breaks holds up nobody. */
async function turned(
  tx: Tx,
  { agentId, releaseId, subject, state }: AlertChange,
  at: number,
): Promise<number | undefined> {
  const wanted = state === "raised" ? 1 : 0;
  const known = await tx
    .selectFrom("alerts")
    .select("raised")
    .where("agent_id", "=", agentId)
    .where("release_id", "=", releaseId)
    .where("subject", "=", subject)
    .executeTakeFirst();
  if (known?.raised === wanted || (known === undefined && wanted === 0)) return undefined;
  if (wanted === 0) {
    const row = await tx
      .updateTable("alerts")
      .set({ raised: 0, at })
      .where("agent_id", "=", agentId)
      .where("release_id", "=", releaseId)
      .where("subject", "=", subject)
      .where("raised", "=", 1)
      .returning("generation")
      .executeTakeFirst();
    return row?.generation;
  }
  const row = await tx
    .insertInto("alerts")
    .values({ agent_id: agentId, release_id: releaseId, subject, raised: 1, generation: 1, at })
    .onConflict((conflict) =>
      conflict
        .columns(["agent_id", "release_id", "subject"])
        .doUpdateSet({ raised: 1, at, generation: sql`alerts.generation + 1` })
        .where("alerts.raised", "=", 0),
    )
    .returning("generation")
    .executeTakeFirst();
  return row?.generation;
}

export interface Letter {
  readonly projectId: number;
  readonly hookId: number;
  /** The same whenever the same thing is told: who hears it twice knows it by this. */
  readonly key: string;
  readonly event: string;
  readonly body: Json;
}

export async function writeLetters(tx: Tx, letters: readonly Letter[], at: number): Promise<void> {
  await inChunks(
    letters.map(({ projectId, hookId, key, event, body }) => ({
      project_id: projectId,
      hook_id: hookId,
      key,
      event,
      body: writeJson(body),
      state: "waiting" as const,
      attempts: 0,
      next_at: at,
      claimed_until: 0,
      error: null,
      created_at: at,
      done_at: null,
    })),
    (chunk) =>
      tx
        .insertInto("outbox")
        .values(chunk)
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute(),
  );
}
