import { amount, phrase } from "../../text/phrase.ts";
import { changeWords } from "./change-words.ts";
import { change, defineSignal, fires, type LimitsOf, noData, QUIET, roseAbove, type SignalFinding } from "./signal.ts";

const LIMITS = {
  increase_percent: { preset: 50, help: "rise of the mean time of a step, in percent" },
  max_multiplier: { preset: 2, help: "slowest step as a multiple of the 95th percentile" },
  mean_ms: { preset: 5000, help: "mean time of a step, whatever the baseline did, in milliseconds" },
  max_ms: { preset: 30_000, help: "slowest step, whatever the baseline did, in milliseconds" },
} as const;

/** Steps take longer than they did: by the mean, by the slowest run against the 95th percentile, or in absolute terms. */
export const latencySpikes = defineSignal({
  name: "latency_spikes",
  severity: "severe",
  headline: "steps take longer",
  limits: LIMITS,
  above: ["increase_percent"],
  measures: ["mean_rise", "slowest_multiple", "mean_limit", "slowest_limit"],
  conditions: ["latency_spike"],
  detect({ run, known, scope }, limits) {
    const now = run.sample.latencyMs;
    if (now === undefined) return noData("the run has no times");
    if (known?.latency === undefined) return noData("the baseline has no times");
    if (scope === "family" && now <= known.latency.maxMs) return QUIET;
    return fires("severe", latencyFindings(known.latency, { avgMs: now, maxMs: now }, limits));
  },
  say(finding) {
    const { measure, current, baseline, threshold } = finding;
    // A fixed limit is passed whatever the baseline did; saying "instead of" would invent a change.
    if (measure === "mean_limit" || measure === "slowest_limit")
      return phrase`steps take ${amount(current, "ms")}, above the limit of ${amount(threshold, "ms")} (baseline ${amount(baseline, "ms")})`;
    return phrase`steps take ${amount(current, "ms")} instead of ${amount(baseline, "ms")}${changeWords(finding)}`;
  },
});

export function latencyFindings(
  baseline: { readonly avgMs: number; readonly p95Ms: number },
  current: { readonly avgMs: number; readonly maxMs: number },
  limits: LimitsOf<typeof LIMITS>,
): SignalFinding[] {
  const findings: SignalFinding[] = [];
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
  if (roseAbove(change(baseline.avgMs, current.avgMs), limits.increase_percent))
    add("mean_rise", current.avgMs, baseline.avgMs, limits.increase_percent);
  const slowest = limits.max_multiplier * baseline.p95Ms;
  if (current.maxMs > slowest) add("slowest_multiple", current.maxMs, baseline.p95Ms, slowest);
  if (current.avgMs > limits.mean_ms) add("mean_limit", current.avgMs, baseline.avgMs, limits.mean_ms);
  if (current.maxMs > limits.max_ms) add("slowest_limit", current.maxMs, baseline.p95Ms, limits.max_ms);
  return findings;
}
