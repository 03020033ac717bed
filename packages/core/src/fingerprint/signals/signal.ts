/**
 * A drift signal: a named finding about one run against the known behaviour it is closest to, with the numbers, the
 * threshold and what it was measured on. A signal that lacks its data says so instead of staying quiet.
 */
import type { FindingSeverity } from "../../judgement/severity.ts";
import type { Status } from "../classify.ts";
import type { OutputKeys, RunFacts } from "../run-facts.ts";
import type { RunStatistics } from "../statistics.ts";
import type { Thresholds } from "../thresholds.ts";

export interface SignalContext {
  readonly run: RunFacts;
  readonly status: Status;
  /** Statistics of the matched or closest behaviour; undefined when there is none to compare with. */
  readonly known: RunStatistics | undefined;
  /**
   * What those statistics span. Within a family runs differ from one another by nature, so a number that some recorded run
   * of the family already had is no drift, however far it lies from the mean.
   */
  readonly scope: "intent" | "family";
  /** Every tool of the baseline. */
  readonly knownTools: ReadonlySet<string>;
  readonly outputKeys: ReadonlyMap<string, OutputKeys>;
  readonly thresholds: Thresholds;
}

export interface SignalFinding {
  /** What it is about: a tool, a component, or what was measured. */
  readonly subject: string;
  readonly measure: string;
  readonly unit: "ms" | "tokens" | "calls" | "retries" | "percent" | "results" | "fields" | "tools" | "runs";
  readonly current: number | null;
  readonly baseline: number | null;
  /** Percent of the baseline value; null when that is 0. */
  readonly changePercent: number | null;
  readonly fromZero?: true;
  /** The limit that was passed, in the unit of what was compared with it. */
  readonly threshold: number | null;
  /** Names, where the finding is about names: new tools, added or removed fields. */
  readonly names?: readonly string[];
}

export type SignalOutcome =
  | { readonly state: "quiet" }
  | { readonly state: "noData"; readonly why: string }
  | { readonly state: "fires"; readonly severity: FindingSeverity; readonly findings: readonly SignalFinding[] };

export interface SignalDefinition {
  readonly name: string;
  readonly severity: FindingSeverity;
  detect(context: SignalContext): SignalOutcome;
}

/** A signal that fired, as reports hold it. */
export interface Signal {
  readonly name: string;
  readonly severity: FindingSeverity;
  readonly findings: readonly SignalFinding[];
}

export const QUIET: SignalOutcome = { state: "quiet" };

export function fires(severity: FindingSeverity, findings: readonly SignalFinding[]): SignalOutcome {
  return findings.length === 0 ? QUIET : { state: "fires", severity, findings };
}

export function noData(why: string): SignalOutcome {
  return { state: "noData", why };
}

export interface Change {
  readonly changePercent: number | null;
  readonly fromZero?: true;
}

/** Relative change in percent. From 0 there is none: any rise is `fromZero`. */
export function change(baseline: number, current: number): Change {
  if (baseline !== 0) return { changePercent: ((current - baseline) / baseline) * 100 };
  return current > 0 ? { changePercent: null, fromZero: true } : { changePercent: 0 };
}

/** Strictly above the threshold; a rise from 0 always is. */
export function roseAbove(value: Change, thresholdPercent: number): boolean {
  return value.fromZero === true || (value.changePercent !== null && value.changePercent > thresholdPercent);
}
