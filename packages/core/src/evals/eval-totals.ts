/** What all runs of an eval come to: how they ended, what was tried again, time, tokens and money. */

import { type Json, member } from "../trace/json.ts";
import type { CaseReport, PlannedCase } from "./case-report.ts";
import type { LimitKind } from "./run-ending.ts";
import type { JudgeUsage, RunRecord } from "./run-record.ts";
import { totalTokens } from "./total-tokens.ts";

export interface EvalTotals {
  readonly cases: number;
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  /** Runs that say nothing about the agent. */
  readonly outages: number;
  readonly notRun: number;
  /** Limit → how many of the judged runs it ended. */
  readonly limits: Readonly<Partial<Record<LimitKind, number>>>;
  /** Judged runs in which the agent broke down. */
  readonly brokeDown: number;
  /** Kind of failure → how many attempts were repeated because of it. */
  readonly retries: Readonly<Record<string, number>>;
  readonly timeouts: number;
  readonly durationMs: number;
  readonly costUsd?: number;
  /** Runs whose cost is unknown; the sum above leaves them out. */
  readonly runsWithoutCost: number;
  readonly tokens?: { readonly input: number; readonly output: number; readonly cached: number };
  /** What judges were asked; absent where nobody was. */
  readonly judges?: JudgeTotals;
  /** What models that played users of conversations said; absent where there were none. */
  readonly users?: AskedTotals;
  /** Answers of models and judges that the cache gave; absent where there were none. */
  readonly fromCache?: number;
  /** Judged runs without any trace: nothing could be said about their tool calls. */
  readonly runsWithoutTrace: number;
  /** Tool calls that recordings were asked for, and those they answered; absent where none were asked. */
  readonly fromRecordings?: { readonly asked: number; readonly served: number };
}

export interface AskedTotals {
  readonly questions: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  /** Answers of which nobody knows what they cost. */
  readonly unpriced: number;
}

export interface JudgeTotals extends AskedTotals {
  /** Runs that several judges voted on, and those on which they disagreed. */
  readonly panels: number;
  readonly disagreements: number;
}

export function totalsOf(
  planned: readonly PlannedCase[],
  cases: readonly CaseReport[],
  records: readonly RunRecord[],
  durationMs: number,
): EvalTotals {
  const plannedRuns = planned.reduce((sum, entry) => sum + entry.repeat, 0);
  const runs = cases.reduce((sum, entry) => sum + entry.runs.length, 0);
  const retries = records.flatMap((record) => record.retries ?? []);
  const repeated = new Map<string, number>();
  for (const { kind } of retries) repeated.set(kind, (repeated.get(kind) ?? 0) + 1);
  const limits: Partial<Record<LimitKind, number>> = {};
  for (const { limit } of records) if (limit !== undefined) limits[limit.kind] = (limits[limit.kind] ?? 0) + 1;
  const costs = records.flatMap((record) => record.cost_usd ?? []);
  const wasted = retries.flatMap((retry) => retry.cost_usd ?? []);
  const usages = records.flatMap((record) => record.token_usage ?? []);
  const outages = records.filter((record) => record.status === "outage").length;
  const passed = records.filter((record) => record.passed).length;
  return {
    cases: planned.length,
    runs,
    passed,
    failed: runs - passed - outages,
    outages,
    notRun: Math.max(0, plannedRuns - runs),
    limits,
    brokeDown: records.filter((record) => record.ended === "error" && record.status !== "outage").length,
    retries: Object.fromEntries(repeated),
    timeouts: (limits.timeout ?? 0) + (repeated.get("timeout") ?? 0),
    durationMs,
    ...(costs.length + wasted.length === 0 ? {} : { costUsd: sumOf([...costs, ...wasted]) }),
    runsWithoutCost: runs - costs.length,
    ...(usages.length === 0
      ? {}
      : {
          tokens: {
            input: sumOf(usages.map((usage) => usage.input)),
            output: sumOf(usages.map((usage) => usage.output)),
            cached: sumOf(usages.map((usage) => usage.cached ?? 0)),
          },
        }),
    runsWithoutTrace: records.filter((record) => record.trace_summary === null && record.status !== "outage").length,
    ...judgeTotals(records),
    ...fromRecordings(records),
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function judgeTotals(records: readonly RunRecord[]): Pick<EvalTotals, "judges" | "users" | "fromCache"> {
  const usages = records.flatMap((record) => record.judge_usage ?? []);
  const playing = records.flatMap((record) => record.user_usage ?? []);
  const votes = records.map(({ evaluator_results: results = [] }) => results.flatMap(({ details }) => voteOf(details)));
  const cached =
    sumOf([...usages, ...playing].map(({ from_cache }) => from_cache ?? 0)) +
    sumOf(records.map(({ from_cache }) => from_cache?.requests ?? 0));
  return {
    ...(usages.length === 0
      ? {}
      : {
          judges: {
            ...askedTotals(usages),
            panels: votes.filter((of) => of.length > 0).length,
            disagreements: votes.filter((of) => of.includes(true)).length,
          },
        }),
    ...(playing.length === 0 ? {} : { users: askedTotals(playing) }),
    ...(cached === 0 ? {} : { fromCache: cached }),
  };
}

function askedTotals(usages: readonly JudgeUsage[]): AskedTotals {
  const counted = usages.flatMap(({ token_usage: used }) => (used === undefined ? [] : [totalTokens(used)]));
  const costs = usages.flatMap(({ cost_usd }) => cost_usd ?? []);
  return {
    questions: sumOf(usages.map(({ questions }) => questions)),
    ...(counted.length === 0 ? {} : { tokens: sumOf(counted) }),
    ...(costs.length === 0 ? {} : { costUsd: sumOf(costs) }),
    unpriced: sumOf(usages.map(({ unpriced }) => unpriced ?? 0)),
  };
}

/** Whether the judges of a panel disagreed; nothing where there was none. */
function voteOf(details: Json | undefined): boolean[] {
  const disagree = member(details, "disagree");
  return typeof disagree === "boolean" ? [disagree] : [];
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
