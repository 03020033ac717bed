import type { Migration } from "./migration.ts";

/**
 * Bodies are apart from runs: they are most of the bytes and all that retention drops. On PostgreSQL they lie in one partition per month, and columns
 * that hold compressed bytes are stored as they are, not compressed again. Lists start with the project and end with the id, the order of their pages.
 */
export const firstTables: Migration = {
  name: "0001-first-tables",
  statements: [
    "create table projects (id {id}, name text not null unique, created_at bigint not null, settings text not null)",

    `create table tokens (id {id}, project_id bigint not null, name text not null, prefix text not null, hash {bytes} not null unique,
      scopes text not null, created_at bigint not null, expires_at bigint, last_used_at bigint, revoked_at bigint)`,
    "create index tokens_by_prefix on tokens (prefix)",

    "create table agents (id {id}, project_id bigint not null, name text not null, noun text, unique (project_id, name))",
    `create table releases (id {id}, agent_id bigint not null, name text not null, first_seen_at bigint not null, inputs text,
      unique (agent_id, name))`,
    "create table tools (id {id}, project_id bigint not null, name text not null, unique (project_id, name))",

    `create table arrivals (id {id}, project_id bigint not null, content_id {bytes} not null, trace_id text,
      unique (project_id, content_id))`,
    "create index arrivals_by_trace on arrivals (project_id, trace_id) where trace_id is not null",
    `create table inbox (id bigint primary key, project_id bigint not null, source text not null, codec text not null,
      body {bytes} not null, received_at bigint not null)`,
    { only: "postgres", text: "alter table inbox alter column body set storage external" },
    "create table attempts (id bigint primary key, attempts integer not null) {keyed}",
    `create table rejected (id bigint primary key, project_id bigint not null, code text not null, message text not null, at text,
      received_at bigint not null, rejected_at bigint not null, head {bytes} not null)`,
    "create index rejected_by_project on rejected (project_id, id)",

    `create table runs (id {id}, project_id bigint not null, content_id {bytes} not null, arrival_id bigint not null, external_id text,
      agent_id bigint not null, release_id bigint not null, behaviour_id bigint not null, scenario text, trial text, name text not null,
      format text not null, model text, status text not null, stop_reason text, started_at bigint, duration_ms bigint,
      received_at bigint not null, turns bigint not null, calls bigint not null, errors bigint not null,
      calls_without_result bigint not null, replayed bigint not null, stand_ins bigint not null, unknown_records bigint not null,
      input_tokens bigint, output_tokens bigint, cost_micro bigint, structural text not null, verdict text not null, similarity {real},
      findings bigint not null, body_month integer not null, superseded_by bigint, unique (project_id, content_id))`,
    "create index runs_by_project on runs (project_id, id)",
    "create index runs_by_agent on runs (project_id, agent_id, id)",
    "create index runs_by_status on runs (project_id, status, id)",
    "create index runs_by_behaviour on runs (project_id, behaviour_id, id)",
    "create index runs_by_release on runs (project_id, release_id, scenario)",
    "create index runs_by_arrival on runs (arrival_id)",
    `create table tombstones (project_id bigint not null, content_id {bytes} not null, at bigint not null,
      primary key (project_id, content_id)) {keyed}`,

    {
      only: "libsql",
      text: `create table bodies (run_id integer primary key, body_month integer not null, codec text not null, body blob not null)`,
    },
    {
      only: "postgres",
      text: `create table bodies (body_month integer not null, run_id bigint not null, codec text not null, body bytea not null,
        primary key (body_month, run_id)) partition by list (body_month)`,
    },
    { only: "postgres", text: "alter table bodies alter column body set storage external" },

    `create table run_tools (project_id bigint not null, tool_id bigint not null, run_id bigint not null, calls bigint not null,
      errors bigint not null, primary key (project_id, tool_id, run_id)) {keyed}`,
    "create index run_tools_by_run on run_tools (run_id)",
    `create table behaviours (id {id}, agent_id bigint not null, hash_version text not null, mode text not null, hash text not null,
      path {bytes} not null, seen bigint not null, first_run_id bigint not null, last_seen_at bigint not null, status text not null,
      unique (agent_id, hash_version, mode, hash))`,
    `create table stage_results (run_id bigint not null, stage text not null, config_hash text not null, result text not null,
      primary key (run_id, stage, config_hash)) {keyed}`,
    `create table findings (id {id}, project_id bigint not null, run_id bigint not null, config_hash text not null, rule_id text not null,
      kind text not null, severity text not null, code text not null, subject text not null, turn_index bigint not null,
      session_index bigint not null, evidence text not null,
      unique (run_id, config_hash, rule_id, subject, turn_index, session_index))`,
    "create index findings_by_rule on findings (project_id, rule_id, run_id)",
    `create table rollups (agent_id bigint not null, release_id bigint not null, hour bigint not null, runs bigint not null,
      known bigint not null, failed bigint not null, violations bigint not null, errors bigint not null, tokens bigint not null,
      cost_micro bigint not null, ms_sum bigint not null, primary key (agent_id, release_id, hour)) {keyed}`,
    "create table events (id {id}, project_id bigint not null, kind text not null, body text not null, at bigint not null)",
    "create index events_by_project on events (project_id, id)",

    `create table span_traces (project_id bigint not null, trace_id text not null, first_at bigint not null, last_at bigint not null,
      closed_at bigint not null, bytes bigint not null, primary key (project_id, trace_id)) {keyed}`,
    "create index span_traces_open on span_traces (closed_at, last_at)",
    `create table spans (project_id bigint not null, trace_id text not null, span_id text not null, resource text not null,
      scope text not null, span text not null, primary key (project_id, trace_id, span_id)) {keyed}`,

    `create table baselines (id {id}, agent_id bigint not null, generation bigint not null, state text not null, body {bytes} not null,
      made_from text not null, by text, why text, at bigint not null, unique (agent_id, generation))`,
    `create table reviews (id {id}, agent_id bigint not null, subject text not null, decision text not null, by text not null,
      why text not null, at bigint not null)`,
    `create table configs (id {id}, project_id bigint not null, kind text not null, name text not null, hash text not null,
      body {bytes} not null, created_at bigint not null)`,
    "create index configs_by_name on configs (project_id, kind, name, id)",
    "create index configs_by_hash on configs (project_id, hash)",
    `create table reports (id {id}, project_id bigint not null, schema text not null, inputs_hash text not null, gate text,
      body {bytes} not null, created_at bigint not null, unique (project_id, schema, inputs_hash))`,
    { only: "postgres", text: "alter table reports alter column body set storage external" },
    `create table kept_runs (project_id bigint not null, run_id bigint not null, by_kind text not null, by_id bigint not null,
      primary key (run_id, by_kind, by_id)) {keyed}`,

    "create table leases (name text primary key, until_at bigint not null)",
  ],
};
