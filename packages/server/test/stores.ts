/** The engines a suite of the store runs against; each test has a store of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { findPostgres } from "../../../scripts/ensure-postgres.mjs";
import { type ScratchPostgres, startPostgres } from "../../../scripts/scratch-postgres.mjs";
import { openStore, type StoreOptions } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";

export interface TestEngine {
  readonly name: string;
  /** The address of an empty store. */
  address(): Promise<string>;
}

let postgres: Promise<ScratchPostgres> | undefined;

/** One server for a file of tests, one database for each store. */
export function testPostgres(): Promise<ScratchPostgres> {
  postgres ??= startPostgres();
  return postgres;
}

afterAll(async () => (await postgres)?.stop());

export const memoryEngine: TestEngine = { name: "memory", address: async () => ":memory:" };
export const fileEngine: TestEngine = { name: "file", address: async () => join(temporaryFolder(), "spoor.db") };
/** None where there is no PostgreSQL: `scripts/test.mjs` says so before the tests. */
export const postgresEngines: readonly TestEngine[] =
  findPostgres() === undefined ? [] : [{ name: "PostgreSQL", address: async () => (await testPostgres()).address() }];

export const testEngines: readonly TestEngine[] = [memoryEngine, fileEngine, ...postgresEngines];

export async function openTestStore(engine: TestEngine, options: StoreOptions = {}): Promise<Store> {
  return openAddress(await engine.address(), options);
}

export async function openAddress(address: string, options: StoreOptions = {}): Promise<Store> {
  const store = await openStore(address, { migrate: true, ...options });
  onTestFinished(() => store.close());
  return store;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
