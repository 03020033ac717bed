/** One line of a diff's table: candidate against baseline over all pairs. */
import type { Severity } from "../judgement/severity.ts";
import type { BootstrapInterval } from "../stats/bootstrap.ts";
import { type AxisName, axisNamed } from "./axes.ts";
import type { AxisFlag, Unanswered } from "./axis.ts";
import type { Direction } from "./direction.ts";
import { severeShift } from "./severity.ts";

export interface AxisRow {
  readonly axis: AxisName;
  /** What `baseline` and `candidate` are over the pairs. */
  readonly statistic: "median" | "mean";
  readonly baseline: number;
  readonly candidate: number;
  readonly delta: number;
  readonly ci95Low: number;
  readonly ci95High: number;
  /** Whole traces drawn instead of turns; present when there are several traces. */
  readonly traceCi95?: BootstrapInterval;
  readonly severity: Severity;
  /** What the gate goes by: differs from `severity` when the baseline is 0 or nothing was measured. */
  readonly gateSeverity: Severity;
  readonly direction: Direction;
  /** Pairs in the row, and the turns without a partner that it counts. */
  readonly n: number;
  /** How many of `n` are turns without a partner; absent for an axis of pairs. */
  readonly alone?: number;
  /** Pairs in which both sides recorded the quantity; 0 means "no data". */
  readonly measured: number;
  readonly flags: readonly AxisFlag[];
  /** Pairs that a judge was asked about and gave no score for: without them there is no verdict. */
  readonly unanswered?: Unanswered;
  readonly sign: SignEvidence;
}

/** Exact sign test over the pairs, alone and corrected (Holm) for the number of rows that have data. */
export interface SignEvidence {
  readonly up: number;
  readonly down: number;
  readonly equal: number;
  readonly pValue: number;
  readonly correctedPValue: number;
}

/** True when the row's numbers mean nothing. */
export function hasNoData(row: Pick<AxisRow, "measured" | "flags">): boolean {
  return row.measured === 0 || row.flags.includes("no_pricing");
}

/** Why a row has no numbers; `not_run` when nobody asked for it. */
export function whyNoData(row: AxisRow): { readonly code: "no_data" | "not_run"; readonly why: string } {
  if (row.unanswered !== undefined) return { code: "no_data", why: row.unanswered.why };
  if (row.flags.includes("not_recorded")) return { code: "no_data", why: "what was said was not recorded" };
  if (row.flags.includes("replayed")) return { code: "no_data", why: "the answers were replayed" };
  const { noData, onRequest } = axisNamed(row.axis).words;
  return { code: onRequest ? "not_run" : "no_data", why: typeof noData === "string" ? noData : noData(row) };
}

/** The shift from which on the gate calls this row severe. */
export function severeStep(row: Pick<AxisRow, "axis" | "baseline">): number {
  const { grading, floor } = axisNamed(row.axis);
  return severeShift(grading, row.baseline, floor);
}
