/** `@spoor/server`: the shared service. Imported by `spoor serve`, `spoor worker` and `spoor migrate` when it is installed. */
export { migrateStore, openStore } from "./store/open-store.ts";
export type { Store } from "./store/store.ts";
