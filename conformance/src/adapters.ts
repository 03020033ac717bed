/** Every adapter, first match wins. */
import type { Adapter } from "./adapter.ts";

export const adapters: readonly Adapter[] = [];
