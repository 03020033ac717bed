import type { Migration } from "./migration.ts";

/** Traces without a root: what ties each to others, and the run it is joined to. */
export const fragmentTables: Migration = {
  name: "0007-fragments",
  statements: [
    `create table fragments (project_id bigint not null, trace_id text not null, started_at bigint not null, home text, waiting bigint not null,
      primary key (project_id, trace_id)) {keyed}`,
    "create index fragments_waiting on fragments (waiting, started_at)",
    "create index fragments_by_home on fragments (project_id, home)",
    `create table span_ties (project_id bigint not null, tie text not null, side text not null, trace_id text not null, weak bigint not null,
      primary key (project_id, tie, side, trace_id)) {keyed}`,
    "create index span_ties_by_trace on span_ties (project_id, trace_id)",
  ],
};
