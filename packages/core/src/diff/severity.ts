/**
 * How large a shift is: none, minor, moderate or severe. A magnitude only; direction.ts says which way. Thresholds are those
 * of the reference engine, to the last comparison.
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

const ZERO = 1e-9;
const VALUE_STEPS = { moderate: 0.1, severe: 0.3 };
const RATE_STEPS = { moderate: 0.05, severe: 0.15 };
/** A relative shift below this is noise when the interval spans zero. */
const NOISE_SHARE = 0.05;

export function gradeShift(grading: Grading, shift: Shift): Severity {
  const { baseline, delta, low, high } = shift;
  if (![baseline, delta, low, high].every(Number.isFinite)) return "none";
  if (Math.abs(delta) < ZERO) return "none";
  if (grading === "rate") return temper(gradeMagnitude(Math.abs(delta), RATE_STEPS), shift);
  const crosses = crossesZero(grading, shift);
  if (crosses && Math.abs(delta) < Math.max(NOISE_SHARE * Math.abs(baseline), ZERO)) return "none";
  const base = Math.abs(baseline) < ZERO ? "minor" : gradeMagnitude(Math.abs(delta / baseline), VALUE_STEPS);
  if (grading === "judge") return crosses ? "minor" : base;
  return temper(base, shift);
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
export function temper(severity: Severity, { delta, low, high }: Pick<Shift, "delta" | "low" | "high">): Severity {
  if (severity === "none" || severity === "minor" || !crossesZero("value", { low, high })) return severity;
  const width = Math.abs(high - low);
  return width < ZERO || Math.abs(delta) >= width ? severity : "minor";
}
