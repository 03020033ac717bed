/**
 * How large a shift is: none, minor, moderate or severe. A magnitude only; direction.ts says which way. The thresholds
 * are those of Shadow, to the last comparison, so that gates keep their meaning when a project moves.
 */
import type { Severity } from "../judgement/severity.ts";

export interface Shift {
  readonly baseline: number;
  readonly delta: number;
  readonly low: number;
  readonly high: number;
}

/** Value axes grade the relative shift of a median, rate axes the absolute shift, the judge as its own older rule asks. */
export type Grading = "value" | "rate" | "judge";

interface GradingFacts {
  /** Steps are shares of the baseline, or plain differences. */
  readonly of: "baseline" | "difference";
  /** Where moderate and severe begin. */
  readonly steps: { readonly moderate: number; readonly severe: number };
}

/** @reference */
export const gradings: Readonly<Record<Grading, GradingFacts>> = {
  value: { of: "baseline", steps: { moderate: 0.1, severe: 0.3 } },
  rate: { of: "difference", steps: { moderate: 0.05, severe: 0.15 } },
  judge: { of: "baseline", steps: { moderate: 0.1, severe: 0.3 } },
};

const ZERO = 1e-9;
/** From a baseline of 0: below the floor minor, from the floor on moderate, from this many floors on severe. */
const SEVERE_FLOORS = 10;
/** A relative shift below this is noise when the interval spans zero. */
const NOISE_SHARE = 0.05;

export function gradeShift(grading: Grading, shift: Shift): Severity {
  const { baseline, delta, low, high } = shift;
  if (![baseline, delta, low, high].every(Number.isFinite)) return "none";
  if (Math.abs(delta) < ZERO) return "none";
  if (grading === "rate") return temper(gradeMagnitude(Math.abs(delta), gradings.rate.steps), shift);
  const crosses = crossesZero(grading, shift);
  if (crosses && Math.abs(delta) < Math.max(NOISE_SHARE * Math.abs(baseline), ZERO)) return "none";
  const base = isZero(baseline) ? "minor" : gradeMagnitude(Math.abs(delta / baseline), gradings[grading].steps);
  if (grading === "judge") return crosses ? "minor" : base;
  return temper(base, shift);
}

/** The grade of a shift from a baseline of 0, where no relative shift exists. */
export function gradeFromZero(shift: Shift, floor: number): Severity {
  return temper(gradeMagnitude(Math.abs(shift.delta), { moderate: floor, severe: SEVERE_FLOORS * floor }), shift);
}

/** Whether a baseline counts as 0. */
export function isZero(baseline: number): boolean {
  return Math.abs(baseline) < ZERO;
}

/** The shift from which on it is severe. */
export function severeShift(grading: Grading, baseline: number, floor: number | undefined): number {
  const { of, steps } = gradings[grading];
  if (of === "difference") return steps.severe;
  return isZero(baseline) ? (floor === undefined ? 1 : SEVERE_FLOORS * floor) : steps.severe * Math.abs(baseline);
}

/** True when the interval reaches to both sides of zero; the judge's rule also counts an interval that touches it. */
export function crossesZero(grading: Grading, { low, high }: Pick<Shift, "low" | "high">): boolean {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return false;
  if (grading === "judge") return low <= 0 && high >= 0 && !(low === 0 && high === 0);
  return low < -ZERO && high > ZERO;
}

function gradeMagnitude(size: number, steps: { moderate: number; severe: number }): Severity {
  if (size < steps.moderate) return "minor";
  return size < steps.severe ? "moderate" : "severe";
}

/** A shift smaller than its own uncertainty is at most minor. */
function temper(severity: Severity, { delta, low, high }: Pick<Shift, "delta" | "low" | "high">): Severity {
  if (severity === "none" || severity === "minor" || !crossesZero("value", { low, high })) return severity;
  const width = Math.abs(high - low);
  return width < ZERO || Math.abs(delta) >= width ? severity : "minor";
}
