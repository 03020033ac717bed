/**
 * Whether a store is whole: everything that is kept beside the runs to be quick (rollups, how often a behaviour was seen, tools) is worked out again from
 * the runs and compared, every body is unpacked, and what waits or was refused is counted. Reads alone, and all of it at one moment.
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type RawBuilder, sql } from "kysely";
import { countedRollups, type RollupRow, rollupSums } from "./counters.ts";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import { HOUR_MS } from "./rows.ts";

export interface StoreFinding {
  readonly status: "ok" | "warning" | "problem";
  readonly what: string;
  /** The first few of what is wrong. */
  readonly details?: readonly string[];
  readonly fix?: string;
}

/** What waits longer than this, evaluation is behind. */
const BEHIND_MS = 5 * 60_000;
const SHOWN = 5;
const BODIES_AT_ONCE = 200;

const REBUILD =
  "Figures are worked out again by spoor doctor --store URL --repair, while no service and no worker uses the store.";
const RESTORE = "Restore a backup; what is damaged cannot be worked out again.";

export async function examine(engine: StoreEngine, now: number): Promise<readonly StoreFinding[]> {
  const file = engine.kind === "libsql" ? await examineFile(engine) : [];
  return engine.transaction(async (tx) => {
    // One moment of a store at which others write. The file has one writer, and this is it.
    if (engine.kind === "postgres") await sql`set transaction isolation level repeatable read, read only`.execute(tx);
    return [
      ...file,
      ...(await examineRuns(tx)),
      await examineRollups(tx),
      await examineBehaviours(tx),
      await examineTools(tx),
      await examineBodies(tx),
      await examineInbox(tx, now),
      await examineRejected(tx),
    ];
  });
}

/** Figures that are kept beside the runs are worked out again; how many were wrong. */
export async function repairFigures(
  engine: StoreEngine,
): Promise<{ readonly rollups: number; readonly behaviours: number }> {
  return engine.transaction(async (tx) => {
    // Nobody may count meanwhile.
    if (engine.kind === "postgres")
      await sql`lock table runs, behaviours, rollups in share row exclusive mode`.execute(tx);
    const wrong = await wrongRollups(tx);
    for (const { kept, expected } of wrong) {
      const { agent_id, release_id, hour } = (expected ?? kept)!;
      await tx
        .deleteFrom("rollups")
        .where("agent_id", "=", agent_id)
        .where("release_id", "=", release_id)
        .where("hour", "=", hour)
        .execute();
      if (expected !== undefined) await tx.insertInto("rollups").values(expected).execute();
    }
    const behaviours = await wrongBehaviours(tx);
    for (const { id, counted, first } of behaviours)
      await tx.updateTable("behaviours").set({ seen: counted, first_run_id: first }).where("id", "=", id).execute();
    return { rollups: wrong.length, behaviours: behaviours.length };
  });
}

/** The database's own word about its pages. */
async function examineFile(engine: StoreEngine): Promise<readonly StoreFinding[]> {
  const { rows } = await sql<{ readonly quick_check: string }>`pragma quick_check(5)`.execute(engine.db);
  const wrong = rows.map((row) => row.quick_check).filter((text) => text !== "ok");
  if (wrong.length === 0) return [{ status: "ok", what: "the file is whole" }];
  return [{ status: "problem", what: "the file is damaged", details: wrong, fix: RESTORE }];
}

async function examineRuns(tx: Tx): Promise<readonly StoreFinding[]> {
  const runs = await numberOf(tx, sql`select count(*) as n from runs`);
  const strays = await numberOf(
    tx,
    sql`select count(*) as n from runs where not exists (select 1 from agents where agents.id = runs.agent_id)
      or not exists (select 1 from behaviours where behaviours.id = runs.behaviour_id)
      or not exists (select 1 from arrivals where arrivals.id = runs.arrival_id)`,
  );
  if (strays === 0)
    return [{ status: "ok", what: `${amount(runs, "run")}, each with its agent, behaviour and arrival` }];
  return [
    { status: "problem", what: `${strays} of ${amount(runs, "run")} belong to nothing that is there`, fix: RESTORE },
  ];
}

interface WrongRollup {
  readonly kept?: RollupRow | undefined;
  readonly expected?: RollupRow | undefined;
}

async function wrongRollups(tx: Tx): Promise<readonly WrongRollup[]> {
  const hour = sql.raw(`received_at / ${HOUR_MS}`);
  const { rows: worked } = await sql<RollupRow>`select agent_id, release_id, ${hour} as hour, ${countedRollups}
    from runs where superseded_by is null group by agent_id, release_id, ${hour}`.execute(tx);
  const kept = new Map((await tx.selectFrom("rollups").selectAll().execute()).map((row) => [rollupKey(row), row]));
  const wrong: WrongRollup[] = [];
  for (const expected of worked) {
    const key = rollupKey(expected);
    const row = kept.get(key);
    if (row === undefined || rollupSums.some((name) => row[name] !== expected[name]))
      wrong.push({ kept: row, expected });
    kept.delete(key);
  }
  // An hour whose runs were all deleted stays, with nothing in it.
  for (const row of kept.values()) if (rollupSums.some((name) => row[name] !== 0)) wrong.push({ kept: row });
  return wrong;
}

async function examineRollups(tx: Tx): Promise<StoreFinding> {
  const wrong = await wrongRollups(tx);
  if (wrong.length === 0) return { status: "ok", what: "rollups are what the runs add up to" };
  return {
    status: "problem",
    what: `${amount(wrong.length, "rollup")} of an hour ${wrong.length === 1 ? "is" : "are"} not what the runs add up to`,
    details: wrong.slice(0, SHOWN).map(({ kept, expected }) => {
      const { agent_id, release_id, hour } = (expected ?? kept)!;
      const differing = rollupSums.filter((name) => (kept?.[name] ?? 0) !== (expected?.[name] ?? 0));
      const said = differing.map((name) => `${name} ${kept?.[name] ?? 0} instead of ${expected?.[name] ?? 0}`);
      return `agent ${agent_id}, release ${release_id}, ${new Date(hour * HOUR_MS).toISOString()}: ${said.join(", ")}`;
    }),
    fix: REBUILD,
  };
}

function rollupKey({ agent_id, release_id, hour }: RollupRow): string {
  return `${agent_id}/${release_id}/${hour}`;
}

interface WrongBehaviour {
  readonly id: number;
  readonly seen: number;
  readonly counted: number;
  readonly first: number;
}

async function wrongBehaviours(tx: Tx): Promise<readonly WrongBehaviour[]> {
  const { rows } = await sql<WrongBehaviour>`select behaviours.id, behaviours.seen, coalesce(counts.n, 0) as counted,
      coalesce(counts.first, 0) as first
    from behaviours left join (select behaviour_id, count(*) as n, min(id) as first from runs
      where superseded_by is null group by behaviour_id) counts on counts.behaviour_id = behaviours.id
    where behaviours.seen <> coalesce(counts.n, 0) or behaviours.first_run_id <> coalesce(counts.first, 0)
    order by behaviours.id`.execute(tx);
  return rows;
}

async function examineBehaviours(tx: Tx): Promise<StoreFinding> {
  const wrong = await wrongBehaviours(tx);
  if (wrong.length === 0) return { status: "ok", what: "behaviours were seen as often as there are runs of them" };
  return {
    status: "problem",
    what: `${amount(wrong.length, "behaviour")} ${wrong.length === 1 ? "is" : "are"} counted wrongly`,
    details: wrong
      .slice(0, SHOWN)
      .map(({ id, seen, counted }) => `behaviour ${id}: seen ${seen} instead of ${counted}`),
    fix: REBUILD,
  };
}

async function examineTools(tx: Tx): Promise<StoreFinding> {
  const { rows } = await sql<{ readonly id: number; readonly said: number; readonly calls: number }>`
    select runs.id, runs.calls as said, coalesce(sums.calls, 0) as calls
    from runs left join (select run_id, sum(calls) as calls, sum(errors) as errors from run_tools group by run_id) sums
      on sums.run_id = runs.id
    where runs.calls <> coalesce(sums.calls, 0) or runs.errors <> coalesce(sums.errors, 0)
    order by runs.id limit 1001`.execute(tx);
  const strays = await numberOf(
    tx,
    sql`select count(*) as n from run_tools where not exists (select 1 from runs where runs.id = run_tools.run_id)`,
  );
  if (rows.length === 0 && strays === 0) return { status: "ok", what: "tools of runs add up to their calls" };
  const many = rows.length > 1000 ? "more than 1,000 runs" : amount(rows.length, "run");
  return {
    status: "problem",
    what:
      rows.length === 0
        ? `${amount(strays, "row")} of tools belong to no run`
        : `the tools of ${many} do not add up to their calls`,
    details: rows
      .slice(0, SHOWN)
      .map(({ id, said, calls }) => `run ${id}: ${calls} calls of tools, ${said} in the run`),
    fix: RESTORE,
  };
}

/** Slice by slice, in the order of the key: no more than a few are held. */
async function examineBodies(tx: Tx): Promise<StoreFinding> {
  const broken: string[] = [];
  let read = 0;
  for (let [month, run] = [-1, -1]; ; ) {
    const rows = await tx
      .selectFrom("bodies")
      .leftJoin("runs", "runs.id", "bodies.run_id")
      .select(["bodies.body_month", "bodies.run_id", "bodies.codec", "bodies.body", "runs.id"])
      .where((where) =>
        where.or([
          where("bodies.body_month", ">", month),
          where.and([where("bodies.body_month", "=", month), where("bodies.run_id", ">", run)]),
        ]),
      )
      .orderBy("bodies.body_month")
      .orderBy("bodies.run_id")
      .limit(BODIES_AT_ONCE)
      .execute();
    for (const row of rows) {
      const why = row.id === null ? "belongs to no run" : await whyUnreadable(row);
      if (why !== undefined) broken.push(`run ${row.run_id}: its recording ${why}`);
    }
    read += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BODIES_AT_ONCE) break;
    [month, run] = [last.body_month, last.run_id];
  }
  if (broken.length === 0) return { status: "ok", what: `${amount(read, "recording")} can be read` };
  return {
    status: "problem",
    what: `${broken.length} of ${amount(read, "recording")} cannot be used`,
    details: broken.slice(0, SHOWN),
    fix: RESTORE,
  };
}

/** The digest inside a packed body holds it to what was written. */
async function whyUnreadable({
  codec,
  body,
}: {
  readonly codec: string;
  readonly body: Uint8Array;
}): Promise<string | undefined> {
  try {
    const bytes = codec === "gzip" ? await promisify(gunzip)(body) : body;
    return bytes.length === 0 ? "is empty" : undefined;
  } catch (error) {
    return `cannot be unpacked (${(error as NodeJS.ErrnoException).code ?? "damaged"})`;
  }
}

async function examineInbox(tx: Tx, now: number): Promise<StoreFinding> {
  const row = await tx
    .selectFrom("inbox")
    .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.min<number | null>("received_at").as("oldest")])
    .executeTakeFirstOrThrow();
  if (row.waiting === 0) return { status: "ok", what: "nothing waits for evaluation" };
  const behind = now - (row.oldest ?? now);
  const what = `${amount(row.waiting, "recording")} ${row.waiting === 1 ? "waits" : "wait"} for evaluation, the oldest for ${Math.max(0, Math.round(behind / 1000))} s`;
  if (behind <= BEHIND_MS) return { status: "ok", what };
  return { status: "warning", what, fix: "Start spoor serve over this store, or more of spoor worker." };
}

async function examineRejected(tx: Tx): Promise<StoreFinding> {
  const rejected = await numberOf(tx, sql`select count(*) as n from rejected`);
  if (rejected === 0) return { status: "ok", what: "no recording was refused after it had come" };
  return {
    status: "warning",
    what: `${amount(rejected, "recording")} came and could not be evaluated`,
    fix: "GET /api/v1/rejected says why, one by one.",
  };
}

async function numberOf(tx: Tx, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await query.execute(tx);
  return (rows as readonly { readonly n: number }[])[0]!.n;
}

function amount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
