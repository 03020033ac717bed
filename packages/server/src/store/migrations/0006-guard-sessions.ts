import type { Migration } from "./migration.ts";

/** What guards of several processes remember of one session, and who of them is changing it. */
export const guardSessionTable: Migration = {
  name: "0006-guard-sessions",
  statements: [
    `create table guard_sessions (project_id bigint not null, session text not null, saved {bytes}, lock_token text not null,
      locked_until bigint not null, kept_by text not null, touched_at bigint not null, primary key (project_id, session)) {keyed}`,
    "create index guard_sessions_by_age on guard_sessions (touched_at)",
  ],
};
