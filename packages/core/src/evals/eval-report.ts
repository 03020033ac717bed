/** Records of runs → one report: a reading per case, rates over all of them, totals, and the gate. Pure and ordered. */

import type {
  Coverage,
  Gate,
  GateReason,
  NotEvaluated,
  ReportHeader,
  ReportInput,
  ToolInfo,
} from "../report/report.ts";
import { clopperPearson, type ShareInterval } from "../stats/clopper-pearson.ts";
import { statusOfVerdict } from "./agentv-verdict.ts";
import { passAtK, passHatK } from "./pass-at-k.ts";
import { type CaseReading, type RunCount, readCase } from "./read-case.ts";
import type { EvaluatorRecord, RunRecord, TraceSummary } from "./run-record.ts";

export interface EvalReport extends ReportHeader<"spoor.eval/1"> {
  readonly suites: readonly EvalSuiteReport[];
  readonly cases: readonly CaseReport[];
  readonly rates?: Rates;
  readonly totals: EvalTotals;
  /** The share of runs that must pass. */
  readonly passRate: number;
  readonly resultsFile?: string;
  /** Where the traces of the runs were written. */
  readonly tracesFolder?: string;
  /** Options that chose the targets: what a command must repeat to ask the same agents again. */
  readonly targetOptions: readonly string[];
  /** The stored run it is compared with. */
  readonly against?: { readonly label: string; readonly file: string };
  /** Targets that could not be asked any more, so that runs are missing and there is no verdict. */
  readonly stopped: readonly StoppedTarget[];
}

export interface EvalSuiteReport {
  readonly file: string;
  readonly name: string;
  readonly targets: readonly string[];
  readonly cases: number;
}

export interface CaseReport {
  readonly id: string;
  readonly suite: string;
  readonly target: string;
  readonly runs: readonly RunReport[];
  readonly planned: number;
  readonly passed: number;
  /** Mean score over the runs that were evaluated; absent when none was. */
  readonly score?: number;
  /** The score a run must reach to pass. */
  readonly threshold: number;
  readonly reading: CaseReading;
  /** Why runs failed: each reason with how many of the runs share it, most frequent first. */
  readonly reasons: readonly FailureReason[];
}

export interface RunReport {
  readonly run: number;
  readonly passed: boolean;
  readonly score: number;
  readonly retries: number;
  /** Evaluators for which the run fails although it reaches the threshold. */
  readonly ruledOutBy?: readonly string[];
  readonly noTrace?: true;
  readonly error?: { readonly kind: string; readonly message: string };
}

export interface FailureReason {
  readonly text: string;
  readonly runs: number;
}

/** Over all cases that were run equally often. */
export interface Rates {
  readonly passAt1: number;
  /** Plausible shares of passing runs for these cases (exact over all runs, conservative when cases differ). */
  readonly interval: ShareInterval;
  /** Runs per case; absent when cases were run differently often. */
  readonly k?: number;
  readonly passAtK?: number;
  readonly passHatK?: number;
  readonly casesPassingOnce: number;
  readonly casesPassingAlways: number;
  readonly cases: number;
}

export interface EvalTotals {
  readonly cases: number;
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly notRun: number;
  /** Kind of failure → how many attempts were repeated because of it. */
  readonly retries: Readonly<Record<string, number>>;
  readonly timeouts: number;
  readonly durationMs: number;
  readonly costUsd?: number;
  /** Runs whose cost is unknown; the sum above leaves them out. */
  readonly runsWithoutCost: number;
  readonly tokens?: { readonly input: number; readonly output: number; readonly cached: number };
  /** Runs without any trace: nothing could be said about their tool calls. */
  readonly runsWithoutTrace: number;
  /** Tool calls that recordings were asked for, and those they answered; absent where none were asked. */
  readonly fromRecordings?: { readonly asked: number; readonly served: number };
}

export interface StoppedTarget {
  readonly target: string;
  readonly kind: string;
  readonly message: string;
  readonly attempts: number;
  /** From the first attempt to the last. */
  readonly elapsedMs: number;
}

/** A case that was to be run, on one target. */
export interface PlannedCase {
  readonly id: string;
  readonly suite: string;
  readonly file: string;
  readonly target: string;
  readonly repeat: number;
  readonly threshold: number;
}

export interface BuildEvalReportOptions {
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  readonly notEvaluated?: readonly NotEvaluated[];
  readonly passRate: number;
  /** Wall time of this invocation. */
  readonly durationMs: number;
  readonly resultsFile?: string;
  readonly tracesFolder?: string;
  readonly targetOptions?: readonly string[];
  readonly against?: { readonly label: string; readonly file: string; readonly records: readonly RunRecord[] };
  readonly stopped?: readonly StoppedTarget[];
  /** False with `--no-fail`: report only. */
  readonly gate: boolean;
}

export function buildEvalReport(
  planned: readonly PlannedCase[],
  records: readonly RunRecord[],
  options: BuildEvalReportOptions,
): EvalReport {
  const byCase = groupByCase(records);
  const storedByCase = options.against === undefined ? undefined : groupByCase(options.against.records);
  const cases = planned.map((entry) =>
    caseReport(entry, byCase.get(caseKey(entry)) ?? [], options.passRate, storedCount(entry, storedByCase)),
  );
  const rates = ratesOf(cases);
  return {
    schema: "spoor.eval/1",
    tool: options.tool,
    inputs: options.inputs,
    suites: suitesOf(planned),
    cases,
    ...(rates === undefined ? {} : { rates }),
    totals: totalsOf(planned, cases, records, options.durationMs),
    passRate: options.passRate,
    ...(options.resultsFile === undefined ? {} : { resultsFile: options.resultsFile }),
    ...(options.tracesFolder === undefined ? {} : { tracesFolder: options.tracesFolder }),
    targetOptions: options.targetOptions ?? [],
    ...(options.against === undefined ? {} : { against: { label: options.against.label, file: options.against.file } }),
    stopped: options.stopped ?? [],
    coverage: coverageOfRecords(records, options.notEvaluated ?? []),
    gate: gateOf(cases, options.gate),
  };
}

function caseKey(entry: { readonly id: string; readonly suite: string; readonly target: string }): string {
  return JSON.stringify([entry.suite, entry.target, entry.id]);
}

function groupByCase(records: readonly RunRecord[]): Map<string, RunRecord[]> {
  const groups = new Map<string, RunRecord[]>();
  for (const record of records) {
    const key = caseKey({ id: record.eval_id, suite: record.dataset, target: record.target });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}

/** The stored runs of a case: on the same target, else on the only target that has it. */
function storedCount(
  entry: PlannedCase,
  stored: ReadonlyMap<string, readonly RunRecord[]> | undefined,
): RunCount | undefined {
  if (stored === undefined) return undefined;
  const same = stored.get(caseKey(entry));
  const others =
    same === undefined
      ? [...stored.values()].filter(([first]) => first!.eval_id === entry.id && first!.dataset === entry.suite)
      : [];
  const records = same ?? (others.length === 1 ? others[0] : undefined);
  return records === undefined
    ? undefined
    : { passed: records.filter((record) => record.passed).length, runs: records.length };
}

function caseReport(
  entry: PlannedCase,
  records: readonly RunRecord[],
  passRate: number,
  stored: RunCount | undefined,
): CaseReport {
  const runs = [...records].sort((left, right) => left.run - right.run);
  const evaluated = runs.filter((record) => record.error === undefined);
  const passed = runs.filter((record) => record.passed).length;
  return {
    id: entry.id,
    suite: entry.suite,
    target: entry.target,
    planned: entry.repeat,
    runs: runs.map((record) => ({
      run: record.run,
      passed: record.passed,
      score: record.score,
      retries: record.retries?.length ?? 0,
      ...ruledOut(record),
      ...(record.trace_summary === null && record.error === undefined ? { noTrace: true as const } : {}),
      ...(record.error === undefined ? {} : { error: record.error }),
    })),
    passed,
    threshold: entry.threshold,
    ...(evaluated.length === 0
      ? {}
      : { score: evaluated.reduce((sum, record) => sum + record.score, 0) / evaluated.length }),
    reading: readCase({ passed, runs: runs.length }, passRate, stored),
    reasons: reasonsOf(runs),
  };
}

function ruledOut(record: RunRecord): Pick<RunReport, "ruledOutBy"> {
  if (record.passed || record.score < record.threshold) return {};
  const names = (record.evaluator_results ?? []).filter(isRuledOut).map((result) => result.name);
  return names.length === 0 ? {} : { ruledOutBy: names };
}

function isRuledOut({ ruled_out, weight }: EvaluatorRecord): boolean {
  return ruled_out === true && weight > 0;
}

function reasonsOf(records: readonly RunRecord[]): FailureReason[] {
  const counts = new Map<string, number>();
  for (const record of records) {
    const text = record.passed ? undefined : reasonOf(record);
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, runs]) => ({ text, runs })).sort((left, right) => right.runs - left.runs);
}

/** The evaluator that rules the run out, else the one that scored worst, and its first miss: "refund-path 0.33, confirm_refund_amount never called". */
function reasonOf(record: RunRecord): string {
  if (record.error !== undefined) return record.error.message;
  if (record.trace_summary === null) return "the provider gave no trace, so there was nothing to score";
  const results = record.evaluator_results ?? [];
  const ruledOutBy = record.score < record.threshold ? [] : results.filter(isRuledOut);
  const failing =
    ruledOutBy.length > 0 ? ruledOutBy : results.filter((result) => statusOfVerdict(result.verdict) !== "passed");
  const worst = failing.reduce<(typeof failing)[number] | undefined>(
    (low, result) => (low === undefined || result.score < low.score ? result : low),
    undefined,
  );
  if (worst === undefined) return `score ${record.score.toFixed(2)}, the line is ${record.threshold.toFixed(2)}`;
  const miss = worst.misses[0];
  return `${worst.name} ${worst.score.toFixed(2)}${miss === undefined ? "" : `, ${miss}`}`;
}

/**
 * pass@1 is the share of runs that pass; its interval pools all runs, which is conservative when cases differ: a sum of
 * unlike chances is less spread than one of like chances (Hoeffding 1956, "On the distribution of the number of
 * successes in independent trials").
 */
function ratesOf(cases: readonly CaseReport[]): Rates | undefined {
  const run = cases.filter((entry) => entry.runs.length > 0);
  if (run.length === 0) return undefined;
  const runs = run.reduce((sum, entry) => sum + entry.runs.length, 0);
  const passed = run.reduce((sum, entry) => sum + entry.passed, 0);
  const k = run[0]!.runs.length;
  const equal = run.every((entry) => entry.runs.length === k);
  const mean = (value: (entry: CaseReport) => number) => run.reduce((sum, entry) => sum + value(entry), 0) / run.length;
  return {
    passAt1: passed / runs,
    interval: clopperPearson(passed, runs),
    ...(equal
      ? {
          k,
          passAtK: mean((entry) => passAtK(k, entry.passed, k)),
          passHatK: mean((entry) => passHatK(k, entry.passed, k)),
        }
      : {}),
    casesPassingOnce: run.filter((entry) => entry.passed > 0).length,
    casesPassingAlways: run.filter((entry) => entry.passed === entry.runs.length).length,
    cases: run.length,
  };
}

function totalsOf(
  planned: readonly PlannedCase[],
  cases: readonly CaseReport[],
  records: readonly RunRecord[],
  durationMs: number,
): EvalTotals {
  const plannedRuns = planned.reduce((sum, entry) => sum + entry.repeat, 0);
  const runs = cases.reduce((sum, entry) => sum + entry.runs.length, 0);
  const retries = new Map<string, number>();
  let timeouts = 0;
  for (const record of records) {
    for (const retry of record.retries ?? []) {
      retries.set(retry.kind, (retries.get(retry.kind) ?? 0) + 1);
      if (retry.kind === "timeout") timeouts++;
    }
    if (record.error?.kind === "timeout") timeouts++;
  }
  const costs = records.map((record) => record.cost_usd).filter((cost) => cost !== undefined);
  const usages = records.map((record) => record.token_usage).filter((usage) => usage !== undefined);
  const errors = records.filter((record) => record.error !== undefined).length;
  const passed = records.filter((record) => record.passed).length;
  return {
    cases: planned.length,
    runs,
    passed,
    failed: runs - passed - errors,
    errors,
    notRun: Math.max(0, plannedRuns - runs),
    retries: Object.fromEntries(retries),
    timeouts,
    durationMs,
    ...(costs.length === 0 ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
    runsWithoutCost: runs - costs.length,
    ...(usages.length === 0
      ? {}
      : {
          tokens: {
            input: usages.reduce((sum, usage) => sum + usage.input, 0),
            output: usages.reduce((sum, usage) => sum + usage.output, 0),
            cached: usages.reduce((sum, usage) => sum + (usage.cached ?? 0), 0),
          },
        }),
    runsWithoutTrace: records.filter((record) => record.trace_summary === null && record.error === undefined).length,
    ...fromRecordings(records),
  };
}

function fromRecordings(records: readonly RunRecord[]): Pick<EvalTotals, "fromRecordings"> {
  let asked = 0;
  let refused = 0;
  for (const { trace_summary: summary } of records) {
    asked += (summary?.replayed_count ?? 0) + (summary?.stand_in_count ?? 0);
    refused += summary?.refused_count ?? 0;
  }
  return asked === 0 ? {} : { fromRecordings: { asked, served: asked - refused } };
}

/** From the records alone, so that a resumed run covers what its first part saw. */
function coverageOfRecords(records: readonly RunRecord[], notEvaluated: readonly NotEvaluated[]): Coverage {
  const summaries = records.flatMap((record) => record.trace_summary ?? []);
  const sum = (value: (summary: TraceSummary) => number | undefined) =>
    summaries.reduce((total, summary) => total + (value(summary) ?? 0), 0);
  const replayed = sum((summary) => summary.replayed_count);
  const standIns = sum((summary) => summary.stand_in_count);
  return {
    traces: summaries.length,
    ...(replayed === 0 ? {} : { replayed }),
    ...(standIns === 0 ? {} : { standIns }),
    turns: sum((summary) => summary.llm_call_count),
    toolCalls: sum((summary) => summary.event_count),
    callsWithoutResult: sum((summary) => summary.unknown_count),
    unknown: {},
    skippedLines: 0,
    truncated: [],
    notEvaluated,
  };
}

function suitesOf(planned: readonly PlannedCase[]): EvalSuiteReport[] {
  const suites = new Map<string, { name: string; targets: Set<string>; ids: Set<string> }>();
  for (const entry of planned) {
    const suite = suites.get(entry.file) ?? { name: entry.suite, targets: new Set<string>(), ids: new Set<string>() };
    suite.targets.add(entry.target);
    suite.ids.add(entry.id);
    suites.set(entry.file, suite);
  }
  return [...suites].map(([file, { name, targets, ids }]) => ({ file, name, targets: [...targets], cases: ids.size }));
}

function gateOf(cases: readonly CaseReport[], enabled: boolean): Gate {
  const reasons: GateReason[] = cases
    .filter((entry) => entry.reading.fails)
    .map((entry) => ({ code: `case.${entry.reading.kind}`, subject: entry.id }));
  return { failOn: enabled ? "case" : "none", tripped: enabled && reasons.length > 0, reasons };
}
