/**
 * What the service keeps, as its other rooms see it. One implementation over two engines: a file (libsql) for one machine, PostgreSQL for many.
 * Every method names the project first: there is no question that crosses projects. Times are milliseconds since 1970; JSON is kept as text that
 * `stringifyJson` wrote; ids of runs as people see them are the first 32 hex digits of the content id.
 */

import type { Json, JsonObject } from "@spoor/core";
import type { Codec, EvaluatedRun, Finding, NewFinding, RunFilter, StageResult, StoredRun } from "./run-shapes.ts";

export type {
  Codec,
  EvaluatedRun,
  Finding,
  NewFinding,
  RunFigures,
  RunFilter,
  StageResult,
  StoredRun,
} from "./run-shapes.ts";

export type Engine = "libsql" | "postgres";

export interface Store {
  readonly engine: Engine;
  readonly projects: Projects;
  readonly tokens: Tokens;
  readonly inbox: Inbox;
  readonly spans: Spans;
  readonly runs: Runs;
  readonly agents: Agents;
  readonly baselines: Baselines;
  readonly cohorts: Cohorts;
  readonly reevaluations: Reevaluations;
  readonly hooks: Hooks;
  readonly alerts: Alerts;
  readonly configs: Configs;
  readonly reports: Reports;
  readonly events: Events;
  readonly retention: Retention;
  readonly guardSessions: GuardSessions;
  readonly leases: Leases;
  readonly bell: Bell;
  /** Rejects when the store cannot be written to; what `/readyz` asks. */
  ping(): Promise<void>;
  /** Bytes that everything takes, of all projects. */
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface Projects {
  /** Makes it when it is not there. */
  ensure(name: string): Promise<Project>;
  list(): Promise<readonly Project[]>;
  configure(projectId: number, settings: Json): Promise<void>;
}

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  /** Sections of a spoor.config file: policy, baseline, cohort. */
  readonly settings: Json;
}

export const scopes = ["ingest", "read", "admin"] as const;
export type Scope = (typeof scopes)[number];

export interface Token {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  /** Its first characters, by which people tell tokens apart. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

export interface Tokens {
  add(token: Omit<Token, "id" | "lastUsedAt" | "revokedAt"> & { readonly hash: Uint8Array }): Promise<Token>;
  /** Also revoked and expired ones: whoever asks says why it is refused. */
  withPrefix(prefix: string): Promise<readonly (Token & { readonly hash: Uint8Array })[]>;
  list(projectId: number): Promise<readonly Token[]>;
  revoke(projectId: number, tokenId: number, at: number): Promise<boolean>;
  used(tokenId: number, at: number): Promise<void>;
  /** Whether there is any at all: without one the service answers this machine alone. */
  any(): Promise<boolean>;
}

/** What a client said about a body beside the body itself. */
export interface ArrivalSource {
  readonly agent?: string;
  readonly scenario?: string;
  readonly release?: string;
  readonly trial?: string;
  /** The name of the file it came from. */
  readonly name?: string;
  /** The format that claims it. */
  readonly format?: string;
  /** The trace whose spans it was made of; set by `Spans.close`. A later arrival of the same trace replaces the runs of the earlier ones. */
  readonly spanTrace?: string;
}

/** Bytes as they were received, acknowledged and not evaluated yet. */
export interface Arrival {
  readonly projectId: number;
  /** SHA-256 of the decoded bytes. */
  readonly contentId: Uint8Array;
  readonly source: ArrivalSource;
  readonly codec: Codec;
  readonly body: Uint8Array;
  readonly receivedAt: number;
}

export interface WaitingArrival extends Arrival {
  readonly id: number;
  /** How often its evaluation was begun and nobody saw its end: the process was gone. */
  readonly attempts: number;
  /** How often its evaluation failed. */
  readonly failures: number;
}

export interface Inbox {
  /**
   * All of them in one transaction, durable when it resolves. For each whether it is new: what waits, was evaluated, was refused or was deleted
   * already is not.
   */
  append(arrivals: readonly Arrival[]): Promise<readonly boolean[]>;
  /**
   * Takes the oldest arrivals nobody else has, has them evaluated, and writes what came of them and takes them out of the inbox in ONE transaction:
   * killed at any point, each arrival has had its effects once or is still there. How many were taken; 0 when none waits.
   *
   * `isSuspect` is true of a lone arrival at which processes ended several times: it is to be evaluated where it can end no other.
   */
  claim(
    limit: number,
    evaluate: (arrivals: readonly WaitingArrival[], isSuspect: boolean) => Promise<readonly Outcome[]>,
  ): Promise<number>;
  /** An arrival that waits, or was refused, by its id or the first half of it; the page of a run that is not there yet says so. */
  find(projectId: number, contentId: Uint8Array): Promise<"waiting" | Rejection | undefined>;
  lag(projectId?: number): Promise<Lag>;
  rejected(projectId: number, before: number | undefined, limit: number): Promise<readonly Rejection[]>;
}

export interface Lag {
  readonly waiting: number;
  readonly oldestReceivedAt?: number;
}

/** What came of one arrival, in the order of the arrivals. A thrown error instead means: all of them again, one by one. */
export type Outcome =
  | { readonly kind: "runs"; readonly runs: readonly EvaluatedRun[] }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string; readonly at?: Json };

export interface Rejection {
  readonly id: number;
  readonly contentId: Uint8Array;
  readonly code: string;
  readonly message: string;
  readonly at?: Json;
  readonly receivedAt: number;
  /** The beginning of the body, decoded. */
  readonly head: Uint8Array;
}

export interface Runs {
  get(projectId: number, id: number): Promise<StoredRun | undefined>;
  /** By the 32 hex digits people see: the run, or all runs of the arrival of that id. */
  named(projectId: number, name: string): Promise<readonly StoredRun[]>;
  /** Newest first, by key: `before` is the id of the last run of the page before. */
  page(projectId: number, filter: RunFilter, before: number | undefined, limit: number): Promise<readonly StoredRun[]>;
  /** Exact up to `most`; `most + 1` means more. */
  count(projectId: number, filter: RunFilter, most: number): Promise<number>;
  body(projectId: number, id: number): Promise<{ readonly codec: Codec; readonly bytes: Uint8Array } | undefined>;
  findings(projectId: number, id: number): Promise<readonly Finding[]>;
  tools(
    projectId: number,
    id: number,
  ): Promise<readonly { readonly name: string; readonly calls: number; readonly errors: number }[]>;
  stages(projectId: number, id: number): Promise<readonly StageResult[]>;
  /** Body, findings, tools and figures go; the content id stays, so that the same bytes do not come back. */
  remove(projectId: number, id: number, at: number): Promise<boolean>;
}

export interface Agents {
  list(projectId: number): Promise<readonly Agent[]>;
  releases(projectId: number, agent: string): Promise<readonly Release[]>;
  /** Says beforehand what a release is made of. */
  announce(projectId: number, agent: string, release: string, inputs: Json, at: number): Promise<void>;
  behaviours(projectId: number, agent: string): Promise<readonly Behaviour[]>;
  rollups(projectId: number, agent: string, from: number, to: number): Promise<readonly Rollup[]>;
}

export interface Agent {
  readonly id: number;
  readonly name: string;
  readonly noun?: string;
  readonly runs: number;
  readonly lastReceivedAt?: number;
}

export interface Release {
  readonly id: number;
  readonly name: string;
  readonly firstSeenAt: number;
  readonly inputs?: Json;
  readonly runs: number;
}

export interface Behaviour {
  readonly id: number;
  readonly hashVersion: string;
  readonly mode: string;
  readonly hash: string;
  readonly path: readonly string[];
  readonly seen: number;
  readonly firstRunId: number;
  readonly lastSeenAt: number;
  readonly status: string;
}

/** Sums of the runs of a release that arrived in one hour. */
export interface Rollup {
  readonly release: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly runs: number;
  readonly known: number;
  readonly failed: number;
  readonly violations: number;
  readonly errors: number;
  readonly tokens: number;
  readonly costMicro: number;
  readonly durationMs: number;
}

/** Rows whose bodies are the baseline files of the command line. */
export interface Baselines {
  list(projectId: number, agent: string): Promise<readonly BaselineRow[]>;
  approved(projectId: number, agent: string): Promise<BaselineRow | undefined>;
  /** `runs` are those it was made of: their bodies are kept while it is a candidate or approved. */
  propose(
    projectId: number,
    agent: string,
    body: string,
    madeFrom: Json,
    at: number,
    runs?: readonly number[],
  ): Promise<BaselineRow>;
  /** `by` and `why` are a person's. Approving archives the generation approved before; going back is approving an old one again. */
  decide(
    projectId: number,
    agent: string,
    generation: number,
    decision: {
      readonly state: "approved" | "rejected";
      readonly by: string;
      readonly why: string;
      readonly at: number;
      /** Only while this generation is the approved one; otherwise nothing is decided. */
      readonly instead?: number;
    },
  ): Promise<BaselineRow | undefined>;
  /** What people decided, newest first. */
  reviews(projectId: number, agent: string): Promise<readonly Review[]>;
}

export interface Review {
  readonly id: number;
  readonly subject: string;
  readonly decision: string;
  readonly by: string;
  readonly why: string;
  readonly at: number;
}

export interface BaselineRow {
  readonly generation: number;
  readonly state: "candidate" | "approved" | "rejected" | "archived";
  readonly body: string;
  readonly madeFrom: Json;
  readonly by?: string;
  readonly why?: string;
  readonly at: number;
}

/** What the cohort lens keeps of runs, and what was last said of each pair of releases. */
export interface Cohorts {
  /** The first runs of a release, in the order in which they arrived; replaced ones are not among them. */
  runs(projectId: number, releaseId: number, most: number): Promise<readonly CohortArrival[]>;
  /** What was kept of them under this version, as JSON, by number. */
  details(projectId: number, ids: readonly number[], version: number): Promise<ReadonlyMap<number, string>>;
  keepDetails(
    projectId: number,
    version: number,
    details: readonly { readonly id: number; readonly detail: string }[],
  ): Promise<void>;
  /** The pair that was looked at last comes first. */
  list(projectId: number, agent: string): Promise<readonly CohortLook[]>;
  /** Writes a look and its event together; false when this many looks have been written already, by whoever. */
  look(
    projectId: number,
    pair: { readonly agentId: number; readonly releaseId: number; readonly againstId: number },
    look: {
      readonly looks: number;
      readonly state: Json;
      readonly event: Json;
      readonly alerts: readonly AlertChange[];
      readonly at: number;
    },
  ): Promise<boolean>;
}

export type CohortArrival = Pick<StoredRun, "id" | "contentId" | "name" | "receivedAt">;

export interface CohortLook {
  readonly release: string;
  readonly against: string;
  /** How often it was looked at. */
  readonly looks: number;
  readonly lookedAt: number;
  readonly state: Json;
}

/** Runs judged again because rules changed: one at a time for each project, the newest rules count. */
export interface Reevaluations {
  current(projectId: number): Promise<Reevaluation | undefined>;
  /** From the newest run on, unless these rules are at work already. */
  begin(projectId: number, rules: string, at: number): Promise<void>;
  /** The next runs, newest first. */
  page(
    projectId: number,
    from: Pick<Reevaluation, "cursor" | "floor">,
    limit: number,
  ): Promise<readonly Pick<StoredRun, "id" | "name">[]>;
  /** What came of a page, in the transaction that moves the cursor; false when somebody else has moved it, or rules changed again. */
  write(
    projectId: number,
    page: {
      readonly rules: string;
      readonly cursor: number;
      readonly next: number;
      readonly judged: readonly JudgedAgain[];
      /** Runs whose recordings are gone: what was said of them stays. */
      readonly notKept: number;
      readonly at: number;
    },
  ): Promise<boolean>;
  /** Once more over what arrived since it began: some of that was judged by the rules before. */
  sweep(projectId: number, rules: string): Promise<void>;
  finish(projectId: number, rules: string, at: number): Promise<void>;
}

export interface Reevaluation {
  /** What tells the rules apart. */
  readonly rules: string;
  readonly cursor: number;
  readonly floor: number;
  readonly isSwept: boolean;
  readonly done: number;
  readonly of: number;
  readonly notKept: number;
  readonly startedAt: number;
  readonly finishedAt?: number;
}

export interface JudgedAgain {
  readonly runId: number;
  readonly status: StoredRun["status"];
  readonly findings: readonly NewFinding[];
  /** Absent where there are no rules any more. */
  readonly stage?: StageResult;
}

export const hookEvents = ["finding", "verdict", "cohort"] as const;
export type HookEvent = (typeof hookEvents)[number];
export const hookFormats = ["plain", "slack"] as const;
export type HookFormat = (typeof hookFormats)[number];

/** Somebody elsewhere who is told what happens. */
export interface Hook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly format: HookFormat;
  readonly events: readonly HookEvent[];
  /** Where the service is reached, for links. */
  readonly base: string;
  readonly createdAt: number;
}

/** Something that is told, until somebody has heard it: waiting, delivered, or given up (dead). */
export interface Delivery {
  readonly id: number;
  readonly key: string;
  readonly event: string;
  readonly body: Json;
  readonly state: "waiting" | "delivered" | "dead";
  readonly attempts: number;
  readonly nextAt: number;
  readonly createdAt: number;
  readonly error?: string;
  readonly doneAt?: number;
}

export interface Hooks {
  /** Its secret comes sealed. */
  add(projectId: number, hook: Omit<Hook, "id"> & { readonly secret: Uint8Array }): Promise<Hook>;
  list(projectId: number): Promise<readonly (Hook & { readonly waiting: number; readonly dead: number })[]>;
  /** With everything it was still to be told. */
  remove(projectId: number, id: number): Promise<boolean>;
  send(
    projectId: number,
    hookId: number,
    letter: { readonly key: string; readonly event: string; readonly body: Json },
    at: number,
  ): Promise<boolean>;
  /** Newest first. */
  deliveries(projectId: number, hookId: number, limit: number): Promise<readonly Delivery[]>;
  /** What is due and nobody else is about to send before `until`; each counts as tried. */
  claim(
    limit: number,
    now: number,
    until: number,
  ): Promise<readonly (Delivery & { readonly hook: Hook; readonly secret: Uint8Array })[]>;
  delivered(id: number, at: number): Promise<void>;
  /** Again at `nextAt`; without one it is given up. */
  failed(id: number, error: string, when: { readonly nextAt?: number; readonly at: number }): Promise<void>;
}

/** Something that people are told of once, until it is over. */
export interface AlertChange {
  readonly projectId: number;
  readonly agentId: number;
  /** -1 for none. */
  readonly releaseId: number;
  readonly subject: string;
  readonly event: HookEvent;
  readonly state: "raised" | "cleared";
  /** What is told: never anything that a run said. */
  readonly facts: JsonObject;
}

export interface Alerts {
  /** Clears what rules raised where none of the newest runs of the release breaks the rule any more; how many. */
  clearQuiet(lookBack: number, at: number): Promise<number>;
}

/** Files that stages read, by the digest of exactly what they read. */
export interface Configs {
  put(projectId: number, kind: string, name: string, body: string, at: number): Promise<string>;
  get(projectId: number, hash: string): Promise<string | undefined>;
  /** The newest body of that kind and name. */
  current(
    projectId: number,
    kind: string,
    name: string,
  ): Promise<{ readonly hash: string; readonly body: string } | undefined>;
  list(
    projectId: number,
    kind: string,
  ): Promise<readonly { readonly name: string; readonly hash: string; readonly createdAt: number }[]>;
}

/** How many reports of one kind a project may have, and how many bytes of them as they are kept. */
export interface ReportLimits {
  readonly reports: number;
  readonly bytes: number;
}

/** Published reports (`spoor.gate/1` …) under the digest of what they were made of: the same question is answered once. */
export interface Reports {
  put(
    projectId: number,
    report: {
      readonly schema: string;
      readonly inputsHash: string;
      readonly gate?: string;
      readonly body: string;
      readonly at: number;
      /** The runs it speaks of: their bodies are kept. */
      readonly runs?: readonly number[];
    },
  ): Promise<number>;
  get(projectId: number, id: number): Promise<StoredReport | undefined>;
  find(projectId: number, schema: string, inputsHash: string): Promise<StoredReport | undefined>;
  /** Newest first, without their bodies. */
  page(
    projectId: number,
    schema: string | undefined,
    before: number | undefined,
    limit: number,
  ): Promise<readonly Omit<StoredReport, "body">[]>;
}

export interface StoredReport {
  readonly id: number;
  readonly schema: string;
  readonly inputsHash: string;
  readonly gate?: string;
  readonly body: string;
  readonly createdAt: number;
}

/** Spans of traces that have not ended yet. */
export interface Spans {
  append(projectId: number, spans: readonly StoredSpan[], at: number): Promise<void>;
  /** Traces to which nothing was added since `quietSince`, or that began before `openSince`. */
  closed(
    quietSince: number,
    openSince: number,
    limit: number,
  ): Promise<readonly { readonly projectId: number; readonly traceId: string }[]>;
  /** The spans of a trace become one arrival, in one transaction. */
  close(
    projectId: number,
    traceId: string,
    assemble: (spans: readonly StoredSpan[]) => Arrival | undefined,
  ): Promise<boolean>;
}

/** A span, or a log record that is an event of one. */
export interface StoredSpan {
  readonly traceId: string;
  /** Unlike every other of the trace; what is read back is in its order. */
  readonly spanId: string;
  readonly resource: Json;
  readonly scope: Json;
  readonly span: Json;
}

/** What happened, in order: the live page and the webhooks read it from where they left off. Written with the thing itself. */
export interface Events {
  /** For what is not written with an evaluation: verdicts, cohorts. */
  add(
    projectId: number,
    kind: StoredEvent["kind"],
    body: Json,
    at: number,
    /** Who is to be told of it elsewhere, in the same transaction. */
    alerts?: readonly AlertChange[],
  ): Promise<void>;
  after(projectId: number, id: number, limit: number): Promise<readonly StoredEvent[]>;
  last(projectId: number): Promise<number>;
  /** The newest, newest first. */
  recent(projectId: number, limit: number): Promise<readonly StoredEvent[]>;
}

export interface StoredEvent {
  readonly id: number;
  readonly kind: "run" | "finding" | "verdict" | "cohort" | "review" | "reevaluation";
  readonly body: Json;
  readonly at: number;
}

export interface Retention {
  /** Removes what is older than its limit, in slices, and says what went. Runs that a baseline or a report names keep their bodies. */
  apply(limits: RetentionLimits, now: number): Promise<RetentionResult>;
}

export interface RetentionLimits {
  readonly bodiesMs: number;
  readonly rejectedMs: number;
  readonly eventsMs: number;
  /** Spans of closed traces; a day when not said. */
  readonly spansMs?: number;
  /** The file engine alone: oldest bodies go first when the file is larger. */
  readonly bytes?: number;
}

export interface RetentionResult {
  readonly bodies: number;
  readonly rejected: number;
  readonly events: number;
  /** Traces whose spans went. */
  readonly spans: number;
}

/** What the guards of several processes remember of one session; one process at a time has it. */
export interface GuardSessions {
  /**
   * The saved text (undefined at first) for `forMs`, or "held" when somebody else has it. The same lock takes it again: for those who did not hear the
   * answer.
   */
  take(projectId: number, session: string, lock: string, now: number, forMs: number): Promise<TakenSession | "held">;
  /** Keeps the text, or forgets the session where there is none, and lets go of it. False when the lock is no longer the one that has it. */
  keep(projectId: number, session: string, lock: string, saved: string | undefined, now: number): Promise<boolean>;
  /** Lets go of it as it was. */
  release(projectId: number, session: string, lock: string): Promise<void>;
}

export interface TakenSession {
  readonly saved?: string;
}

/** Work that one process at a time does, of however many there are. */
export interface Leases {
  /** True for one of all who ask before `until`. */
  take(name: string, until: number, now: number): Promise<boolean>;
}

/** Rings after something was committed; may be lost, so whoever waits also looks now and then. */
export interface Bell {
  ring(topic: "inbox" | "events"): void;
  /** The returned function stops listening. */
  onRing(topic: "inbox" | "events", listener: () => void): () => void;
}
