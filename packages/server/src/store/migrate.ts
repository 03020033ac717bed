/**
 * Brings the tables up to this version: every step that is missing, in ONE transaction under one lock, so that a process killed on the way leaves
 * the store as it was. A store that has steps this version does not know is refused: it would be written wrongly.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { type Kysely, sql } from "kysely";
import type { Engine, StoreEngine, Tx } from "./engine/engine.ts";
import { checksumOf, type Migration, statementsOf } from "./migrations/migration.ts";
import { migrations as allMigrations } from "./migrations/migrations.ts";
import type { Tables } from "./schema.ts";

/** The names of the steps that are missing; refuses what this version cannot work with. */
export async function pendingMigrations(
  engine: StoreEngine,
  migrations: readonly Migration[] = allMigrations,
): Promise<readonly Migration[]> {
  return missing(await appliedMigrations(engine.db, engine.kind), migrations);
}

/** What was done, by name. */
export async function migrate(
  engine: StoreEngine,
  now: number,
  migrations: readonly Migration[] = allMigrations,
): Promise<readonly string[]> {
  return engine.transaction(async (tx) => {
    await lockMigrations(tx, engine.kind);
    await sql`create table if not exists migrations (name text primary key, checksum text not null, at bigint not null)`.execute(
      tx,
    );
    // Asked again under the lock: another process may have been faster.
    const pending = missing(await appliedMigrations(tx, engine.kind), migrations);
    for (const migration of pending) {
      for (const statement of statementsOf(migration, engine.kind)) await sql.raw(statement).execute(tx);
      await tx
        .insertInto("migrations")
        .values({ name: migration.name, checksum: checksumOf(migration), at: now })
        .execute();
    }
    return pending.map(({ name }) => name);
  });
}

/** Any number that nobody else in the database uses for the same purpose. */
const MIGRATION_LOCK = 7_307_667_114;

async function lockMigrations(tx: Tx, engine: Engine): Promise<void> {
  // The embedded file's transactions begin with the write lock.
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx);
}

/** Of somebody else's tables. */
const MOST_NAMED = 3;

interface Applied {
  readonly name: string;
  readonly checksum: string;
}

async function appliedMigrations(db: Kysely<Tables>, engine: Engine): Promise<readonly Applied[]> {
  const columns = await columnsOf(db, engine);
  const own = columns.filter(({ table }) => table === "migrations").map(({ column }) => column);
  if (own.length === 0) {
    const tables = new Set(columns.map(({ table }) => table));
    // A file is ours alone; in a database others may have tables, if not those that ours are called.
    const others = [...tables].filter((table) => engine === "libsql" || isTableOfOurs(table));
    if (others.length > 0) throw notOurs(engine, others.slice(0, MOST_NAMED).join(", "));
    return [];
  }
  if (!own.includes("name") || !own.includes("checksum")) throw notOurs(engine, "migrations of its own");
  const applied = await db.selectFrom("migrations").select(["name", "checksum"]).orderBy("name").execute();
  if (applied.length > 0 && !applied.some(({ name }) => allMigrations.some((one) => one.name === name)))
    throw notOurs(engine, `the migration ${applied[0]!.name}`);
  return applied;
}

async function columnsOf(
  db: Kysely<Tables>,
  engine: Engine,
): Promise<readonly { readonly table: string; readonly column: string }[]> {
  const question =
    engine === "postgres"
      ? sql<{ readonly table: string; readonly column: string }>`
          select relname as table, attname as column from pg_class
          join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
          where nspname = any (current_schemas(false)) and relkind in ('r', 'p', 'v', 'm') and attnum > 0 order by relname`
      : sql<{ readonly table: string; readonly column: string }>`
          select tables.name as "table", columns.name as "column" from sqlite_master as tables
          join pragma_table_info(tables.name) as columns
          where tables.type in ('table', 'view') and tables.name not like 'sqlite\\_%' escape '\\' order by tables.name`;
  return (await question.execute(db)).rows;
}

function isTableOfOurs(name: string): boolean {
  return allMigrations.some(({ statements }) =>
    statements.some((statement) =>
      (typeof statement === "string" ? statement : statement.text).startsWith(`create table ${name} `),
    ),
  );
}

function notOurs(engine: Engine, what: string): SpoorError {
  return new SpoorError("store.not-ours", `This is a database of something else: it has ${what}.`, {
    consequence: "None of its tables was touched.",
    hint:
      engine === "libsql"
        ? "Name the file of spoor serve, or one that is not there yet."
        : "Make a database for Spoor alone, and name that one.",
  });
}

function missing(applied: readonly Applied[], migrations: readonly Migration[]): readonly Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const unknown = applied.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new SpoorError(
      "store.newer",
      `The store was written by a newer version of spoor: it has ${unknown.join(", ")}.`,
      {
        consequence: "Nothing was read or written.",
        hint: "Upgrade: npm i @spoor/server@latest",
      },
    );
  }
  const changed = applied.find(({ name, checksum }) => checksumOf(known.get(name) as Migration) !== checksum);
  if (changed !== undefined) {
    throw new SpoorError(
      "store.not-ours",
      `The tables of step ${changed.name} are not those this version of spoor makes.`,
      {
        consequence: "Nothing was read or written.",
        hint: "Use the version that made the store, or begin a new one.",
      },
    );
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}
