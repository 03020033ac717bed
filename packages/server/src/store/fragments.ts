/**
 * Traces without a root on their way to runs. Each is kept with what ties it to others; those that share a tie are read again together, and who is told what spans
 * mean says which of them are one run. A run that grows, takes or loses a trace becomes an arrival that replaces what was made of it before. One process at
 * a time does this for a project, so that two that come at once find each other.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Arrival } from "./arrival.ts";
import type { Tx } from "./engine/engine.ts";
import { writeArrivals } from "./inbox.ts";
import { groupBy, inChunks, readJson } from "./rows.ts";
import type { Fragment, SpanAssembler, StoredFragment, StoredSpan } from "./span-shapes.ts";

/** Traces of a run. One that has so many, or so many bytes, is full: what comes then begins another. */
const MOST_TRACES = 1_000;
/** Weak ties are many where everything begins alike; those nearest in time are asked. */
const MOST_WEAK = 24;

interface Row {
  readonly trace_id: string;
  readonly started_at: number;
  readonly home: string | null;
  readonly bytes: number;
}

export async function keepFragment(tx: Tx, projectId: number, traceId: string, fragment: Fragment): Promise<void> {
  await tx
    .insertInto("fragments")
    .values({ project_id: projectId, trace_id: traceId, started_at: fragment.startedAt, home: null, waiting: 1 })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "trace_id"]).doUpdateSet({ started_at: fragment.startedAt, waiting: 1 }),
    )
    .execute();
  await dropTies(tx, projectId, traceId);
  const ties = fragment.ties.map(({ text, side, isWeak }) => ({
    project_id: projectId,
    tie: text,
    side,
    trace_id: traceId,
    weak: isWeak ? 1 : 0,
  }));
  await inChunks(ties, (chunk) => tx.insertInto("span_ties").values(chunk).execute());
}

/** Arrivals written. */
export async function placeFragment(
  tx: Tx,
  projectId: number,
  traceId: string,
  assembler: SpanAssembler,
  maxBytes: number,
): Promise<number> {
  await lockProject(tx, projectId);
  const [waiting] = await tx
    .updateTable("fragments")
    .set({ waiting: 0 })
    .where("project_id", "=", projectId)
    .where("trace_id", "=", traceId)
    .where("waiting", "=", 1)
    .returning("home")
    .execute();
  if (waiting === undefined) return 0;
  const rows = await gather(tx, projectId, traceId, maxBytes);
  const fragments = await readFragments(tx, projectId, rows);
  const run = assembler.partition(fragments).find((some) => some.some((one) => one.traceId === traceId)) ?? [];
  const { home, written } = await settle(tx, projectId, run, rows, assembler, fragments);
  const members = new Set(run.map((one) => one.traceId));
  const before = rows.flatMap((row) => (row.home !== null && members.has(row.trace_id) ? [row.home] : []));
  let arrived = written;
  // Runs that lost a trace to this one and still have others.
  for (const robbed of new Set(before))
    if (robbed !== home) arrived += await settleRest(tx, projectId, robbed, assembler);
  return arrived;
}

/**
 * A trace that turned out to be more than a fragment leaves the run it was in. What stays of that takes another name where it had the trace's own; without
 * anything that stays, the name is given back: what was kept under it is the trace's.
 */
export async function leaveRun(
  tx: Tx,
  projectId: number,
  traceId: string,
  assembler: SpanAssembler,
): Promise<readonly string[]> {
  const [known] = await tx
    .selectFrom("fragments")
    .select("home")
    .where("project_id", "=", projectId)
    .where("trace_id", "=", traceId)
    .execute();
  if (known === undefined) return [];
  await lockProject(tx, projectId);
  await tx.deleteFrom("fragments").where("project_id", "=", projectId).where("trace_id", "=", traceId).execute();
  await dropTies(tx, projectId, traceId);
  const rest = await rowsWhere(tx, projectId, "home", [traceId]);
  const [first] = rest;
  if (first !== undefined) {
    const home = await freeHome(tx, projectId, first.trace_id);
    await setHome(tx, projectId, rest, home);
    await settleRest(tx, projectId, home, assembler, [traceId]);
  }
  if (known.home === null || known.home === traceId) return [];
  await settleRest(tx, projectId, known.home, assembler);
  return (await rowsWhere(tx, projectId, "home", [known.home])).length === 0 ? [known.home] : [];
}

/** The arrival of a run, if its members or what they say have changed. */
async function settle(
  tx: Tx,
  projectId: number,
  run: readonly StoredFragment[],
  rows: readonly Row[],
  assembler: SpanAssembler,
  gathered: readonly StoredFragment[],
): Promise<{ readonly home?: string; readonly written: number }> {
  const [first] = run;
  if (first === undefined) return { written: 0 };
  const ids = new Set(run.map(({ traceId }) => traceId));
  const old = rows.filter((row) => ids.has(row.trace_id));
  const homes = [...new Set(old.flatMap(({ home }) => home ?? []))];
  const sizes = await membersOf(tx, projectId, homes);
  const absorbed = homes.filter((home) => sizes.get(home)!.every((traceId) => ids.has(traceId))).sort();
  const home = absorbed[0] ?? (await freeHome(tx, projectId, first.traceId));
  const isChanged = homes.length !== 1 || home !== homes[0] || old.some((row) => row.home === null);
  await setHome(tx, projectId, old, home);
  const arrival = assembler.join(
    run,
    gathered.filter(({ traceId }) => !ids.has(traceId)),
  );
  // What was kept of a trace before it was known as a fragment stands under its own id.
  const alone = old.flatMap((row) => (row.home === null ? [row.trace_id] : []));
  const replaces = [...new Set([...absorbed, ...alone])].filter((name) => name !== home);
  return { home, written: (await write(tx, arrival, home, replaces, isChanged)) ? 1 : 0 };
}

/** A run after one of its traces went elsewhere. */
async function settleRest(
  tx: Tx,
  projectId: number,
  home: string,
  assembler: SpanAssembler,
  replaces: readonly string[] = [],
): Promise<number> {
  const rows = await rowsWhere(tx, projectId, "home", [home]);
  if (rows.length === 0) return 0;
  const run = await readFragments(tx, projectId, rows);
  return (await write(tx, assembler.join(run, []), home, replaces, true)) ? 1 : 0;
}

async function setHome(tx: Tx, projectId: number, rows: readonly Row[], home: string): Promise<void> {
  await tx
    .updateTable("fragments")
    .set({ home })
    .where("project_id", "=", projectId)
    .where(
      "trace_id",
      "in",
      rows.map((row) => row.trace_id),
    )
    .execute();
}

async function write(
  tx: Tx,
  arrival: Arrival | undefined,
  home: string,
  replaces: readonly string[],
  isChanged: boolean,
): Promise<boolean> {
  if (arrival === undefined) return false;
  const source = { ...arrival.source, spanTrace: home, ...(replaces.length === 0 ? {} : { replaces }) };
  const [fresh] = await writeArrivals(tx, [{ ...arrival, source }]);
  return fresh === true || (isChanged && writeAgain(tx, { ...arrival, source }, home));
}

/** The very same was made before, and replaced since: it comes again under an id of its own. */
async function writeAgain(tx: Tx, arrival: Arrival, home: string): Promise<boolean> {
  const { many } = await tx
    .selectFrom("arrivals")
    .select(({ fn }) => fn.countAll<number>().as("many"))
    .where("project_id", "=", arrival.projectId)
    .where("trace_id", "=", home)
    .executeTakeFirstOrThrow();
  const contentId = createHash("sha256").update(arrival.contentId).update(`#${many}`).digest();
  const [fresh] = await writeArrivals(tx, [{ ...arrival, contentId }]);
  return fresh === true;
}

/** A fragment, those that share a tie with it, and whoever is in one run with these; through those that wait too, their neighbours as well. */
async function gather(tx: Tx, projectId: number, traceId: string, maxBytes: number): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  const refused = new Set<string>();
  let bytes = 0;
  const add = (some: readonly Row[]): boolean => {
    const fresh = some.filter((row) => !rows.has(row.trace_id));
    const size = fresh.reduce((sum, row) => sum + row.bytes, bytes);
    if (rows.size > 0 && (size > maxBytes || rows.size + fresh.length > MOST_TRACES)) return false;
    bytes = size;
    for (const row of fresh) rows.set(row.trace_id, row);
    return true;
  };
  const own = await rowsWhere(tx, projectId, "trace_id", [traceId]);
  add(own);
  const homes = own.flatMap(({ home }) => home ?? []);
  if (homes.length > 0) add(await rowsWhere(tx, projectId, "home", homes));
  const asking = [traceId];
  for (let asked = asking.pop(); asked !== undefined; asked = asking.pop()) {
    for (const near of await neighboursOf(tx, projectId, asked)) {
      if (rows.has(near.trace_id) || refused.has(near.home ?? near.trace_id)) continue;
      const run =
        near.home === null
          ? await rowsWhere(tx, projectId, "trace_id", [near.trace_id])
          : await rowsWhere(tx, projectId, "home", [near.home]);
      if (!add(run)) refused.add(near.home ?? near.trace_id);
      else if (near.waiting === 1) asking.push(near.trace_id);
    }
  }
  return [...rows.values()];
}

interface Near {
  readonly trace_id: string;
  readonly home: string | null;
  readonly waiting: number;
}

/** Those with a strong tie first, then the nearest in time with a weak one. */
async function neighboursOf(tx: Tx, projectId: number, traceId: string): Promise<readonly Near[]> {
  const found = async (weak: 0 | 1, limit: number) => {
    const { rows } = await sql<Near>`
      select near.trace_id, near.home, near.waiting from fragments near, fragments own
      where own.project_id = ${projectId} and own.trace_id = ${traceId} and near.project_id = own.project_id and near.trace_id in (
        select other.trace_id from span_ties mine
        join span_ties other on other.project_id = mine.project_id and other.tie = mine.tie and other.side <> mine.side
        where mine.project_id = ${projectId} and mine.trace_id = ${traceId} and mine.weak = ${weak} and other.trace_id <> mine.trace_id)
      order by abs(near.started_at - own.started_at), near.trace_id limit ${limit}`.execute(tx);
    return rows;
  };
  return [...(await found(0, MOST_TRACES)), ...(await found(1, MOST_WEAK))];
}

async function rowsWhere(
  tx: Tx,
  projectId: number,
  column: "trace_id" | "home",
  values: readonly string[],
): Promise<readonly Row[]> {
  return tx
    .selectFrom("fragments")
    .innerJoin("span_traces", (join) =>
      join
        .onRef("span_traces.project_id", "=", "fragments.project_id")
        .onRef("span_traces.trace_id", "=", "fragments.trace_id"),
    )
    .select(["fragments.trace_id", "fragments.started_at", "fragments.home", "span_traces.bytes"])
    .where("fragments.project_id", "=", projectId)
    .where(`fragments.${column}`, "in", values)
    .orderBy("fragments.started_at")
    .orderBy("fragments.trace_id")
    .execute();
}

async function readFragments(tx: Tx, projectId: number, rows: readonly Row[]): Promise<readonly StoredFragment[]> {
  const spans = await readSpans(
    tx,
    projectId,
    rows.map((row) => row.trace_id),
  );
  return rows.map((row) => ({ traceId: row.trace_id, spans: spans.get(row.trace_id) ?? [] }));
}

export async function readSpans(
  tx: Tx,
  projectId: number,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, StoredSpan[]>> {
  const rows = await tx
    .selectFrom("spans")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("trace_id", "in", traceIds)
    .orderBy("span_id")
    .execute();
  const spans = rows.map((row) => ({
    traceId: row.trace_id,
    spanId: row.span_id,
    resource: readJson(row.resource),
    scope: readJson(row.scope),
    span: readJson(row.span),
  }));
  return groupBy(spans, ({ traceId }) => traceId);
}

async function membersOf(tx: Tx, projectId: number, homes: readonly string[]): Promise<Map<string, string[]>> {
  const rows = homes.length === 0 ? [] : await rowsWhere(tx, projectId, "home", homes);
  const byHome = groupBy(rows, (row) => row.home as string);
  return new Map([...byHome].map(([home, some]) => [home, some.map((row) => row.trace_id)]));
}

/** A name that no other run has. */
async function freeHome(tx: Tx, projectId: number, traceId: string): Promise<string> {
  for (let name = traceId; ; name += "+")
    if ((await rowsWhere(tx, projectId, "home", [name])).length === 0) return name;
}

async function dropTies(tx: Tx, projectId: number, traceId: string): Promise<void> {
  await tx.deleteFrom("span_ties").where("project_id", "=", projectId).where("trace_id", "=", traceId).execute();
}

/** Held until the transaction ends; the embedded file has one writer anyhow. */
async function lockProject(tx: Tx, projectId: number): Promise<void> {
  await tx.updateTable("projects").set({ created_at: sql`created_at` }).where("id", "=", projectId).execute();
}
