/**
 * A single number for dashboards, 0 to 100. It stands in JSON only, gets no grade and never decides anything: the parts
 * say more than their sum.
 */
import type { Signal } from "./signals/signal.ts";

export interface ScoreParts {
  /** 100 on a match, else 100 times the similarity. */
  readonly structural: number;
  /** 100 less 40 per severe and 15 per moderate signal, not below 0. */
  readonly signal: number;
  /** 100 less the mean absolute percent change of tokens, latency and steps, each capped at 100. */
  readonly metric: number;
  /** Percent of the last runs that matched. */
  readonly trend: number;
}

const WEIGHTS: ScoreParts = { structural: 0.4, signal: 0.25, metric: 0.2, trend: 0.15 };

export function driftScore(parts: ScoreParts): number {
  return (
    WEIGHTS.structural * parts.structural +
    WEIGHTS.signal * parts.signal +
    WEIGHTS.metric * parts.metric +
    WEIGHTS.trend * parts.trend
  );
}

export function signalScore(fired: readonly Signal[]): number {
  const severe = fired.filter((signal) => signal.severity === "severe").length;
  const moderate = fired.filter((signal) => signal.severity === "moderate").length;
  return Math.max(0, 100 - 40 * severe - 15 * moderate);
}

/** Pairs of baseline and current value; pairs that lack one are left out, and without any pair nothing is deducted. */
export function metricScore(pairs: readonly (readonly [number | undefined, number | undefined])[]): number {
  const changes = pairs.flatMap(([baseline, current]) => {
    if (baseline === undefined || current === undefined) return [];
    if (baseline === 0) return [current === 0 ? 0 : 100];
    return [Math.min(100, (Math.abs(current - baseline) / baseline) * 100)];
  });
  return changes.length === 0 ? 100 : 100 - changes.reduce((sum, value) => sum + value, 0) / changes.length;
}
