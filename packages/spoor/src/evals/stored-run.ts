/** A run that was made before: what was kept of it is judged again, because its judge was out or the evaluators changed, and the agent is not asked. */
import type { Json, Trace } from "@spoor/core";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { loadDumpedTrace } from "./dumped-trace.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { type FailureKind, ProviderError } from "./providers/provider.ts";
import { type AgentRun, readAnswer } from "./read-answer.ts";

/** Whether only the judgement of a stored run is missing. */
export function lacksOnlyJudgement(record: RunRecord): boolean {
  return isJudgeOut(record) && Array.isArray(record.output_messages);
}

/** The agent did its part. */
export function isJudgeOut({ status, ended, error }: RunRecord): boolean {
  return status === "outage" && ended !== "error" && error?.kind === JUDGE_OUT;
}

/** The kind of error of a run that an evaluator could not judge. */
export const JUDGE_OUT = "evaluator";

/** A run of which nothing is asked but its judgement. */
export interface StoredRun {
  readonly record: RunRecord;
  /** Its dumped trace, where the record holds no messages. */
  readonly dump?: string;
}

/** A command may look at the folder the agent worked in, and that is gone. */
export function canJudgeAgain(run: PlannedRun): boolean {
  return run.case.workspace === undefined && looksAtFolder(run) === undefined;
}

/** The name of an evaluator that may look at the folder the agent worked in; an agent that is no program has none. */
export function looksAtFolder({ case: { workspace }, evaluators, target }: PlannedRun): string | undefined {
  const hasFolder = workspace !== undefined || target.provider.worksInFolder === true || target.providerName === "cli";
  if (!hasFolder) return undefined;
  return evaluators.find(runsCommand)?.name;
}

/** A script, also that of a prompt, is told where the workspace is. */
function runsCommand({ type, params }: EvaluatorConfig): boolean {
  const { members = [], prompt } = (params ?? {}) as {
    readonly members?: readonly EvaluatorConfig[];
    readonly prompt?: unknown;
  };
  const isScript = typeof prompt === "object" && prompt !== null;
  return type === "code_judge" || isScript || members.some(runsCommand);
}

export async function runOfRecord(run: PlannedRun, { record, dump }: StoredRun): Promise<AgentRun> {
  const { limit, from_cache, status, ended, error } = record;
  const failure = status === "failed" && ended === "error" ? error : undefined;
  return {
    trace: dump === undefined ? traceOfMessages(run, record) : await loadDumpedTrace(dump, record),
    problems: problemsOfAgent(record),
    ...(limit === undefined ? {} : { limit }),
    ...(failure === undefined ? {} : { failure: new ProviderError(failure.kind as FailureKind, failure.message) }),
    ...(from_cache === undefined ? {} : { fromCache: { requests: from_cache.requests } }),
  };
}

function traceOfMessages(run: PlannedRun, record: RunRecord): Trace | undefined {
  const { output_messages, token_usage, cost_usd, duration_ms } = record;
  if (!Array.isArray(output_messages)) return undefined;
  const text = stringifyJson(present({ output_messages, token_usage, cost_usd, duration_ms }) as Json);
  const facts = { caseId: run.case.id, run: run.run, target: run.target.name, input: run.case.input, elapsedMs: 0 };
  return readAnswer({ output: { text }, durationMs: null }, facts).trace;
}

/** What its evaluators could not check is for the next judgement to say. */
function problemsOfAgent({ problems = [], evaluator_results: results = [] }: RunRecord): readonly string[] {
  return problems.filter((text) => !results.some(({ name }) => text.startsWith(`${name}: not checked: `)));
}

/** What judging again leaves as it was: what the agent did and said, when, and what that took. */
export function partOfAgent(record: RunRecord): Partial<RunRecord> {
  const { timestamp, ended, limit, candidate_answer, trace_summary, trace_file, trace_digest } = record;
  const { output_messages, token_usage, cost_usd, duration_ms, from_cache, user_usage } = record;
  const figures = { token_usage, cost_usd, duration_ms, from_cache, user_usage };
  const did = { candidate_answer, trace_summary, output_messages, trace_file, trace_digest };
  return present({ timestamp, ended, limit, ...did, ...figures });
}
