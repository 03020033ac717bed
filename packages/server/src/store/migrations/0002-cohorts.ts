import type { Migration } from "./migration.ts";

/**
 * What the cohort lens keeps of a run, without what was said: a release is compared long after the recordings of the other went. And what was last said
 * of each pair of releases.
 */
export const cohortTables: Migration = {
  name: "0002-cohorts",
  statements: [
    "create table cohort_runs (run_id bigint primary key, version integer not null, detail {bytes} not null)",
    { only: "postgres", text: "alter table cohort_runs alter column detail set storage external" },
    `create table cohorts (agent_id bigint not null, release_id bigint not null, against_id bigint not null, looks bigint not null,
      looked_at bigint not null, state text not null, primary key (agent_id, release_id, against_id)) {keyed}`,
  ],
};
