import type { Migration } from "./migration.ts";

/** Who is to be told, what is to be told them, and what they have been told and not heard the end of. */
export const hookTables: Migration = {
  name: "0004-hooks",
  statements: [
    `create table hooks (id {id}, project_id bigint not null, name text not null, url text not null, format text not null, events text not null,
      base text not null, secret {bytes} not null, created_at bigint not null)`,
    "create index hooks_by_project on hooks (project_id, id)",
    `create table outbox (id {id}, project_id bigint not null, hook_id bigint not null, key text not null unique, event text not null,
      body text not null, state text not null, attempts bigint not null, next_at bigint not null, claimed_until bigint not null,
      error text, created_at bigint not null, done_at bigint)`,
    "create index outbox_due on outbox (next_at) where state = 'waiting'",
    "create index outbox_by_hook on outbox (hook_id, id)",
    `create table alerts (agent_id bigint not null, release_id bigint not null, subject text not null, raised integer not null,
      generation bigint not null, at bigint not null, primary key (agent_id, release_id, subject)) {keyed}`,
  ],
};
