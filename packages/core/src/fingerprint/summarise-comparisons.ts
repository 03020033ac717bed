import type { Gate } from "../report/report.ts";
import type { CompareSummary } from "./baseline-report.ts";
import type { AgentComparison } from "./comparison.ts";

/** The counts a CI job asks for, over all agents. A run without a step was read but could not be analysed. */
export function summariseComparisons(comparisons: readonly AgentComparison[], gate: Gate): CompareSummary {
  const sum = (count: (comparison: AgentComparison) => number) =>
    comparisons.reduce((total, one) => total + count(one), 0);
  const total = sum((one) => one.runs.length);
  const empty = sum((one) => one.runs.filter((run) => run.stepCount === 0).length);
  return {
    status: gate.tripped ? "failed" : "passed",
    totalTraces: total,
    analyzedTraces: total - empty,
    unanalyzedTraces: empty,
    passed: sum((one) => one.counts.match + one.counts.accepted_variant),
    newBehavior: sum((one) => one.counts.new),
    noBaseline: sum((one) => one.counts.no_baseline),
    policyFailures: sum((one) => one.policy?.violations.filter(({ severity }) => severity === "severe").length ?? 0),
  };
}
