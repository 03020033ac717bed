/** A run whose agent answered and whose judge was out: what was kept of it is judged again, and the agent is not asked. */
import type { Json } from "@spoor/core";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import type { PlannedRun } from "./plan-runs.ts";
import { type AgentRun, readAnswer } from "./read-answer.ts";

/** Whether only the judgement of a stored run is missing. */
export function lacksOnlyJudgement(record: RunRecord): boolean {
  const { status, ended, error, output_messages: messages } = record;
  return status === "outage" && ended !== "error" && error?.kind === JUDGE_OUT && Array.isArray(messages);
}

/** The kind of error of a run that an evaluator could not judge. */
export const JUDGE_OUT = "evaluator";

/** A command may look at the folder the agent worked in, and that is gone. */
export function canJudgeAgain({ case: { workspace }, evaluators }: PlannedRun): boolean {
  return workspace === undefined && !evaluators.some(runsCommand);
}

function runsCommand({ type, params }: EvaluatorConfig): boolean {
  const { members = [] } = (params ?? {}) as { readonly members?: readonly EvaluatorConfig[] };
  return type === "code_judge" || members.some(runsCommand);
}

export function runOfRecord(run: PlannedRun, record: RunRecord): AgentRun {
  const { output_messages, token_usage, cost_usd, duration_ms, limit, from_cache } = record;
  const text = stringifyJson(present({ output_messages, token_usage, cost_usd, duration_ms }) as Json);
  const facts = { caseId: run.case.id, run: run.run, target: run.target.name, input: run.case.input, elapsedMs: 0 };
  const { trace } = readAnswer({ output: { text }, durationMs: null }, facts);
  return {
    trace,
    problems: record.problems ?? [],
    ...(limit === undefined ? {} : { limit }),
    ...(from_cache === undefined ? {} : { fromCache: { requests: from_cache.requests } }),
  };
}
