/**
 * The embedded engine: one file, one process that owns it. Synchronous underneath, so that a statement is never interrupted by another of this
 * process; one connection, for which callers queue.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Kysely, SqliteDialect, sql } from "kysely";
import { makeFolder } from "spoor/internal/load/make-folder";
import { holdFileLock } from "spoor/internal/store/file-lock";
import type { Tables } from "../schema.ts";
import { createLocalBell } from "./bell.ts";
import type { StoreEngine, Tx, Watch } from "./engine.ts";
import { storeError } from "./store-error.ts";
import { WatchedDriver } from "./watched-driver.ts";

export interface LibsqlOptions {
  /** False for a further connection of the process that already owns the file: a thread of it. */
  readonly lock?: boolean;
  readonly watch?: Watch | undefined;
  /** Most pages of the file; a full disk in tests. */
  readonly maxPages?: number;
}

export async function openLibsql(
  file: string,
  { lock = true, watch, maxPages }: LibsqlOptions = {},
): Promise<StoreEngine> {
  const inMemory = file === ":memory:";
  const path = inMemory ? file : resolve(file);
  const release = inMemory || !lock ? undefined : await lockFile(path);
  try {
    if (!inMemory) await requireNoFolder(path);
    const raw = await openFile(path, maxPages);
    return engineOf(raw, watch, release);
  } catch (error) {
    await release?.();
    throw storeError(error);
  }
}

async function lockFile(path: string): Promise<() => Promise<void>> {
  try {
    await makeFolder(dirname(path));
  } catch (error) {
    throw storeError(error);
  }
  return holdFileLock(path, { code: "store.locked", timeoutMs: 0 });
}

/** The driver says of a folder that it has no connection. */
async function requireNoFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: "EISDIR" });
}

/** Only what is asked of the driver: its own types describe another library. */
interface RawDatabase {
  prepare(text: string): {
    readonly reader: boolean;
    all(values: readonly unknown[]): unknown[];
    run(values: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
  };
  exec(text: string): void;
  close(): void;
}

async function openFile(path: string, maxPages: number | undefined): Promise<RawDatabase> {
  const { default: Libsql } = await import("libsql");
  const raw = new Libsql(path) as unknown as RawDatabase;
  try {
    // Waiting comes first: the other settings may meet a second connection. Full synchronisation: acknowledged means on the disk.
    raw.exec(
      "pragma busy_timeout = 5000; pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = full",
    );
    if (maxPages !== undefined) raw.exec(`pragma max_page_count = ${maxPages}`);
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
}

function engineOf(raw: RawDatabase, watch: Watch | undefined, release: (() => Promise<void>) | undefined): StoreEngine {
  const inside = new AsyncLocalStorage<true>();
  const admit = () => {
    // It would wait for the connection its own transaction holds, for ever; and Node would end without a word.
    if (inside.getStore()) throw new Error("Inside a transaction the store is asked through the transaction.");
  };
  const db = new Kysely<Tables>({ dialect: new ImmediateDialect(raw, { watch, admit }) });
  const size = async () => {
    const { rows } = await sql<{ readonly bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db);
    return rows[0]!.bytes;
  };
  return {
    kind: "libsql",
    db,
    bell: createLocalBell(),
    transaction: (work) => {
      admit();
      return db.transaction().execute((tx: Tx) => inside.run(true, () => work(tx)));
    },
    claim: undefined,
    prepareMonths: async () => undefined,
    bodyMonths: async () => undefined,
    dropMonth: async () => false,
    async shrink() {
      // A page for each row it gives: a statement that is not stepped to its end stays open, and nothing can be committed any more.
      await db.connection().execute(async () => raw.exec("pragma incremental_vacuum"));
      return size();
    },
    size,
    orderEvents: async () => undefined,
    async close() {
      await db.destroy();
      await release?.();
    },
  };
}

class ImmediateDialect extends SqliteDialect {
  readonly #options: { readonly watch: Watch | undefined; readonly admit: () => void };

  constructor(raw: RawDatabase, options: { readonly watch: Watch | undefined; readonly admit: () => void }) {
    super({ database: raw as never });
    this.#options = options;
  }

  override createDriver() {
    return new WatchedDriver(super.createDriver(), { begin: "begin immediate", ...this.#options });
  }
}
