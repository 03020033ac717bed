/** `@spoor/server`: the shared service. Imported by `spoor serve`, `spoor worker` and `spoor migrate` when it is installed. */
export { type NewTokenOptions, newToken, type RunningService, type ServeOptions, serve } from "./serve.ts";
export { examineStore, migrateStore, openStore, type StoreOptions } from "./store/open-store.ts";
export type { Scope, Store } from "./store/store.ts";
export { type RunningWorker, type WorkOptions, work } from "./work.ts";
