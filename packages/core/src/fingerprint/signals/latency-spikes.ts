import type { Thresholds } from "../thresholds.ts";
import { change, fires, noData, QUIET, roseAbove, type SignalDefinition, type SignalFinding } from "./signal.ts";

/** Steps take longer than they did: by the mean, by the slowest run against the 95th percentile, or in absolute terms. */
export const latencySpikes: SignalDefinition = {
  name: "latency_spikes",
  severity: "severe",
  detect({ run, known, thresholds, scope }) {
    const now = run.sample.latencyMs;
    if (now === undefined) return noData("the run has no times");
    if (known?.latency === undefined) return noData("the baseline has no times");
    if (scope === "family" && now <= known.latency.maxMs) return QUIET;
    return fires("severe", latencyFindings(known.latency, { avgMs: now, maxMs: now }, thresholds));
  },
};

export function latencyFindings(
  baseline: { readonly avgMs: number; readonly p95Ms: number },
  current: { readonly avgMs: number; readonly maxMs: number },
  limits: Thresholds,
): SignalFinding[] {
  const findings: SignalFinding[] = [];
  const rise = change(baseline.avgMs, current.avgMs);
  const add = (measure: string, value: number, known: number, threshold: number) =>
    findings.push({
      subject: "step time",
      measure,
      unit: "ms",
      current: value,
      baseline: known,
      ...change(known, value),
      threshold,
    });
  if (roseAbove(rise, limits.latencyIncreasePercent)) {
    add("mean rose by more than a percentage", current.avgMs, baseline.avgMs, limits.latencyIncreasePercent);
  }
  if (current.maxMs > limits.latencyMaxMultiplier * baseline.p95Ms) {
    add(
      "slowest above a multiple of the 95th percentile",
      current.maxMs,
      baseline.p95Ms,
      limits.latencyMaxMultiplier * baseline.p95Ms,
    );
  }
  if (current.avgMs > limits.latencyAvgMs)
    add("mean above a fixed limit", current.avgMs, baseline.avgMs, limits.latencyAvgMs);
  if (current.maxMs > limits.latencyMaxMs)
    add("slowest above a fixed limit", current.maxMs, baseline.p95Ms, limits.latencyMaxMs);
  return findings;
}
