/** The engines a suite of the store runs against; each test has a store of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";

export interface TestEngine {
  readonly name: string;
  /** The address of an empty store. */
  address(): Promise<string>;
}

export const testEngines: readonly TestEngine[] = [
  { name: "memory", address: async () => ":memory:" },
  { name: "file", address: async () => join(temporaryFolder(), "spoor.db") },
];

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
