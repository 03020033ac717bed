/**
 * What the service keeps, as its other rooms see it. One implementation over two engines: a file (libsql) for one machine, PostgreSQL for many.
 * Every method names the project first: there is no question that crosses projects. Times are milliseconds since 1970; JSON is kept as text that
 * `stringifyJson` wrote; ids of runs as people see them are the first 32 hex digits of the content id.
 */

import type { Agents } from "./agents.ts";
import type { Alerts } from "./alerts.ts";
import type { Baselines } from "./baselines.ts";
import type { Cohorts } from "./cohorts.ts";
import type { Configs } from "./configs.ts";
import type { Bell } from "./engine/bell.ts";
import type { Engine } from "./engine/engine.ts";
import type { Events } from "./events.ts";
import type { GuardSessions } from "./guard-sessions.ts";
import type { Hooks } from "./hooks.ts";
import type { Inbox } from "./inbox.ts";
import type { Leases } from "./leases.ts";
import type { Projects } from "./projects.ts";
import type { Reevaluations } from "./reevaluations.ts";
import type { Reports } from "./reports.ts";
import type { Retention } from "./retention.ts";
import type { Runs } from "./runs.ts";
import type { Spans } from "./spans.ts";
import type { Tokens } from "./tokens.ts";

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

export type { Agent, Agents, Behaviour, Release, Rollup } from "./agents.ts";
export type { AlertChange, Alerts } from "./alerts.ts";
export type { Arrival, ArrivalSource, Outcome, Rejection, WaitingArrival } from "./arrival.ts";
export type { BaselineRow, Baselines, Review } from "./baselines.ts";
export type { CohortArrival, CohortLook, Cohorts } from "./cohorts.ts";
export type { Configs } from "./configs.ts";
export type { Bell } from "./engine/bell.ts";
export type { Engine } from "./engine/engine.ts";
export type { Events, StoredEvent } from "./events.ts";
export type { GuardSessions, TakenSession } from "./guard-sessions.ts";
export type { Delivery, Hook, HookEvent, HookFormat } from "./hook.ts";
export type { Hooks } from "./hooks.ts";
export type { Inbox, Lag } from "./inbox.ts";
export type { Leases } from "./leases.ts";
export type { Project, Projects } from "./projects.ts";
export type { JudgedAgain, Reevaluation } from "./reevaluation.ts";
export type { Reevaluations } from "./reevaluations.ts";
export type { ReportLimits, Reports, StoredReport } from "./reports.ts";
export type { Retention, RetentionLimits, RetentionResult } from "./retention.ts";
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
export type { Runs } from "./runs.ts";
export type { FragmentTie, SpanAssembler, SpanTraceKey, StoredFragment, StoredSpan } from "./span-shapes.ts";
export type { Spans } from "./spans.ts";
export type { Scope, Token, Tokens } from "./tokens.ts";
