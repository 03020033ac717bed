/** Every adapter, first match wins. */
import type { Adapter } from "./adapter.ts";
import { canonicalAdapter } from "./adapters/canonical.ts";
import { parseAdapter } from "./adapters/parse.ts";
import { cohortAdapter } from "./adapters/cohort.ts";

export const adapters: readonly Adapter[] = [canonicalAdapter, cohortAdapter, parseAdapter];
