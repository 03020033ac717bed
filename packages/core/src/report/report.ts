/**
 * What every report shares. A report is plain data: the renderers make words of it, the gate decides on it, and the same
 * facts stand in every format.
 */

import type { Severity } from "../judgement/severity.ts";

export interface ReportHeader<Schema extends string> {
  readonly schema: Schema;
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  readonly coverage: Coverage;
  readonly gate: Gate;
}

export interface ToolInfo {
  readonly name: "spoor";
  readonly version: string;
}

/** A file or trace that went in. */
export interface ReportInput {
  readonly role:
    | "baseline"
    | "candidate"
    | "trace"
    | "policy"
    | "evaluators"
    | "evals"
    | "results"
    | "config"
    | "pricing";
  readonly path: string;
  readonly format?: string;
  /** `sha256:` of the content, when it was computed. */
  readonly contentId?: string;
  readonly traces?: number;
}

/** What was seen, and what was not: silence is reported. */
export interface Coverage {
  readonly traces: number;
  readonly turns: number;
  readonly toolCalls: number;
  readonly callsWithoutResult: number;
  /** What no reader understood: type → how many. */
  readonly unknown: Readonly<Record<string, number>>;
  readonly skippedLines: number;
  /** Traces that ended early and were accepted under `--lenient`. */
  readonly truncated: readonly string[];
  /** Requests that nothing answered. */
  readonly unanswered?: number;
  /** Stretches in which a recorder could not write. */
  readonly gaps?: number;
  /** Last lines that broke off and were dropped. */
  readonly torn?: number;
  /** Figures that were NaN or Infinity and are read as absent. */
  readonly notNumbers?: number;
  /** Calls whose result is known only from what the next request told. */
  readonly told?: number;
  /** Calls whose result a replay served from a recording. */
  readonly replayed?: number;
  /** Calls for which a replay had no such result and served another, or none. */
  readonly standIns?: number;
  /** Turns after the first result that the recorded world did not hold. */
  readonly offPath?: number;
  /** Files that another side of the comparison has too, and which count there alone. */
  readonly takenOut?: readonly TakenOut[];
  /** Questions that were asked and could not be answered, in words: "judge: not configured". */
  readonly notEvaluated: readonly NotEvaluated[];
}

export interface TakenOut {
  /** The side they were taken out of, as the user wrote it. */
  readonly from: string;
  readonly files: number;
}

export interface NotEvaluated {
  readonly what: string;
  readonly why: string;
  /** `not_run`: nobody asked for it. `no_data`: what it needs was not recorded. */
  readonly code?: "no_data" | "not_run";
}

export interface Gate {
  readonly failOn: string;
  readonly tripped: boolean;
  readonly reasons: readonly GateReason[];
}

/** Why a gate tripped: a stable code and the thing's own name (an axis, a rule id, an evaluator). */
export interface GateReason {
  readonly code: string;
  readonly subject: string;
  readonly severity?: Severity;
}
