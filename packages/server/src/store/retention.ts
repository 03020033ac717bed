/**
 * What is older than its limit goes, in slices, so that writers are never held up for long; figures stay for ever. Bodies of runs that a baseline in
 * use or a report names stay. A month of bodies that nothing names is dropped whole where the engine can.
 */
import { sql } from "kysely";
import type { StoreEngine } from "./engine/engine.ts";
import { DAY_MS, groupBy, monthOf } from "./rows.ts";

export interface Retention {
  /** Removes what is older than its limit, in slices, and says what went. Runs that a baseline or a report names keep their bodies. */
  apply(limits: RetentionLimits, now: number): Promise<RetentionResult>;
}

export interface RetentionLimits {
  readonly bodiesMs: number;
  readonly rejectedMs: number;
  readonly eventsMs: number;
  /** Spans of closed traces; a day when not said. */
  readonly spansMs?: number;
  /** The file engine alone: oldest bodies go first when the file is larger. */
  readonly bytes?: number;
}

export interface RetentionResult {
  readonly bodies: number;
  readonly rejected: number;
  readonly events: number;
  /** Traces whose spans went. */
  readonly spans: number;
}

const SLICE = 1_000;

export function createRetention(engine: StoreEngine): Retention {
  return {
    async apply(limits, now) {
      const bodies = await dropBodies(engine, now - limits.bodiesMs);
      const rejected = await inSlices(() => dropRejected(engine, now - limits.rejectedMs));
      const events = await inSlices(() => dropEvents(engine, now - limits.eventsMs));
      const spans = await inSlices(() => dropSpans(engine, now - (limits.spansMs ?? DAY_MS)));
      await inSlices(() => dropDelivered(engine, now - DELIVERED_MS));
      await dropSessions(engine, now - SESSIONS_MS);
      const more = await dropToSize(engine, limits);
      return { bodies: bodies + more, rejected, events, spans };
    },
  };
}

/** What a guard remembers of a session that nobody has gone on with for so long. */
const SESSIONS_MS = 90 * DAY_MS;

async function dropSessions(engine: StoreEngine, before: number): Promise<void> {
  await engine.db.deleteFrom("guard_sessions").where("touched_at", "<", before).execute();
}

/** What was told; what was given up stays until its webhook goes. */
const DELIVERED_MS = 14 * DAY_MS;

async function dropBodies(engine: StoreEngine, before: number): Promise<number> {
  const months = await engine.bodyMonths();
  if (months === undefined) return dropPages(engine, undefined, before);
  let dropped = 0;
  for (const month of months.filter((one) => one <= monthOf(before))) {
    // The last of them is not over yet.
    dropped +=
      (month < monthOf(before) ? await dropWhole(engine, month) : undefined) ??
      (await dropPages(engine, month, before));
  }
  return dropped;
}

/** How many bodies went with a month that nothing names; undefined when it cannot go as a whole. */
async function dropWhole(engine: StoreEngine, month: number): Promise<number | undefined> {
  const { rows: named } = await sql`select 1 from kept_runs join runs on runs.id = kept_runs.run_id
    where runs.body_month = ${month} and ${isNamed} limit 1`.execute(engine.db);
  if (named.length > 0) return undefined;
  const { n } = await engine.db
    .selectFrom("bodies")
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .where("body_month", "=", month)
    .executeTakeFirstOrThrow();
  return (await engine.dropMonth(month)) ? n : undefined;
}

/** A report names it, or a baseline that is in use or may come into use. */
const isNamed = sql`exists (select 1 from kept_runs kept left join baselines on kept.by_kind = 'baseline' and baselines.id = kept.by_id
  where kept.run_id = runs.id and (kept.by_kind = 'report' or baselines.state in ('candidate', 'approved')))`;

/**
 * Bodies in the order of their runs, page after page, until a page has none that is old enough. Runs are numbered as they are evaluated, so that a page
 * of young ones has no old ones after it, but for what waited in the inbox for so long; the next time finds that.
 */
async function dropPages(engine: StoreEngine, month: number | undefined, before: number): Promise<number> {
  let dropped = 0;
  for (let cursor = 0; ; ) {
    const page = await pageOf(engine, month, cursor);
    const old = page.filter((row) => row.received_at < before);
    dropped += await dropRows(engine, old);
    if (page.length < SLICE || old.length === 0) return dropped;
    cursor = page.at(-1)?.run_id ?? cursor;
    await othersTurn();
  }
}

interface BodyKey {
  readonly body_month: number;
  readonly run_id: number;
  readonly received_at: number;
  readonly named: number;
}

async function pageOf(engine: StoreEngine, month: number | undefined, after: number): Promise<readonly BodyKey[]> {
  const { rows } = await sql<BodyKey>`
    select bodies.body_month, bodies.run_id, runs.received_at, case when ${isNamed} then 1 else 0 end as named
    from bodies join runs on runs.id = bodies.run_id
    where bodies.run_id > ${after} and ${month === undefined ? sql`1 = 1` : sql`bodies.body_month = ${month}`}
    order by bodies.run_id limit ${SLICE}`.execute(engine.db);
  return rows;
}

async function dropRows(engine: StoreEngine, rows: readonly BodyKey[]): Promise<number> {
  let dropped = 0;
  for (const [month, some] of groupBy(
    rows.filter(({ named }) => named === 0),
    (row) => row.body_month,
  )) {
    const ids = some.map(({ run_id }) => run_id);
    const gone = await engine.db
      .deleteFrom("bodies")
      .where("body_month", "=", month)
      .where("run_id", "in", ids)
      .returning("run_id")
      .execute();
    dropped += gone.length;
  }
  return dropped;
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

async function dropDelivered(engine: StoreEngine, before: number): Promise<number> {
  const { rows } = await sql`delete from outbox where id in (
      select old.id from outbox old where old.state = 'delivered' and old.done_at < ${before} order by old.id limit ${SLICE})
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
      .where(sql<boolean>`not exists (${youngerOfRun(before)})`)
      .returning(["project_id", "trace_id"])
      .execute();
    for (const { project_id, trace_id } of traces)
      for (const table of ["spans", "span_ties", "fragments"] as const)
        await tx.deleteFrom(table).where("project_id", "=", project_id).where("trace_id", "=", trace_id).execute();
    return traces.length;
  });
}

/** A run of joined traces is kept as long as one of them is young: written anew, it would be without those that went. */
function youngerOfRun(before: number) {
  return sql<number>`select 1 from fragments mine
    join fragments other on other.project_id = mine.project_id and other.home = mine.home
    join span_traces young on young.project_id = other.project_id and young.trace_id = other.trace_id
    where mine.project_id = span_traces.project_id and mine.trace_id = span_traces.trace_id
      and (young.closed_at = 0 or young.closed_at >= ${before})`;
}

/** The file engine alone: the oldest bodies go until the file is small enough, or nothing is left that may go. */
async function dropToSize(engine: StoreEngine, { bytes }: RetentionLimits): Promise<number> {
  let dropped = 0;
  for (let cursor = 0; ; ) {
    const size = await engine.shrink();
    if (size === undefined || bytes === undefined || size <= bytes) return dropped;
    const page = await pageOf(engine, undefined, cursor);
    if (page.length === 0) return dropped;
    dropped += await dropRows(engine, page);
    cursor = page.at(-1)?.run_id ?? cursor;
    await othersTurn();
  }
}

async function inSlices(drop: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const gone = await drop();
    if (gone === 0) return all;
    all += gone;
    await othersTurn();
  }
}

/** The embedded engine is synchronous: others have their turn between slices. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
