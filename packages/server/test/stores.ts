/** The engines a suite of the store runs against; each test has a store of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { postgresFolder, startPostgres, type TestPostgres } from "./postgres.ts";

export interface TestEngine {
  readonly name: string;
  /** The address of an empty store. */
  address(): Promise<string>;
}

let postgres: Promise<TestPostgres> | undefined;

/** One server for a file of tests, one database for each store. */
export function testPostgres(): Promise<TestPostgres> {
  postgres ??= startPostgres();
  return postgres;
}

afterAll(async () => (await postgres)?.stop());

export const memoryEngine: TestEngine = { name: "memory", address: async () => ":memory:" };
export const fileEngine: TestEngine = { name: "file", address: async () => join(temporaryFolder(), "spoor.db") };
/** None where there is no PostgreSQL: `scripts/test.mjs` says so before the tests. */
export const postgresEngines: readonly TestEngine[] =
  postgresFolder === undefined ? [] : [{ name: "PostgreSQL", address: async () => (await testPostgres()).address() }];

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
