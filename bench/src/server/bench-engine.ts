/** Empty stores to measure: a file, and the database of SPOOR_BENCH_STORE where that names one. */
import { mkdirSync, rmSync } from "node:fs";
import type { StoreEngine } from "@spoor/server/internal/store/engine/engine";
import { openLibsql } from "@spoor/server/internal/store/engine/libsql";
import { openPostgres } from "@spoor/server/internal/store/engine/postgres";
import { migrateStore } from "@spoor/server/internal/store/open-store";
import { sql } from "kysely";
import { dataFolder } from "../child-figures.ts";

const folder = `${dataFolder}server/`;

/** The file of a part, where the engine is one. */
export function storeFile(part: string): string {
  return `${folder}${part}.db`;
}

export interface BenchEngine {
  readonly name: string;
  /** The address of a store with all tables and nothing in them. */
  empty(part: string): Promise<string>;
}

export function benchEngines(): readonly BenchEngine[] {
  const file: BenchEngine = {
    name: "file",
    async empty(part) {
      mkdirSync(folder, { recursive: true });
      const path = storeFile(part);
      for (const end of ["", "-wal", "-shm", ".lock"]) rmSync(path + end, { force: true });
      await migrateStore(path);
      return path;
    },
  };
  const url = process.env["SPOOR_BENCH_STORE"];
  if (!url) return [file];
  const postgres: BenchEngine = {
    name: "PostgreSQL",
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
  return [file, postgres];
}

/** For questions about the tables themselves. */
export function openBenchEngine(address: string): Promise<StoreEngine> {
  return address.startsWith("postgres") ? openPostgres(address) : openLibsql(address);
}
