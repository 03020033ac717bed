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
import { type CaseReport, caseReport, type PlannedCase } from "./case-report.ts";
import type { EvalSelection } from "./eval-selection.ts";
import { type EvalTotals, totalsOf } from "./eval-totals.ts";
import { passAtK, passHatK } from "./pass-at-k.ts";
import { familyOf, type RunCount } from "./read-case.ts";
import type { RunDetails } from "./run-details.ts";
import { judgedRuns } from "./run-ending.ts";
import type { RunRecord, TraceSummary } from "./run-record.ts";

export type { CaseReport, PlannedCase } from "./case-report.ts";

export interface EvalReport extends ReportHeader<"spoor.eval/1"> {
  readonly suites: readonly EvalSuiteReport[];
  readonly cases: readonly CaseReport[];
  readonly rates?: Rates;
  readonly totals: EvalTotals;
  /** Which cases of the files were to be run; absent when all of them were. */
  readonly selection?: EvalSelection;
  /** The share of runs that must pass. */
  readonly passRate: number;
  /** How many outages the user puts up with; absent: any number that leaves every verdict as it is. */
  readonly maxErrors?: AllowedErrors;
  /** True when outages leave something open that the user does not put up with: there is no verdict to pass. */
  readonly undecided: boolean;
  readonly resultsFile?: string;
  /** Where the traces of the runs were written. */
  readonly tracesFolder?: string;
  /** Options that chose the targets: what a command must repeat to ask the same agents again. */
  readonly targetOptions: readonly string[];
  /** The stored run it is compared with. */
  readonly against?: EvalAgainst;
  /** Targets that could not be asked any more, so that runs are missing and there is no verdict. */
  readonly stopped: readonly StoppedTarget[];
}

export interface EvalAgainst {
  readonly label: string;
  readonly file: string;
  /** Cases of the stored run that this one does not have. */
  readonly missing: readonly { readonly id: string; readonly suite: string; readonly target: string }[];
}

export interface EvalSuiteReport {
  readonly file: string;
  readonly name: string;
  readonly targets: readonly string[];
  readonly cases: number;
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

/** As it was given, and what it comes to for the runs that were planned. */
export interface AllowedErrors {
  readonly written: string;
  readonly runs: number;
}

export interface StoppedTarget {
  readonly target: string;
  readonly kind: string;
  readonly message: string;
  readonly attempts: number;
  /** From the first attempt to the last. */
  readonly elapsedMs: number;
}

export interface ErrorTolerance {
  readonly written: string;
  readonly runs?: number;
  /** Of the planned runs, 0 to 1. */
  readonly share?: number;
}

export interface BuildEvalReportOptions {
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  readonly notEvaluated?: readonly NotEvaluated[];
  readonly passRate: number;
  /** `--max-errors`: a number of runs, or a share of them. */
  readonly maxErrors?: ErrorTolerance;
  /** Wall time of this invocation. */
  readonly durationMs: number;
  readonly resultsFile?: string;
  readonly tracesFolder?: string;
  readonly selection?: EvalSelection;
  /** For a page: what each run did. */
  readonly detailsOf?: (record: RunRecord) => RunDetails;
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
  const against = options.against === undefined ? undefined : storedRuns(options.against.records);
  const stored = planned.map((entry) => against?.of(entry));
  const family = familyOf(
    planned.map((entry, index) => {
      const before = stored[index];
      return before === undefined ? undefined : [countOf(byCase.get(caseKey(entry)) ?? []), countOf(before)];
    }),
  );
  const maxErrors = allowedErrors(planned, options.maxErrors);
  const outages = records.length - judgedRuns(records).length;
  const leaveOutagesOut = maxErrors !== undefined && outages <= maxErrors.runs;
  const cases = planned.map((entry, index) =>
    caseReport(entry, byCase.get(caseKey(entry)) ?? [], {
      passRate: options.passRate,
      stored: stored[index] && countOf(stored[index]),
      family: family[index],
      leaveOutagesOut,
      detailsOf: options.detailsOf,
    }),
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
    ...(options.selection === undefined ? {} : { selection: options.selection }),
    passRate: options.passRate,
    ...(maxErrors === undefined ? {} : { maxErrors }),
    undecided: isUndecided(cases, outages, maxErrors),
    ...(options.resultsFile === undefined ? {} : { resultsFile: options.resultsFile }),
    ...(options.tracesFolder === undefined ? {} : { tracesFolder: options.tracesFolder }),
    targetOptions: options.targetOptions ?? [],
    ...(options.against === undefined
      ? {}
      : {
          against: {
            label: options.against.label,
            file: options.against.file,
            missing: against!.missing(stored),
          },
        }),
    stopped: options.stopped ?? [],
    coverage: coverageOfRecords(records, options.notEvaluated ?? []),
    gate: gateOf(cases, options.gate),
  };
}

function allowedErrors(planned: readonly PlannedCase[], given: ErrorTolerance | undefined): AllowedErrors | undefined {
  if (given === undefined) return undefined;
  const runs = planned.reduce((sum, entry) => sum + entry.repeat, 0);
  return { written: given.written, runs: given.runs ?? Math.floor((given.share ?? 0) * runs + 1e-9) };
}

/** Whether outages leave open what the user wants to know. With nothing judged at all, no tolerance makes a verdict. */
function isUndecided(cases: readonly CaseReport[], outages: number, allowed: AllowedErrors | undefined): boolean {
  if (outages === 0) return false;
  if (cases.every((entry) => entry.judged === 0)) return true;
  if (allowed !== undefined) return outages > allowed.runs;
  return cases.some((entry) => entry.reading.kind === "not_judged");
}

function caseKey(entry: { readonly id: string; readonly suite: string; readonly target: string }): string {
  return JSON.stringify([entry.suite, entry.target, entry.id]);
}

/** `apart`: runs of one case on two targets are two groups. */
export function groupByCase(records: readonly RunRecord[], apart = true): Map<string, RunRecord[]> {
  const groups = new Map<string, RunRecord[]>();
  for (const record of records) {
    const key = caseKey({ id: record.eval_id, suite: record.dataset, target: apart ? record.target : "" });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}

function countOf(records: readonly RunRecord[]): RunCount {
  const judged = judgedRuns(records);
  return { passed: judged.filter((record) => record.passed).length, runs: judged.length };
}

export interface StoredRuns {
  /** On the same target, else on the only target that has the case. */
  of(entry: PlannedCase): readonly RunRecord[] | undefined;
  missing(used: readonly (readonly RunRecord[] | undefined)[]): EvalAgainst["missing"];
}

export function storedRuns(records: readonly RunRecord[]): StoredRuns {
  const groups = groupByCase(records);
  const onAnyTarget = new Map<string, RunRecord[][]>();
  for (const group of groups.values()) {
    const key = caseKey({ id: group[0]!.eval_id, suite: group[0]!.dataset, target: "" });
    onAnyTarget.set(key, [...(onAnyTarget.get(key) ?? []), group]);
  }
  return {
    of(entry) {
      const others = onAnyTarget.get(caseKey({ ...entry, target: "" })) ?? [];
      return groups.get(caseKey(entry)) ?? (others.length === 1 ? others[0] : undefined);
    },
    missing(used) {
      const known = new Set(used);
      return [...groups.values()]
        .filter((group) => !known.has(group))
        .map(([first]) => ({ id: first!.eval_id, suite: first!.dataset, target: first!.target }));
    },
  };
}

/**
 * pass@1 is the share of runs that pass; its interval pools all runs, which is conservative when cases differ: a sum of
 * unlike chances is less spread than one of like chances (Hoeffding 1956, "On the distribution of the number of
 * successes in independent trials").
 */
function ratesOf(cases: readonly CaseReport[]): Rates | undefined {
  const run = cases.filter((entry) => entry.judged > 0);
  if (run.length === 0) return undefined;
  const runs = run.reduce((sum, entry) => sum + entry.judged, 0);
  const passed = run.reduce((sum, entry) => sum + entry.passed, 0);
  const k = run[0]!.judged;
  const equal = run.every((entry) => entry.judged === k);
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
    casesPassingAlways: run.filter((entry) => entry.passed === entry.judged).length,
    cases: run.length,
  };
}

/** From the records alone, so that a resumed run covers what its first part saw. */
export function coverageOfRecords(records: readonly RunRecord[], notEvaluated: readonly NotEvaluated[]): Coverage {
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
