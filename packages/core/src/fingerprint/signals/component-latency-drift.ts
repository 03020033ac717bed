import { amount, named, phrase } from "../../text/phrase.ts";
import { changeWords } from "./change-words.ts";
import { change, defineSignal, fires, noData, roseAbove, type SignalFinding } from "./signal.ts";

/** One model, tool or host slowed down by more than its threshold, even where the run as a whole did not. */
export const componentLatencyDrift = defineSignal({
  name: "component_latency_drift",
  severity: "moderate",
  headline: "a component slowed down",
  limits: { increase_percent: { preset: 100, help: "rise of a component's mean time, in percent" } },
  above: ["increase_percent"],
  measures: ["mean_time"],
  conditions: ["component_latency_drift"],
  detect({ run, known, scope }, { increase_percent: limit }) {
    if (run.sample.components.size === 0) return noData("the run has no times");
    if (known === undefined || known.components.size === 0) return noData("the baseline has no times");
    const findings: SignalFinding[] = [];
    for (const [component, now] of run.sample.components) {
      const before = known.components.get(component);
      if (before === undefined) continue;
      if (scope === "family" && now <= (known.seen.componentsMax.get(component) ?? 0)) continue;
      const rise = change(before, now);
      if (!roseAbove(rise, limit)) continue;
      findings.push({
        subject: component,
        measure: "mean_time",
        unit: "ms",
        current: now,
        baseline: before,
        ...rise,
        threshold: limit,
      });
    }
    return fires("moderate", findings);
  },
  say: (finding) =>
    phrase`${named(finding.subject)} takes ${amount(finding.current, "ms")} instead of ${amount(finding.baseline, "ms")}${changeWords(finding)}`,
});
