/**
 * Bounds that hold without assuming a distribution. Split conformal: from past deviations per axis, the bound that future
 * runs exceed at most `1 - coverage` of the time. Adaptive: the same along a stream, tightening and loosening as it is
 * breached. Assumes that past and future runs are exchangeable.
 *
 * Vovk, Gammerman and Shafer (2005), "Algorithmic Learning in a Random World"; Gibbs and Candès (2021), "Adaptive conformal
 * inference under distribution shift". O(n log n) once, O(1) per observation.
 */
import { SpoorError } from "@spoor/core";
import { quantileOfSorted } from "@spoor/core/internal/stats/quantile";
import { binomialCdf } from "@spoor/core/internal/stats/special-functions";

export interface ConformalOptions {
  readonly targetCoverage?: number;
  readonly confidence?: number;
}

interface ConformalAxis {
  readonly axis: string;
  readonly calibrationRuns: number;
  /** Null: too few runs for any finite bound at this coverage. */
  readonly bound: number | null;
  readonly achievedCoverage: number;
  readonly pacDelta: number;
}

export interface ConformalReport {
  readonly targetCoverage: number;
  readonly confidence: number;
  readonly calibrationRuns: number;
  /** Largest bound first. */
  readonly axes: readonly ConformalAxis[];
  readonly worstAxis: string | null;
  readonly requiredRuns: number;
  readonly sufficient: boolean;
}

export function conformalBounds(
  scores: Readonly<Record<string, readonly number[]>>,
  options: ConformalOptions = {},
): ConformalReport {
  const { targetCoverage = 0.9, confidence = 0.95 } = options;
  checkShare("target_coverage", targetCoverage);
  checkShare("confidence", confidence);
  const axes = Object.entries(scores)
    .filter(([, values]) => values.length > 0)
    .map(([axis, values]) => axisBound(axis, values, targetCoverage))
    .sort((left, right) => (right.bound ?? Number.POSITIVE_INFINITY) - (left.bound ?? Number.POSITIVE_INFINITY));
  const calibrationRuns = axes.reduce((most, axis) => Math.max(most, axis.calibrationRuns), 0);
  const requiredRuns = Math.ceil(Math.log(1 - confidence) / Math.log(targetCoverage));
  return {
    targetCoverage,
    confidence,
    calibrationRuns,
    axes,
    worstAxis: axes[0]?.axis ?? null,
    requiredRuns,
    sufficient: calibrationRuns >= requiredRuns,
  };
}

function axisBound(axis: string, values: readonly number[], coverage: number): ConformalAxis {
  const sorted = Float64Array.from(values, Math.abs).sort();
  const count = sorted.length;
  const rank = Math.ceil((count + 1) * coverage);
  const bound = rank > count ? null : quantileOfSorted(sorted, rank / count);
  const limit = bound ?? Number.POSITIVE_INFINITY;
  return {
    axis,
    calibrationRuns: count,
    bound,
    achievedCoverage: sorted.filter((value) => value <= limit).length / count,
    pacDelta: binomialCdf(Math.floor(count * coverage), count, coverage),
  };
}

function checkShare(name: string, value: number): void {
  if (!(value > 0 && value < 1)) throw new SpoorError("statistics.bad-input", `${name} must be in (0,1); got ${value}`);
}

export interface AdaptiveOptions {
  readonly calibration: readonly number[];
  readonly alphaTarget?: number;
  readonly gamma?: number;
}

export interface AdaptiveState {
  readonly observations: number;
  readonly alpha: number;
  /** The bound this observation was held against, set before it was seen. */
  readonly bound: number;
  readonly breach: boolean;
  readonly breaches: number;
  readonly missShare: number;
}

export function createAdaptiveConformal(options: AdaptiveOptions): { update(value: number): AdaptiveState } {
  const { calibration, alphaTarget = 0.1, gamma = 0.005 } = options;
  if (calibration.length === 0) throw new SpoorError("statistics.bad-input", "calibration_scores must be non-empty");
  const sorted = Float64Array.from(calibration, Math.abs).sort();
  let alpha = alphaTarget;
  let observations = 0;
  let breaches = 0;
  return {
    update(value) {
      const place = Math.ceil((sorted.length + 1) * (1 - alpha));
      const bound = sorted[Math.min(sorted.length, Math.max(1, place)) - 1]!;
      const breach = Math.abs(value) > bound;
      observations++;
      if (breach) breaches++;
      alpha = Math.min(1, Math.max(0, alpha + gamma * (alphaTarget - (breach ? 1 : 0))));
      return { observations, alpha, bound, breach, breaches, missShare: breaches / observations };
    },
  };
}
