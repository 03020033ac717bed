import { firstTables } from "./0001-first-tables.ts";
import { cohortTables } from "./0002-cohorts.ts";
import { reevaluationTables } from "./0003-reevaluations.ts";
import { hookTables } from "./0004-hooks.ts";
import { failureColumn } from "./0005-failures.ts";
import { guardSessionTable } from "./0006-guard-sessions.ts";
import { fragmentTables } from "./0007-fragments.ts";
import type { Migration } from "./migration.ts";

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [
  firstTables,
  cohortTables,
  reevaluationTables,
  hookTables,
  failureColumn,
  guardSessionTable,
  fragmentTables,
];
