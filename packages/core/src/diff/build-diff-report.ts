/** Two sets of traces → the report: the one place that puts a diff, what it could not say and its gate together. */
import type { Severity } from "../judgement/severity.ts";
import { coverageOf } from "../report/coverage.ts";
import type { Gate, GateReason, NotEvaluated, ReportInput, ToolInfo } from "../report/report.ts";
import type { Trace } from "../trace/trace.ts";
import { hasNoData, whyNoData } from "./axis-row.ts";
import type { DiffReport, DiffResult } from "./diff-report.ts";
import { type DiffOptions, diffTraceSets } from "./diff-traces.ts";
import { type GateSource, gateDiff, gateSources } from "./gate-diff.ts";
import { pairTraces, type TracePair } from "./pair-traces.ts";

export interface DiffReportOptions extends DiffOptions {
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  readonly failOn: Severity;
  /** The threshold of one trace of the candidate; `failOn` for all of them when absent. */
  readonly failOnFor?: (candidate: Trace) => Severity;
  readonly gateOn?: readonly GateSource[];
}

export function buildDiffReport(
  baseline: readonly Trace[],
  candidate: readonly Trace[],
  options: DiffReportOptions,
): DiffReport {
  const { tool, inputs } = options;
  const paired = pairTraces(baseline, candidate);
  const result = diffTraceSets(paired, options);
  return {
    schema: "spoor.diff/1",
    tool,
    inputs,
    ...result,
    coverage: coverageOf([...baseline, ...candidate], [...missingRows(result), ...unjudgedRules(result)]),
    gate: gateByThreshold(paired.pairs, result, options),
  };
}

/** Rows without data: asked, and not answered. */
export function missingRows({ rows }: Pick<DiffResult, "rows">): NotEvaluated[] {
  return rows.filter(hasNoData).map((row) => ({ what: row.axis, ...whyNoData(row) }));
}

function unjudgedRules({ policy }: DiffResult): NotEvaluated[] {
  return (policy?.notEvaluated ?? []).map(({ ruleId, trace, side, why }) => ({
    what: `${ruleId} (${trace}${side === "baseline" ? ", baseline" : ""})`,
    why,
  }));
}

/** Pooled rows have one threshold, so traces with another are compared and judged as a group of their own. */
function gateByThreshold(pairs: readonly TracePair[], whole: DiffResult, options: DiffReportOptions): Gate {
  const { failOn, failOnFor = () => failOn, gateOn = gateSources } = options;
  const groups = new Map<Severity, TracePair[]>();
  for (const pair of pairs) {
    const own = failOnFor(pair.candidate);
    const group = groups.get(own);
    if (group === undefined) groups.set(own, [pair]);
    else group.push(pair);
  }
  if (groups.size <= 1) return gateDiff(whole, [...groups.keys()][0] ?? failOn, gateOn);
  const gates = [...groups].map(([own, group]) => {
    const { matching } = whole;
    return gateDiff(diffTraceSets({ pairs: group, matching }, { ...options, timelines: 0 }), own, gateOn);
  });
  const reasons = new Map<string, GateReason>(
    gates.flatMap((gate) => gate.reasons).map((reason) => [`${reason.code}:${reason.subject}`, reason]),
  );
  return { failOn, tripped: reasons.size > 0, reasons: [...reasons.values()] };
}
