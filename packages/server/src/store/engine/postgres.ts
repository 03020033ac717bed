/**
 * The shared engine. Two pools: claims keep a transaction open while they evaluate, and what is asked meanwhile must never wait for one of them.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Tables } from "../schema.ts";
import type { StoreEngine, Tx, Watch } from "./engine.ts";
import { createPostgresBell } from "./postgres-bell.ts";
import { isConflict, storeError } from "./store-error.ts";
import { WatchedDriver } from "./watched-driver.ts";

export interface PostgresOptions {
  readonly connections?: { readonly questions?: number; readonly claims?: number };
  readonly watch?: Watch;
}

/** A worker that stands still gives its rows back after this. */
const LONGEST_CLAIM_MS = 300_000;
const CONNECT_MS = 10_000;
/** How long dropping a month waits for those who read it. */
const DROP_WAIT_MS = 2_000;
const MOST_TRIES = 5;

export async function openPostgres(
  url: string,
  { connections = {}, watch }: PostgresOptions = {},
): Promise<StoreEngine> {
  const questions = poolOf(url, connections.questions ?? 8);
  const claims = poolOf(url, connections.claims ?? 4);
  const db = new Kysely<Tables>({ dialect: new WatchedDialect(questions, watch) });
  const claimDb = new Kysely<Tables>({ dialect: new WatchedDialect(claims, watch) });
  const bell = createPostgresBell(url, questions);
  const close = async () => {
    await bell.close();
    await db.destroy();
    await claimDb.destroy();
  };
  try {
    // So that an address that does not answer is said now, not at the first request.
    await requireUtf8(db);
  } catch (error) {
    await close();
    throw storeError(error);
  }
  return {
    kind: "postgres",
    db,
    bell,
    transaction: (work) => repeatedly(() => db.transaction().execute(work)),
    claim: (work) => claimDb.transaction().execute(work),
    prepareMonths: (months) => prepareMonths(db, months),
    bodyMonths: () => monthsOf(db),
    dropMonth: (month) => dropMonth(db, month),
    shrink: async () => undefined,
    async size() {
      const { rows } = await sql<{ readonly bytes: number }>`
        select pg_database_size(current_database()) as bytes`.execute(db);
      return rows[0]!.bytes;
    },
    async orderEvents(tx, projectId) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`spoor.events/${projectId}`}, 0))`.execute(tx);
    },
    close,
  };
}

/** In another encoding the first name with a letter of another language could not be written. */
async function requireUtf8(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ readonly encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]!.encoding;
  if (encoding === "UTF8") return;
  throw new SpoorError(
    "store.unavailable",
    `The store cannot be used: the database keeps text as ${encoding}, not as UTF8.`,
    {
      consequence: "Nothing was written.",
      hint: "Make one that does: create database spoor encoding 'UTF8' template template0",
    },
  );
}

const INT8 = 20;
const NUMERIC = 1700;

function poolOf(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: "spoor",
    connectionTimeoutMillis: CONNECT_MS,
    idle_in_transaction_session_timeout: LONGEST_CLAIM_MS,
    types: {
      // Ids, counts and sums are far below 2^53; as text, which is how they arrive, they would be compared and added wrongly.
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as "text"),
    },
  });
  // A connection that breaks says so twice: to the pool when it is idle, on itself when someone has it. Unheard, either ends the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

class WatchedDialect extends PostgresDialect {
  readonly #watch: Watch | undefined;

  constructor(pool: pg.Pool, watch: Watch | undefined) {
    super({ pool });
    this.#watch = watch;
  }

  override createDriver() {
    return new WatchedDriver(super.createDriver(), { begin: "begin", watch: this.#watch });
  }
}

async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time += 1) {
    try {
      return await work();
    } catch (error) {
      if (time === MOST_TRIES || !isConflict(error)) throw error;
    }
  }
}

/**
 * A partition of each month that has none. It is made beside and then attached: that lets others go on writing, which making it in its place would not.
 */
async function prepareMonths(db: Kysely<Tables>, months: readonly number[]): Promise<void> {
  const known = new Set(await monthsOf(db));
  for (const month of months) {
    if (known.has(month)) continue;
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('spoor.months', 0))`.execute(tx);
      if ((await monthsOf(tx)).includes(month)) return;
      await sql.raw(`create table ${partitionOf(month)} (like bodies including all)`).execute(tx);
      await sql.raw(`alter table bodies attach partition ${partitionOf(month)} for values in (${month})`).execute(tx);
    });
  }
}

function partitionOf(month: number): string {
  return `bodies_${month}`;
}

async function monthsOf(db: Kysely<Tables> | Tx): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select child.relname as name from pg_inherits join pg_class child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = 'bodies'::regclass order by child.relname`.execute(db);
  return rows.map(({ name }) => Number(name.slice("bodies_".length)));
}

async function dropMonth(db: Kysely<Tables>, month: number): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql.raw(`set local lock_timeout = ${DROP_WAIT_MS}`).execute(tx);
      await sql.raw(`drop table ${partitionOf(month)}`).execute(tx);
    });
    return true;
  } catch (error) {
    // Somebody reads it and does not let go: its rows are deleted instead.
    if ((error as { readonly code?: string }).code === "55P03") return false;
    throw error;
  }
}
