/** The runs of one case → how it stands: which runs count, what they say together, and why those that failed did. */
import { statusOfVerdict } from "./agentv-verdict.ts";
import { type CaseReading, type InFamily, type RunCount, readCase } from "./read-case.ts";
import type { RunDetails } from "./run-details.ts";
import { judgedRuns, type ReachedLimit, type RunEnding, type RunStatus } from "./run-ending.ts";
import type { EvaluatorRecord, RunRecord } from "./run-record.ts";

export interface CaseReport {
  readonly id: string;
  readonly suite: string;
  readonly target: string;
  readonly runs: readonly RunReport[];
  readonly planned: number;
  /** Runs that say something about the agent: all but outages. */
  readonly judged: number;
  readonly passed: number;
  /** Mean score over the runs that were judged; absent when none was. */
  readonly score?: number;
  /** The score a run must reach to pass. */
  readonly threshold: number;
  readonly reading: CaseReading;
  /** Why runs failed or could not be judged: each reason with how many of the runs share it, most frequent first. */
  readonly reasons: readonly FailureReason[];
}

export interface RunReport {
  readonly run: number;
  readonly status: RunStatus;
  readonly passed: boolean;
  readonly ended: RunEnding;
  readonly limit?: ReachedLimit;
  readonly score: number;
  readonly retries: number;
  /** Evaluators for which the run fails although it reaches the threshold. */
  readonly ruledOutBy?: readonly string[];
  readonly noTrace?: true;
  readonly error?: { readonly kind: string; readonly message: string };
  /** For a page: what the run did and what was made of it. */
  readonly details?: RunDetails;
}

export interface FailureReason {
  readonly text: string;
  readonly runs: number;
  /** Of runs that do not count. */
  readonly outage?: true;
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

export interface CaseReportOptions {
  readonly passRate: number;
  readonly stored?: RunCount | undefined;
  readonly family?: InFamily | undefined;
  /** Outages are left out, as the user allows; otherwise the verdict must be the same whatever those runs had said. */
  readonly leaveOutagesOut: boolean;
  /** Absent where nobody asks for a page. */
  readonly detailsOf?: ((record: RunRecord) => RunDetails) | undefined;
}

export function caseReport(
  entry: PlannedCase,
  records: readonly RunRecord[],
  { passRate, stored, family, leaveOutagesOut, detailsOf }: CaseReportOptions,
): CaseReport {
  const runs = [...records].sort((left, right) => left.run - right.run);
  const judged = judgedRuns(runs);
  const outages = runs.length - judged.length;
  const passed = judged.filter((record) => record.passed).length;
  return {
    id: entry.id,
    suite: entry.suite,
    target: entry.target,
    planned: entry.repeat,
    runs: runs.map((record) => {
      const details = detailsOf?.(record);
      return { ...runReport(record), ...(details === undefined ? {} : { details }) };
    }),
    judged: judged.length,
    passed,
    threshold: entry.threshold,
    ...(judged.length === 0 ? {} : { score: judged.reduce((sum, record) => sum + record.score, 0) / judged.length }),
    reading: readCase({ passed, runs: judged.length }, { passRate, stored, family, outages, leaveOutagesOut }),
    reasons: reasonsOf(runs),
  };
}

function runReport(record: RunRecord): RunReport {
  const { run, status, passed, ended, limit, score, retries, error } = record;
  return {
    run,
    status,
    passed,
    ended,
    ...(limit === undefined ? {} : { limit }),
    score,
    retries: retries?.length ?? 0,
    ...ruledOut(record),
    ...(record.trace_summary === null && status !== "outage" ? { noTrace: true as const } : {}),
    ...(error === undefined ? {} : { error }),
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
  const reasons = new Map<string, FailureReason>();
  for (const record of records) {
    if (record.passed) continue;
    const text = reasonOf(record);
    const outage = record.status === "outage" ? { outage: true as const } : {};
    const key = JSON.stringify([text, outage]);
    reasons.set(key, { text, runs: (reasons.get(key)?.runs ?? 0) + 1, ...outage });
  }
  return [...reasons.values()].sort((left, right) => right.runs - left.runs);
}

/** The evaluator that rules the run out, else the one that scored worst, and its first miss: "refund-path 0.33, confirm_refund_amount never called". */
function reasonOf(record: RunRecord): string {
  if (record.error !== undefined) return record.error.message;
  // A limit was reached before there was anything to evaluate.
  if (record.limit !== undefined && record.evaluator_results === undefined)
    return (record.misses[0] ?? "").replace(/^Error: /, "");
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
