import type { Migration } from "./migration.ts";

/** How far the runs of a project have been judged again since its rules changed; one row a project. */
export const reevaluationTables: Migration = {
  name: "0003-reevaluations",
  statements: [
    `create table reevaluations (project_id bigint primary key, rules text not null, cursor_id bigint not null, floor_id bigint not null,
      top_id bigint not null, swept integer not null, done bigint not null, of_runs bigint not null, not_kept bigint not null,
      started_at bigint not null, finished_at bigint) {keyed}`,
  ],
};
