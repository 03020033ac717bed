/**
 * Runs are judged again when rules change: page after page from the newest on. A page moves the cursor and writes what came of it in ONE transaction,
 * and only if the cursor still stands where the page was read: done by several, or again after a crash, it has its effects once.
 */
import { type Selectable, sql } from "kysely";
import { alertsOfRules, type BrokenRules, NEWEST_RUNS, writeAlerts } from "./alerts.ts";
import { changeRollups, countedColumns } from "./counters.ts";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import { writeEvents } from "./events.ts";
import { distinctFindings, findingRow } from "./finding-rows.ts";
import { newestId } from "./newest-id.ts";
import type { JudgedAgain, Reevaluation } from "./reevaluation.ts";
import { given, inChunks, writeJson } from "./rows.ts";
import type { StoredRun } from "./run-shapes.ts";
import type { Tables } from "./schema.ts";

/** Runs judged again because rules changed: one at a time for each project, the newest rules count. */
export interface Reevaluations {
  current(projectId: number): Promise<Reevaluation | undefined>;
  /** From the newest run on, unless these rules are at work already. */
  begin(projectId: number, rules: string, at: number): Promise<void>;
  /** The next runs, newest first. */
  page(
    projectId: number,
    from: Pick<Reevaluation, "cursor" | "floor">,
    limit: number,
  ): Promise<readonly Pick<StoredRun, "id" | "name">[]>;
  /** What came of a page, in the transaction that moves the cursor; false when somebody else has moved it, or rules changed again. */
  write(
    projectId: number,
    page: {
      readonly rules: string;
      readonly cursor: number;
      readonly next: number;
      readonly judged: readonly JudgedAgain[];
      /** Runs whose recordings are gone: what was said of them stays. */
      readonly notKept: number;
      readonly at: number;
    },
  ): Promise<boolean>;
  /** Once more over what arrived since it began: some of that was judged by the rules before. */
  sweep(projectId: number, rules: string): Promise<void>;
  finish(projectId: number, rules: string, at: number): Promise<void>;
}

export function createReevaluations(engine: StoreEngine): Reevaluations {
  const { db } = engine;
  return {
    async current(projectId) {
      const row = await db
        .selectFrom("reevaluations")
        .selectAll()
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row && reevaluationOf(row);
    },
    async begin(projectId, rules, at) {
      await engine.transaction(async (tx) => {
        const top = await newestId(tx, "runs", projectId);
        const row = {
          project_id: projectId,
          rules,
          cursor_id: top + 1,
          floor_id: 0,
          top_id: top,
          swept: 0,
          done: 0,
          of_runs: await countRuns(tx, projectId),
          not_kept: 0,
          started_at: at,
          finished_at: null,
        };
        const { project_id: _, ...changed } = row;
        await tx
          .insertInto("reevaluations")
          .values(row)
          .onConflict((conflict) =>
            conflict.column("project_id").doUpdateSet(changed).where("reevaluations.rules", "<>", rules),
          )
          .execute();
      });
    },
    async page(projectId, { cursor, floor }, limit) {
      const rows = await db
        .selectFrom("runs")
        .select(["id", "name"])
        .where("project_id", "=", projectId)
        .where("superseded_by", "is", null)
        .where("id", "<", cursor)
        .where("id", ">", floor)
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ id: row.id, name: row.name }));
    },
    async write(projectId, { rules, cursor, next, judged, notKept, at }) {
      const isMine = await engine.transaction(async (tx) => {
        const moved = await tx
          .updateTable("reevaluations")
          .set({
            cursor_id: next,
            done: sql`done + ${judged.length + notKept}`,
            not_kept: sql`not_kept + ${notKept}`,
          })
          .where("project_id", "=", projectId)
          .where("rules", "=", rules)
          .where("cursor_id", "=", cursor)
          .returning(["done", "of_runs"])
          .executeTakeFirst();
        if (moved === undefined) return false;
        await replaceFindings(engine, tx, projectId, judged);
        await writeAlerts(tx, alertsOfRules(await newestBroken(tx, projectId, judged)), at);
        const body = { done: moved.done, of: moved.of_runs };
        await writeEvents(engine, tx, [{ projectId, kind: "reevaluation", body, at }]);
        return true;
      });
      if (isMine) engine.bell.ring("events");
      return isMine;
    },
    async sweep(projectId, rules) {
      await engine.transaction(async (tx) => {
        const top = await newestId(tx, "runs", projectId);
        await tx
          .updateTable("reevaluations")
          .set({ swept: 1, cursor_id: top + 1, floor_id: sql`top_id`, top_id: top })
          .where("project_id", "=", projectId)
          .where("rules", "=", rules)
          .where("swept", "=", 0)
          .execute();
      });
    },
    async finish(projectId, rules, at) {
      await db
        .updateTable("reevaluations")
        .set({ finished_at: at })
        .where("project_id", "=", projectId)
        .where("rules", "=", rules)
        .where("swept", "=", 1)
        .where("finished_at", "is", null)
        .execute();
    },
  };
}

/** From the sums, which are exact: no run is counted. */
async function countRuns(tx: Tx, projectId: number): Promise<number> {
  const { rows } = await sql<{ readonly n: number | string }>`select coalesce(sum(rollups.runs), 0) as n from rollups
    join agents on agents.id = rollups.agent_id where agents.project_id = ${projectId}`.execute(tx);
  return Number(rows[0]?.n ?? 0);
}

/** Old findings go when the new ones are there; what was deleted meanwhile stays deleted. */
async function replaceFindings(
  engine: StoreEngine,
  tx: Tx,
  projectId: number,
  judged: readonly JudgedAgain[],
): Promise<void> {
  if (judged.length === 0) return;
  const byId = new Map(judged.map((one) => [one.runId, one]));
  const rows = await tx
    .selectFrom("runs")
    .select([...countedColumns, "superseded_by"])
    .where("project_id", "=", projectId)
    .where("id", "in", [...byId.keys()])
    .orderBy("id")
    .$if(engine.kind === "postgres", (query) => query.forUpdate())
    .execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tx.deleteFrom("findings").where("run_id", "in", ids).execute();
  // What could not be judged at the time, because the rules of then could not be read.
  await tx
    .deleteFrom("stage_results")
    .where("run_id", "in", ids)
    .where("stage", "=", "policy")
    .where("config_hash", "=", "")
    .execute();
  const renewed = rows.map((row) => {
    const { status, findings } = byId.get(row.id)!;
    return { row: { ...row, status, findings: distinctFindings(findings).length }, findings };
  });
  await inChunks(
    renewed.flatMap(({ row, findings }) => distinctFindings(findings).map((one) => findingRow(projectId, row.id, one))),
    (chunk) => tx.insertInto("findings").values(chunk).execute(),
  );
  await inChunks(
    rows.flatMap(({ id }) => {
      const { stage } = byId.get(id)!;
      return stage === undefined
        ? []
        : [{ run_id: id, stage: stage.stage, config_hash: stage.configHash, result: writeJson(stage.result) }];
    }),
    (chunk) =>
      tx
        .insertInto("stage_results")
        .values(chunk)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  for (const { row } of renewed)
    await tx.updateTable("runs").set({ status: row.status, findings: row.findings }).where("id", "=", row.id).execute();
  // What was replaced is not counted anywhere.
  const counted = (some: typeof rows) => some.filter(({ superseded_by }) => superseded_by === null);
  await changeRollups(tx, counted(rows), -1);
  await changeRollups(tx, counted(renewed.map(({ row }) => row)), 1);
}

/**
 * What a new rule finds in the newest runs of an agent is told as if they had just come. Of older runs nobody is told: a rule that is put today would
 * raise an alert for every release there ever was, and most would be over at once.
 */
async function newestBroken(tx: Tx, projectId: number, judged: readonly JudgedAgain[]): Promise<BrokenRules[]> {
  const rules = new Map(judged.filter(({ findings }) => findings.length > 0).map((one) => [one.runId, one.findings]));
  if (rules.size === 0) return [];
  const { rows } = await sql<{
    readonly id: number;
    readonly agent_id: number;
    readonly release_id: number;
    readonly agent: string;
    readonly release: string | null;
  }>`select runs.id, runs.agent_id, runs.release_id, agents.name as agent, releases.name as release
    from runs join agents on agents.id = runs.agent_id left join releases on releases.id = runs.release_id
    where runs.project_id = ${projectId} and runs.superseded_by is null and runs.id in (${sql.join([...rules.keys()])})
    and (select count(*) from (select 1 from runs newer where newer.project_id = ${projectId} and newer.agent_id = runs.agent_id
      and newer.superseded_by is null and newer.id > runs.id limit ${NEWEST_RUNS}) as counted) < ${NEWEST_RUNS}`.execute(
    tx,
  );
  return rows.map(({ id, agent_id, release_id, agent, release }) => ({
    projectId,
    agentId: agent_id,
    releaseId: release_id,
    agent,
    release: release ?? undefined,
    rules: rules.get(id)!.map(({ ruleId }) => ruleId),
  }));
}

function reevaluationOf(row: Selectable<Tables["reevaluations"]>): Reevaluation {
  return {
    rules: row.rules,
    cursor: row.cursor_id,
    floor: row.floor_id,
    isSwept: row.swept === 1,
    done: row.done,
    of: row.of_runs,
    notKept: row.not_kept,
    startedAt: row.started_at,
    ...given("finishedAt", row.finished_at),
  };
}
