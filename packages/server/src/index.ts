/**
 * `@spoor/server`: the shared service. Imported by `spoor serve`, `spoor worker` and `spoor migrate` when it is installed; each loads what it needs of it,
 * because most of what a service is made of is nothing to a worker.
 */
import type { NewTokenOptions, RunningService, ServeOptions } from "./serve.ts";
import type { ExaminedStore, StoreOptions } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import type { RunningWorker, WorkOptions } from "./work.ts";

export type { NewTokenOptions, RunningService, ServeOptions } from "./serve.ts";
export type { StoreOptions } from "./store/open-store.ts";
export type { Scope, Store } from "./store/store.ts";
export type { RunningWorker, WorkOptions } from "./work.ts";

/** Starts the service: store, routes and the work on what arrives. */
export async function serve(options: ServeOptions): Promise<RunningService> {
  return (await import("./serve.ts")).serve(options);
}

/** A token for a service that is not running, or that runs over a store for many. It is shown once. */
export async function newToken(options: NewTokenOptions): Promise<string> {
  return (await import("./serve.ts")).newToken(options);
}

/** Evaluates what arrives at the services of one PostgreSQL. */
export async function work(options: WorkOptions): Promise<RunningWorker> {
  return (await import("./work.ts")).work(options);
}

/** Opens a store by its address. */
export async function openStore(url: string, options?: StoreOptions): Promise<Store> {
  return (await import("./store/open-store.ts")).openStore(url, options);
}

/** Brings the tables of a store up to date and closes it again; the names of the steps that were missing. */
export async function migrateStore(url: string, options?: StoreOptions): Promise<readonly string[]> {
  return (await import("./store/open-store.ts")).migrateStore(url, options);
}

/** Looks at a store that is there; makes none, and brings none up to date. */
export async function examineStore(
  url: string,
  options?: StoreOptions & { readonly repair?: boolean },
): Promise<ExaminedStore> {
  return (await import("./store/open-store.ts")).examineStore(url, options);
}
