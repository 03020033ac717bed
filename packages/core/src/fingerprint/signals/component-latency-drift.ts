import { change, fires, noData, roseAbove, type SignalDefinition, type SignalFinding } from "./signal.ts";

/** One model, tool or host slowed down by more than its threshold, even where the run as a whole did not. */
export const componentLatencyDrift: SignalDefinition = {
  name: "component_latency_drift",
  severity: "moderate",
  detect({ run, known, thresholds, scope }) {
    if (run.sample.components.size === 0) return noData("the run has no times");
    if (known === undefined || known.components.size === 0) return noData("the baseline has no times");
    const findings: SignalFinding[] = [];
    for (const [component, now] of run.sample.components) {
      const before = known.components.get(component);
      if (before === undefined) continue;
      if (scope === "family" && now <= (known.seen.componentsMax.get(component) ?? 0)) continue;
      const rise = change(before, now);
      if (!roseAbove(rise, thresholds.componentLatencyPercent)) continue;
      findings.push({
        subject: component,
        measure: "mean time",
        unit: "ms",
        current: now,
        baseline: before,
        ...rise,
        threshold: thresholds.componentLatencyPercent,
      });
    }
    return fires("moderate", findings);
  },
};
