/**
 * What is older than its limit goes, in slices, so that writers are never held up for long; figures stay for ever. Bodies of runs that a baseline in
 * use or a report names stay. A month of bodies that nothing names is dropped whole where the engine can.
 */
import { sql } from "kysely";
import type { StoreEngine } from "./engine/engine.ts";
import { monthOf } from "./rows.ts";
import type { Retention, RetentionLimits } from "./store.ts";

const SLICE = 1_000;

export function createRetention(engine: StoreEngine): Retention {
  return {
    async apply(limits, now) {
      const bodies = await dropBodies(engine, now - limits.bodiesMs);
      const rejected = await inSlices(() => dropRejected(engine, now - limits.rejectedMs));
      const events = await inSlices(() => dropEvents(engine, now - limits.eventsMs));
      const spans = await inSlices(() => dropSpans(engine, now - (limits.spansMs ?? DAY_MS)));
      const more = await dropToSize(engine, limits);
      return { bodies: bodies + more, rejected, events, spans };
    },
  };
}

const DAY_MS = 24 * 3_600_000;

async function dropBodies(engine: StoreEngine, before: number): Promise<number> {
  let dropped = 0;
  const months = await engine.db
    .selectFrom("bodies")
    .select("body_month")
    .distinct()
    .where("body_month", "<=", monthOf(before))
    .orderBy("body_month")
    .execute();
  for (const { body_month: month } of months) {
    if (month < monthOf(before) && !(await isNamed(engine, month))) {
      const { n } = await engine.db
        .selectFrom("bodies")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .where("body_month", "=", month)
        .executeTakeFirstOrThrow();
      if (await engine.dropMonth(month)) {
        dropped += n;
        continue;
      }
    }
    dropped += await inSlices(() =>
      dropSlice(engine, sql`runs.received_at < ${before} and runs.body_month = ${month}`),
    );
  }
  return dropped;
}

/** What a report or a baseline in use names. */
const NAMED = sql`select kept_runs.run_id from kept_runs
  left join baselines on kept_runs.by_kind = 'baseline' and baselines.id = kept_runs.by_id
  where kept_runs.by_kind = 'report' or baselines.state in ('candidate', 'approved')`;

async function isNamed(engine: StoreEngine, month: number): Promise<boolean> {
  const { rows } = await sql`select 1 from runs where body_month = ${month} and id in (${NAMED}) limit 1`.execute(
    engine.db,
  );
  return rows.length > 0;
}

async function dropSlice(engine: StoreEngine, condition: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql`delete from bodies where (body_month, run_id) in (
      select bodies.body_month, bodies.run_id from bodies
      join runs on runs.id = bodies.run_id and runs.body_month = bodies.body_month
      where ${condition} and runs.id not in (${NAMED})
      order by bodies.run_id limit ${SLICE})
    returning run_id`.execute(engine.db);
  return rows.length;
}

/** Rejections take their content ids with them: the same bytes may be sent again, to a version that can read them. */
async function dropRejected(engine: StoreEngine, before: number): Promise<number> {
  return engine.transaction(async (tx) => {
    const gone = await tx
      .deleteFrom("rejected")
      .where("id", "in", (query) =>
        query
          .selectFrom("rejected as old")
          .select("old.id")
          .where("old.rejected_at", "<", before)
          .orderBy("old.id")
          .limit(SLICE),
      )
      .returning("id")
      .execute();
    if (gone.length > 0)
      await tx
        .deleteFrom("arrivals")
        .where(
          "id",
          "in",
          gone.map(({ id }) => id),
        )
        .execute();
    return gone.length;
  });
}

/** The last event of a project stays: whoever resumes from it still finds its place. */
async function dropEvents(engine: StoreEngine, before: number): Promise<number> {
  const { rows } = await sql`delete from events where id in (
      select old.id from events old where old.at < ${before}
      and old.id < (select max(newest.id) from events newest where newest.project_id = old.project_id)
      order by old.id limit ${SLICE})
    returning id`.execute(engine.db);
  return rows.length;
}

/** Spans of closed traces; open ones are closed before they grow old. */
async function dropSpans(engine: StoreEngine, before: number): Promise<number> {
  return engine.transaction(async (tx) => {
    const traces = await tx
      .deleteFrom("span_traces")
      .where("closed_at", ">", 0)
      .where("closed_at", "<", before)
      .returning(["project_id", "trace_id"])
      .execute();
    for (const { project_id, trace_id } of traces) {
      await tx.deleteFrom("spans").where("project_id", "=", project_id).where("trace_id", "=", trace_id).execute();
    }
    return traces.length;
  });
}

/** The file engine alone: the oldest bodies go until the file is small enough, or nothing is left that may go. */
async function dropToSize(engine: StoreEngine, { bytes }: RetentionLimits): Promise<number> {
  let dropped = 0;
  for (;;) {
    const size = await engine.shrink();
    if (size === undefined || bytes === undefined || size <= bytes) return dropped;
    const gone = await dropSlice(engine, sql`1 = 1`);
    if (gone === 0) return dropped;
    dropped += gone;
  }
}

async function inSlices(drop: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const gone = await drop();
    if (gone === 0) return all;
    all += gone;
    // The embedded engine is synchronous: others have their turn between slices.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
