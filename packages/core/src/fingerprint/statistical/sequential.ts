/**
 * Detectors that watch a stream and may stop at any time without inflating false alarms. All learn the normal level from a
 * warm-up; a decision is final. Assumptions: independent observations, roughly normal, and a warm-up without drift.
 *
 * Wald: A. Wald (1945), "Sequential tests of statistical hypotheses"; looks upwards only and may accept that nothing
 * happened. Mixture: H. Robbins (1970), "Statistical methods related to the law of the iterated logarithm"; looks both ways
 * and never accepts. The variance-adaptive form keeps estimating the spread, which is an approximation. O(1) per value.
 */
import { SpoorError } from "../../errors.ts";

export interface SequentialState {
  readonly logLr: number;
  readonly observations: number;
  /** `h1`: drift. `h0`: no drift (Wald only). */
  readonly decision: "continue" | "h1" | "h0";
  readonly inWarmup: boolean;
}

export interface SequentialDetector {
  update(value: number): SequentialState;
}

export interface WaldOptions {
  readonly alpha?: number;
  readonly beta?: number;
  readonly effectSize?: number;
  readonly warmup?: number;
}

export interface WaldDetector extends SequentialDetector {
  /** Log-likelihood ratios at which h0 and h1 are decided. */
  readonly boundaries: readonly [number, number];
}

export function createWald(options: WaldOptions = {}): WaldDetector {
  const { alpha = 0.05, beta = 0.2, effectSize = 0.5, warmup = 5 } = options;
  if (!(alpha > 0 && alpha < 0.5)) throw badInput(`alpha must be in (0, 0.5); got ${alpha}`);
  if (!(beta > 0 && beta < 0.5)) throw badInput(`beta must be in (0, 0.5); got ${beta}`);
  checkWarmup(warmup);
  const boundaries = [Math.log(beta / (1 - alpha)), Math.log((1 - beta) / alpha)] as const;
  let logLr = 0;
  const detector = createDetector(warmup, (value, level) => {
    const sigma = Math.max(Math.sqrt(level.variance), 1e-6);
    const delta = effectSize * sigma;
    logLr += (delta / sigma ** 2) * (value - level.mean) - delta ** 2 / (2 * sigma ** 2);
    return { logLr, decision: logLr >= boundaries[1] ? "h1" : logLr <= boundaries[0] ? "h0" : "continue" };
  });
  return { ...detector, boundaries };
}

export interface MixtureOptions {
  readonly alpha?: number;
  readonly tau?: number;
  readonly warmup?: number;
  /** Estimate the variance from all observations instead of the warm-up alone. */
  readonly adaptive?: boolean;
}

export interface MixtureDetector extends SequentialDetector {
  readonly threshold: number;
}

export function createMixture(options: MixtureOptions = {}): MixtureDetector {
  const { alpha = 0.05, tau = 1, warmup = 5, adaptive = false } = options;
  if (!(alpha > 0 && alpha < 1)) throw badInput(`alpha must be in (0, 1); got ${alpha}`);
  if (!(tau > 0)) throw badInput(`tau must be > 0; got ${tau}`);
  checkWarmup(warmup);
  const threshold = Math.log(1 / alpha);
  let count = 0;
  let sum = 0;
  const detector = createDetector(warmup, (value, level, all) => {
    count++;
    sum += value;
    const variance = Math.max(adaptive ? all.variance : level.variance, 1e-12);
    const shift = sum / count - level.mean;
    const spread = 1 + count * tau ** 2;
    const logLr = 0.5 * Math.log(1 / spread) + (count ** 2 * shift ** 2 * tau ** 2) / (2 * variance * spread);
    return { logLr, decision: logLr >= threshold ? "h1" : "continue" };
  });
  return { ...detector, threshold };
}

interface Level {
  readonly mean: number;
  readonly variance: number;
}

type Step = (value: number, warmup: Level, all: Level) => { logLr: number; decision: SequentialState["decision"] };

function createDetector(warmup: number, step: Step): SequentialDetector {
  const level = createRunningLevel();
  let learned: Level | undefined;
  let observations = 0;
  let last: { logLr: number; decision: SequentialState["decision"] } = { logLr: 0, decision: "continue" };
  return {
    update(value) {
      observations++;
      if (last.decision !== "continue") return { ...last, observations, inWarmup: false };
      const all = level.add(value);
      if (observations <= warmup) {
        if (observations === warmup) learned = all;
        return { logLr: 0, observations, decision: "continue", inWarmup: true };
      }
      last = step(value, learned!, all);
      return { ...last, observations, inWarmup: false };
    },
  };
}

/** Mean and unbiased variance in one pass (Welford, 1962). */
function createRunningLevel(): { add(value: number): Level } {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add(value) {
      count++;
      const before = value - mean;
      mean += before / count;
      squares += before * (value - mean);
      return { mean, variance: count < 2 ? 0 : squares / (count - 1) };
    },
  };
}

function checkWarmup(warmup: number): void {
  if (!(warmup >= 2)) throw badInput(`warmup must be >= 2; got ${warmup}`);
}

function badInput(message: string): SpoorError {
  return new SpoorError("statistics.bad-input", message);
}
