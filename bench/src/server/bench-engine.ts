/**
 * Empty stores to measure: a file, and a PostgreSQL. That is a scratch one, started for the benchmark and waiting for the disk like any other; or
 * the database that SPOOR_BENCH_STORE names, which may have cores of its own.
 */
import { mkdirSync, rmSync } from "node:fs";
import type { StoreEngine } from "@spoor/server/internal/store/engine/engine";
import { openLibsql } from "@spoor/server/internal/store/engine/libsql";
import { openPostgres } from "@spoor/server/internal/store/engine/postgres";
import { migrateStore } from "@spoor/server/internal/store/open-store";
import { sql } from "kysely";
import { findPostgres } from "../../../scripts/ensure-postgres.mjs";
import { startPostgres } from "../../../scripts/scratch-postgres.mjs";
import { dataFolder } from "../child-figures.ts";

const folder = `${dataFolder}server/`;

export interface BenchEngine {
  readonly kind: StoreEngine["kind"];
  readonly name: string;
  /** The address of a store with all tables and nothing in them. */
  empty(part: string): Promise<string>;
}

/** The file first; PostgreSQL where there is one. */
export async function withBenchEngines<T>(work: (engines: readonly BenchEngine[]) => Promise<T>): Promise<T> {
  const named = process.env["SPOOR_BENCH_STORE"];
  if (named) return work([benchFile, postgresAt(named, "PostgreSQL elsewhere")]);
  if (findPostgres() === undefined) return work([benchFile]);
  const scratch = await startPostgres({ isDurable: true });
  try {
    return await work([benchFile, postgresAt(await scratch.address(), "PostgreSQL")]);
  } finally {
    await scratch.stop();
  }
}

export const benchFile: BenchEngine = {
  kind: "libsql",
  name: "file",
  async empty(part) {
    mkdirSync(folder, { recursive: true });
    const path = `${folder}${part}.db`;
    for (const end of ["", "-wal", "-shm", ".lock"]) rmSync(path + end, { force: true });
    await migrateStore(path);
    return path;
  },
};

function postgresAt(url: string, name: string): BenchEngine {
  return {
    kind: "postgres",
    name,
    async empty(part) {
      const schema = `bench_${part.replace(/\W/g, "_")}`;
      const admin = await openPostgres(url);
      await sql.raw(`drop schema if exists ${schema} cascade; create schema ${schema}`).execute(admin.db);
      await admin.close();
      const own = new URL(url);
      own.searchParams.set("options", `-c search_path=${schema}`);
      await migrateStore(own.href);
      return own.href;
    },
  };
}

/** For questions about the tables themselves. */
export function openBenchEngine({ kind }: BenchEngine, address: string): Promise<StoreEngine> {
  return kind === "postgres" ? openPostgres(address) : openLibsql(address);
}
