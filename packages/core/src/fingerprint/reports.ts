/** The reports of this lens, as plain data. */
import type { ReportHeader } from "../report/report.ts";
import type { HistoryEntry, LeftOut } from "./baseline.ts";
import type { AgentComparison } from "./comparison.ts";
import type { FingerprintMode } from "./mode.ts";
import type { Verdict } from "./verdict-sentence.ts";

export interface FingerprintReport extends ReportHeader<"spoor.fingerprint/1"> {
  readonly mode: FingerprintMode;
  readonly hashVersion: string;
  readonly traces: readonly TraceFingerprint[];
  readonly agents: readonly AgentFamilies[];
}

export interface TraceFingerprint {
  readonly run: string;
  readonly agent: string;
  readonly hash: string;
  readonly string: string;
  readonly structuralHash: string;
  readonly shape: { readonly hash: string; readonly string: string };
  readonly stepCount: number;
  readonly path: string;
}

/** How varied an agent is: its runs, its distinct behaviours, and the families these fall into. */
export interface AgentFamilies {
  readonly agent: string;
  readonly runs: number;
  readonly emptyRuns: number;
  readonly intents: number;
  readonly families: readonly FamilySummary[];
}

export interface FamilySummary {
  readonly id: string;
  readonly path: string;
  readonly intents: number;
  readonly runs: number;
}

export interface BaselineCompareReport extends ReportHeader<"spoor.baseline/1"> {
  readonly action: "compare";
  readonly verdict: Verdict;
  readonly agents: readonly AgentComparison[];
  readonly summary: CompareSummary;
}

/** The counts a CI job asks for. */
export interface CompareSummary {
  readonly overallResult: "PASS" | "FAIL";
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
