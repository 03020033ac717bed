/**
 * The tables as queries see them, the same on both engines. Times are milliseconds since 1970, JSON is text, bytes are `Uint8Array`, and there
 * are no booleans: the embedded engine ends the process when it is given one. `-1` stands where a key may not be null.
 */
import type { Generated } from "kysely";

export interface Tables {
  readonly projects: {
    id: Generated<number>;
    name: string;
    created_at: number;
    settings: string;
  };
  readonly tokens: {
    id: Generated<number>;
    project_id: number;
    name: string;
    prefix: string;
    hash: Uint8Array;
    scopes: string;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  readonly agents: {
    id: Generated<number>;
    project_id: number;
    name: string;
    noun: string | null;
  };
  readonly releases: {
    id: Generated<number>;
    agent_id: number;
    name: string;
    first_seen_at: number;
    inputs: string | null;
  };
  readonly tools: {
    id: Generated<number>;
    project_id: number;
    name: string;
  };
  /** Every body that was ever acknowledged, for good: what waits, was evaluated, refused or deleted is known by its content id. */
  readonly arrivals: {
    id: Generated<number>;
    project_id: number;
    content_id: Uint8Array;
    /** Of a trace that came as spans: a later arrival of the same trace replaces its runs. */
    trace_id: string | null;
  };
  /** What waits. Its id is that of the arrival. */
  readonly inbox: {
    id: number;
    project_id: number;
    source: string;
    codec: "plain" | "gzip";
    body: Uint8Array;
    received_at: number;
  };
  /** Apart from the inbox, so that it can be raised while the claimed row is locked. */
  readonly attempts: {
    id: number;
    /** Begun, and nobody has said how it ended. */
    attempts: number;
    failures: Generated<number>;
  };
  /** Its id is that of the arrival. */
  readonly rejected: {
    id: number;
    project_id: number;
    code: string;
    message: string;
    at: string | null;
    received_at: number;
    rejected_at: number;
    head: Uint8Array;
  };
  readonly runs: {
    id: Generated<number>;
    project_id: number;
    content_id: Uint8Array;
    arrival_id: number;
    external_id: string | null;
    agent_id: number;
    release_id: number;
    behaviour_id: number;
    scenario: string | null;
    trial: string | null;
    name: string;
    format: string;
    model: string | null;
    status: string;
    stop_reason: string | null;
    started_at: number | null;
    duration_ms: number | null;
    received_at: number;
    turns: number;
    calls: number;
    errors: number;
    calls_without_result: number;
    replayed: number;
    stand_ins: number;
    unknown_records: number;
    input_tokens: number | null;
    output_tokens: number | null;
    cost_micro: number | null;
    structural: string;
    verdict: string;
    similarity: number | null;
    findings: number;
    body_month: number;
    superseded_by: number | null;
  };
  readonly tombstones: {
    project_id: number;
    content_id: Uint8Array;
    at: number;
  };
  readonly bodies: {
    /** Year and month of its arrival, as 202611. */
    body_month: number;
    run_id: number;
    codec: "plain" | "gzip";
    body: Uint8Array;
  };
  readonly run_tools: {
    project_id: number;
    tool_id: number;
    run_id: number;
    calls: number;
    errors: number;
  };
  readonly behaviours: {
    id: Generated<number>;
    agent_id: number;
    hash_version: string;
    mode: string;
    hash: string;
    /** Packed: its steps are long names that repeat. */
    path: Uint8Array;
    seen: number;
    first_run_id: number;
    last_seen_at: number;
    status: string;
  };
  readonly stage_results: {
    run_id: number;
    stage: string;
    config_hash: string;
    result: string;
  };
  readonly findings: {
    id: Generated<number>;
    project_id: number;
    run_id: number;
    config_hash: string;
    rule_id: string;
    kind: string;
    severity: string;
    code: string;
    subject: string;
    turn_index: number;
    session_index: number;
    evidence: string;
  };
  readonly rollups: {
    agent_id: number;
    release_id: number;
    hour: number;
    runs: number;
    known: number;
    failed: number;
    violations: number;
    errors: number;
    tokens: number;
    cost_micro: number;
    ms_sum: number;
  };
  readonly events: {
    id: Generated<number>;
    project_id: number;
    kind: "run" | "finding" | "verdict" | "cohort" | "review" | "reevaluation";
    body: string;
    at: number;
  };
  readonly span_traces: {
    project_id: number;
    trace_id: string;
    first_at: number;
    last_at: number;
    /** 0 while it is open. */
    closed_at: number;
    bytes: number;
  };
  readonly spans: {
    project_id: number;
    trace_id: string;
    span_id: string;
    resource: string;
    scope: string;
    span: string;
  };
  /** Traces without a root. */
  readonly fragments: {
    project_id: number;
    trace_id: string;
    started_at: number;
    /** The run it is joined to: a name that all of that run have; null before it was looked at. */
    home: string | null;
    /** 1 when its place has to be found, or found anew. */
    waiting: number;
  };
  readonly span_ties: {
    project_id: number;
    tie: string;
    side: "offers" | "seeks";
    trace_id: string;
    weak: number;
  };
  readonly baselines: {
    id: Generated<number>;
    agent_id: number;
    generation: number;
    state: "candidate" | "approved" | "rejected" | "archived";
    body: Uint8Array;
    made_from: string;
    by: string | null;
    why: string | null;
    at: number;
  };
  /** What the cohort lens keeps of a run, packed. */
  readonly cohort_runs: {
    run_id: number;
    version: number;
    detail: Uint8Array;
  };
  readonly cohorts: {
    agent_id: number;
    release_id: number;
    against_id: number;
    looks: number;
    looked_at: number;
    state: string;
  };
  readonly reevaluations: {
    project_id: number;
    rules: string;
    cursor_id: number;
    floor_id: number;
    top_id: number;
    swept: number;
    done: number;
    of_runs: number;
    not_kept: number;
    started_at: number;
    finished_at: number | null;
  };
  readonly hooks: {
    id: Generated<number>;
    project_id: number;
    name: string;
    url: string;
    format: string;
    events: string;
    base: string;
    /** Sealed. */
    secret: Uint8Array;
    created_at: number;
  };
  readonly outbox: {
    id: Generated<number>;
    project_id: number;
    hook_id: number;
    key: string;
    event: string;
    body: string;
    state: "waiting" | "delivered" | "dead";
    attempts: number;
    next_at: number;
    claimed_until: number;
    error: string | null;
    created_at: number;
    done_at: number | null;
  };
  readonly alerts: {
    agent_id: number;
    release_id: number;
    subject: string;
    raised: number;
    generation: number;
    at: number;
  };
  readonly reviews: {
    id: Generated<number>;
    agent_id: number;
    subject: string;
    decision: string;
    by: string;
    why: string;
    at: number;
  };
  readonly configs: {
    id: Generated<number>;
    project_id: number;
    kind: string;
    name: string;
    hash: string;
    body: Uint8Array;
    created_at: number;
  };
  readonly reports: {
    id: Generated<number>;
    project_id: number;
    schema: string;
    inputs_hash: string;
    gate: string | null;
    body: Uint8Array;
    created_at: number;
  };
  /** Runs whose bodies something names. */
  readonly kept_runs: {
    project_id: number;
    run_id: number;
    by_kind: "baseline" | "report";
    by_id: number;
  };
  readonly guard_sessions: {
    project_id: number;
    /** The digest of its id. */
    session: string;
    /** Null as long as nobody has kept anything. */
    saved: Uint8Array | null;
    /** Empty when nobody has it. */
    lock_token: string;
    locked_until: number;
    /** The lock under which it was kept last: who did not hear the answer asks again. */
    kept_by: string;
    touched_at: number;
  };
  readonly leases: {
    name: string;
    until_at: number;
  };
  readonly migrations: {
    name: string;
    checksum: string;
    at: number;
  };
}

export type RunsTable = Tables["runs"];
