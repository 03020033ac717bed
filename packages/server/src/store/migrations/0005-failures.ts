import type { Migration } from "./migration.ts";

/** Evaluations that failed, apart from those whose end nobody saw: the process was gone. */
export const failureColumn: Migration = {
  name: "0005-failures",
  statements: ["alter table attempts add column failures integer not null default 0"],
};
