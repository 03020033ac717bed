/** The reports of `spoor baseline`, as plain data. */
import type { ReportHeader } from "../report/report.ts";
import type { HistoryEntry, LeftOut } from "./baseline.ts";
import type { BaselineVerdict } from "./baseline-verdict.ts";
import type { AgentComparison } from "./comparison.ts";
import type { FamilySummary } from "./fingerprint-report.ts";
import type { FingerprintMode } from "./mode.ts";

/** Every report that `spoor baseline` prints; `action` tells them apart. */
export type AnyBaselineReport = BaselineReport | BaselineBuildReport | BaselineShowReport;

/** A comparison of runs with what their agents are known to do. */
export interface BaselineReport extends ReportHeader<"spoor.baseline/1"> {
  readonly action: "compare";
  readonly verdict: BaselineVerdict;
  readonly agents: readonly AgentComparison[];
  readonly summary: CompareSummary;
}

/** The counts a CI job asks for. */
export interface CompareSummary {
  readonly status: "passed" | "failed";
  readonly totalTraces: number;
  readonly analyzedTraces: number;
  readonly unanalyzedTraces: number;
  readonly passed: number;
  readonly newBehavior: number;
  readonly noBaseline: number;
  readonly policyFailures: number;
}

export interface BaselineBuildReport extends ReportHeader<"spoor.baseline/1"> {
  readonly action: "build" | "update";
  readonly agents: readonly BuiltAgent[];
}

export interface BuiltAgent {
  readonly agent: string;
  readonly file: string;
  readonly generation: number;
  /** Runs of this command, by what became of them. */
  readonly recorded: number;
  readonly alreadyRecorded: number;
  readonly failedRuns: number;
  readonly emptyRuns: number;
  readonly leftOut: readonly LeftOut[];
  /** Paths that the baseline did not know, each with the runs that taught it. */
  readonly learned: readonly { readonly path: string; readonly runs: readonly string[] }[];
  /** The whole baseline after it. */
  readonly runs: number;
  readonly intents: number;
  readonly seenOnce: number;
  readonly families: number;
}

export interface BaselineShowReport extends ReportHeader<"spoor.baseline/1"> {
  readonly action: "show" | "history";
  readonly agents: readonly ShownAgent[];
}

export interface ShownAgent {
  readonly agent: string;
  readonly file: string;
  readonly updatedAt: string;
  readonly generation: number;
  readonly mode: FingerprintMode;
  readonly hashVersion: string;
  readonly runs: number;
  readonly windowSize: number;
  readonly models: readonly string[];
  readonly tools: readonly string[];
  readonly families: readonly FamilySummary[];
  readonly intents: readonly ShownIntent[];
  readonly rejected: readonly string[];
  readonly history: readonly HistoryEntry[];
  /** Generations that can be rolled back to. */
  readonly archived: readonly number[];
}

export interface ShownIntent {
  readonly hash: string;
  readonly name: string | null;
  readonly path: string;
  readonly runs: number;
  readonly sampleCount: number;
  readonly accepted: number;
  readonly avgTokens: number | null;
  readonly avgLatencyMs: number | null;
  readonly errorRate: number;
}
