/** What an axis is: one quantity per turn and side, a way to grade its shift, and the row it becomes. */
import type { Severity } from "../judgement/severity.ts";
import type { Interval } from "../stats/bootstrap.ts";
import type { Turn } from "../trace/trace.ts";
import type { Direction } from "./direction.ts";
import type { PriceList } from "./pricing/price.ts";
import type { Grading } from "./severity.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

export const axisNames = [
  "semantic",
  "trajectory",
  "safety",
  "verbosity",
  "latency",
  "cost",
  "reasoning",
  "judge",
  "conformance",
] as const;
export type AxisName = (typeof axisNames)[number];

/** Two turns that are taken for the same turn. */
export interface ResponsePair {
  readonly baseline: TurnFacts;
  readonly candidate: TurnFacts;
}

export interface AxisContext {
  readonly table: FactsTable;
  readonly prices: PriceList;
  /** Lower-case phrases that make a response a refusal. */
  readonly refusals: readonly string[];
  /** Turns texts into vectors; without one the semantic axis compares weighted words. */
  readonly embed?: (texts: readonly string[]) => readonly (readonly number[])[];
  /** A score in [0, 1] for the candidate's answer, or undefined when the judge has no opinion. */
  readonly judge?: (baseline: Turn, candidate: Turn) => number | undefined;
}

/** One number per pair and side, in pair order. NaN on either side leaves the pair out of this axis. */
export interface AxisValues {
  readonly baseline: Float64Array;
  readonly candidate: Float64Array;
  /** Pairs in which both sides recorded the quantity; every counted pair unless the axis says otherwise. */
  readonly measured?: number;
  readonly flags?: readonly AxisFlag[];
}

export interface Axis {
  readonly name: AxisName;
  readonly grading: Grading;
  readonly statistic: "median" | "mean";
  /** With a baseline median of 0 a relative shift means nothing: the gate grades against this absolute step instead. */
  readonly floor?: number;
  measure(pairs: readonly ResponsePair[], context: AxisContext): AxisValues;
}

export type AxisFlag = "low_power" | "ci_crosses_zero" | "no_pricing";

/** One line of the table: candidate against baseline over all pairs. */
export interface AxisRow {
  readonly axis: AxisName;
  readonly statistic: "median" | "mean";
  /** The median, or the mean for rates. */
  readonly baselineMedian: number;
  readonly candidateMedian: number;
  readonly delta: number;
  readonly ci95Low: number;
  readonly ci95High: number;
  /** Whole traces drawn instead of turns; present when there are several traces. */
  readonly traceCi95?: Interval;
  readonly severity: Severity;
  /** What the gate goes by: differs from `severity` when the baseline is 0 or nothing was measured. */
  readonly gateSeverity: Severity;
  readonly direction: Direction;
  /** Pairs in the row. */
  readonly n: number;
  /** Pairs in which both sides recorded the quantity; 0 means "no data". */
  readonly measured: number;
  readonly flags: readonly AxisFlag[];
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
