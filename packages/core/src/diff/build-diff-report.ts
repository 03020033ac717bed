/** Two sets of traces → the report: the one place that puts a diff, what it could not say and its gate together. */
import type { Severity } from "../judgement/severity.ts";
import { coverageOf } from "../report/coverage.ts";
import type { Gate, GateReason, NotEvaluated, ReportInput, ToolInfo } from "../report/report.ts";
import { comparableContent } from "../trace/comparable-content.ts";
import type { Trace } from "../trace/trace.ts";
import { hasNoData, whyNoData } from "./axis-row.ts";
import type { DiffReport, DiffResult } from "./diff-report.ts";
import { type DiffOptions, diffTraceSets } from "./diff-traces.ts";
import type { DiffVerdict } from "./diff-verdict.ts";
import { type GateSource, gateDiff, gateSources } from "./gate-diff.ts";
import { type PairedTraces, pairTraces, type TracePair } from "./pair-traces.ts";

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
  const all = comparableContent([...baseline, ...candidate]);
  const paired = pairTraces(all.slice(0, baseline.length), all.slice(baseline.length));
  const compared = diffTraceSets(paired, options);
  const gate = gateByThreshold(paired, compared, options);
  const result = { ...compared, verdict: { ...verdictOf(compared, gate), ...offPathOf(compared) } };
  return {
    schema: "spoor.diff/1",
    tool,
    inputs,
    ...result,
    coverage: coverageOf([...baseline, ...candidate], [...missingRows(result), ...unjudgedRules(result)]),
    gate,
  };
}

/** Everything that differs came after a replay had left what was recorded. */
function offPathOf({ traces }: Pick<DiffResult, "traces">): Pick<DiffVerdict, "offPathFrom"> {
  let from: number | undefined;
  for (const { firstDivergence, candidate, baseline } of traces) {
    if (firstDivergence === null) continue;
    const left = candidate.offPathFrom ?? baseline.offPathFrom;
    if (left === undefined || firstDivergence.candidateTurn < left) return {};
    from = Math.min(from ?? left, left);
  }
  return from === undefined ? {} : { offPathFrom: from };
}

/** What trips the gate is not "no change", however small it is: whoever asks for minor changes is told of one. */
function verdictOf({ verdict, rows }: DiffResult, { reasons }: Gate): DiffVerdict {
  if (verdict.code !== "unchanged") return verdict;
  const row = rows.find(({ axis }) => reasons.some(({ subject }) => subject === axis));
  if (row === undefined) return verdict;
  const { axis, baseline, candidate } = row;
  return { code: "average_moved", axis, baseline, candidate };
}

/** Rows without data, or with pairs that were asked about and not answered. */
export function missingRows({ rows }: Pick<DiffResult, "rows">): NotEvaluated[] {
  return rows
    .filter((row) => hasNoData(row) || row.unanswered !== undefined)
    .map((row) => ({ what: row.axis, ...whyNoData(row) }));
}

function unjudgedRules({ policy }: DiffResult): NotEvaluated[] {
  return (policy?.notEvaluated ?? []).map(({ ruleId, trace, side, why }) => ({
    what: trace === undefined ? ruleId : `${ruleId} (${trace}${side === "baseline" ? ", baseline" : ""})`,
    why,
  }));
}

/** Pooled rows have one threshold, so traces with another are compared and judged as a group of their own. */
function gateByThreshold(paired: PairedTraces, whole: DiffResult, options: DiffReportOptions): Gate {
  const { failOn, failOnFor = () => failOn, gateOn = gateSources } = options;
  const groups = new Map<Severity, { pairs: TracePair[]; candidate: Trace[] }>();
  const groupOf = (candidate: Trace) => {
    const own = failOnFor(candidate);
    const group = groups.get(own) ?? { pairs: [], candidate: [] };
    groups.set(own, group);
    return group;
  };
  for (const pair of paired.pairs) groupOf(pair.candidate).pairs.push(pair);
  for (const trace of paired.alone.candidate) groupOf(trace).candidate.push(trace);
  if (groups.size <= 1) return gateDiff(whole, [...groups.keys()][0] ?? failOn, gateOn);
  // What a tool's absence from the baseline means, every run of the baseline decides, whichever group its partner is in.
  const baseline = [...paired.alone.baseline, ...paired.pairs.map((pair) => pair.baseline)];
  const gates = [...groups].map(([own, { pairs, candidate }]) => {
    const group = { pairs, matching: whole.matching, alone: { baseline, candidate } };
    const { overview: _overview, ...asked } = options;
    return gateDiff(diffTraceSets(group, { ...asked, timelines: 0 }), own, gateOn);
  });
  const reasons = new Map<string, GateReason>(
    gates.flatMap((gate) => gate.reasons).map((reason) => [`${reason.code}:${reason.subject}`, reason]),
  );
  return { failOn, tripped: reasons.size > 0, reasons: [...reasons.values()] };
}
