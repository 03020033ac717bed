/** A run as it is written to the results file. */
import type { Trace } from "@spoor/core";
import { agentvVerdict } from "@spoor/core/internal/evals/agentv-verdict";
import type { EvaluatorRecord, JudgeUsage, RetryRecord, RunRecord } from "@spoor/core/internal/evals/run-record";
import { summariseTrace } from "@spoor/core/internal/evals/trace-summary";
import { scoreCase } from "@spoor/core/internal/evaluators/case-score";
import {
  type EvaluationSubject,
  type EvaluatorResult,
  hitsOf,
  missesOf,
} from "@spoor/core/internal/evaluators/evaluation";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { present } from "@spoor/core/internal/trace/present";
import { limitText } from "../document/limit-words.ts";
import { outputMessages } from "../formats/write-agentv.ts";
import type { PlannedRun } from "./plan-runs.ts";
import type { ProviderError } from "./providers/provider.ts";
import type { AgentRun } from "./read-answer.ts";
import { JUDGE_OUT } from "./stored-run.ts";
import { priceTokens } from "./token-prices.ts";

export interface RecordOptions {
  readonly retries: readonly RetryRecord[];
  readonly includeTrace: boolean;
  readonly now: () => Date;
  readonly judgeUsage?: JudgeUsage | undefined;
}

/**
 * A run that was evaluated, however it ended: at a limit it is scored like any other, an agent that broke down is scored
 * and never passes, and where an evaluator broke down nothing is known.
 */
export function evaluatedRecord(
  run: PlannedRun,
  agentRun: AgentRun,
  subject: EvaluationSubject,
  results: readonly EvaluatorResult[],
  options: RecordOptions,
): RunRecord {
  const { trace, problems, failure } = agentRun;
  const scored = scoreCase(results, run.threshold);
  const broken = results.find((result) => result.error !== undefined);
  const passed = broken === undefined && failure === undefined && scored.status === "passed";
  return present({
    ...headOf(run, options),
    status: broken === undefined ? (passed ? ("passed" as const) : ("failed" as const)) : ("outage" as const),
    passed,
    ...endOf(agentRun),
    score: scored.score,
    threshold: run.threshold,
    verdict: agentvVerdict(failure === undefined ? scored : { status: "failed" }),
    hits: results.flatMap(hitsOf),
    misses: [...(failure === undefined ? [] : [`Error: ${failure.message}`]), ...results.flatMap(missesOf)],
    candidate_answer: subject.answer,
    reasoning: reasoningOf(results),
    evaluator_results: results.map(evaluatorRecord),
    // What only waits for its judge is kept whole: the agent need not be asked again.
    ...traceMembers(run, trace, subject, { ...options, includeTrace: options.includeTrace || broken !== undefined }),
    judge_usage: options.judgeUsage,
    from_cache: cachedShare(run, agentRun),
    retries: orAbsent(options.retries),
    problems: orAbsent([...problems, ...notChecked(results)]),
    error:
      broken === undefined
        ? failure && { kind: failure.kind, message: failure.message }
        : { kind: JUDGE_OUT, message: `evaluator ${broken.name}: ${broken.error!.message}` },
  });
}

/** A run that was ended before it did anything, in the form AgentV gives it. */
export function unscoredRecord(
  run: PlannedRun,
  agentRun: AgentRun,
  subject: EvaluationSubject,
  options: RecordOptions,
): RunRecord {
  const { trace, problems, limit, failure } = agentRun;
  const why = failure?.message ?? limitText(limit!);
  return present({
    ...headOf(run, options),
    status: "failed" as const,
    passed: false,
    ...endOf(agentRun),
    ...nothingScored(run, why),
    ...traceMembers(run, trace, subject, options),
    retries: orAbsent(options.retries),
    problems: orAbsent(problems),
    error: failure && { kind: failure.kind, message: failure.message },
  });
}

/** A run that did not happen, with what the agent had done until then. */
export function outageRecord(run: PlannedRun, error: ProviderError, options: RecordOptions): RunRecord {
  return present({
    ...headOf(run, options),
    status: "outage" as const,
    passed: false,
    ended: "error" as const,
    ...nothingScored(run, error.message),
    ...traceMembers(run, error.trace, subjectOfTrace(error.trace), options),
    retries: orAbsent(options.retries),
    problems: orAbsent(error.problems),
    error: { kind: error.kind, message: error.message },
  });
}

function cachedShare({ target }: PlannedRun, { fromCache }: AgentRun): RunRecord["from_cache"] {
  if (fromCache === undefined) return undefined;
  const { requests, usage } = fromCache;
  const { prices } = target;
  return { requests, ...(usage === undefined || prices === undefined ? {} : { cost_usd: priceTokens(usage, prices) }) };
}

function endOf({ limit, failure }: AgentRun): Pick<RunRecord, "ended" | "limit"> {
  if (limit !== undefined) return { ended: "limit", limit };
  return { ended: failure === undefined ? "answered" : "error" };
}

function nothingScored({ threshold }: PlannedRun, why: string) {
  return {
    score: 0,
    threshold,
    verdict: agentvVerdict({ status: "failed" }),
    hits: [],
    misses: [`Error: ${why}`],
    candidate_answer: `Error occurred: ${why}`,
  };
}

function headOf(run: PlannedRun, { now }: RecordOptions) {
  return {
    schema: "spoor.eval-run/1" as const,
    timestamp: now().toISOString(),
    eval_id: run.case.id,
    dataset: run.suite.name,
    eval_file: run.suite.file,
    target: run.target.name,
    run: run.run,
    key: run.key,
    input_key: run.inputKey,
    conversation_id: run.case.conversationId,
  };
}

function traceMembers(
  run: PlannedRun,
  trace: Trace | undefined,
  subject: EvaluationSubject,
  { includeTrace }: RecordOptions,
) {
  const { tokenUsage, costUsd, durationMs } = subject;
  const figures = present({ usage: tokenUsage, costUsd, durationMs });
  // What a user said later stands nowhere else.
  const withAsked = run.case.conversation !== undefined;
  const messages = () => (trace === undefined ? null : outputMessages(trace, { withAsked }));
  return {
    trace_summary:
      trace === undefined ? null : summariseTrace(trace.toolCalls, { ...figures, llmCalls: trace.turns.length }),
    output_messages: includeTrace ? messages() : undefined,
    token_usage: tokenUsage,
    cost_usd: costUsd,
    duration_ms: durationMs,
  };
}

function notChecked(results: readonly EvaluatorResult[]): string[] {
  return results.flatMap((result) => (result.notChecked ?? []).map((text) => `${result.name}: not checked: ${text}`));
}

function reasoningOf(results: readonly EvaluatorResult[]): string | undefined {
  const reasons = results.flatMap(({ name, reasoning }) => (reasoning === undefined ? [] : [`${name}: ${reasoning}`]));
  return reasons.join(" | ") || undefined;
}

function evaluatorRecord(result: EvaluatorResult): EvaluatorRecord {
  return present({
    name: result.name,
    type: result.type,
    score: result.score,
    weight: result.weight,
    verdict: agentvVerdict(result),
    hits: hitsOf(result),
    misses: missesOf(result),
    ruled_out: result.ruledOut,
    reasoning: result.reasoning,
    details: result.details,
  });
}

function orAbsent<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
