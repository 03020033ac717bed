/** A run as it is written to the results file. */
import type { Json, Trace } from "@spoor/core";
import { agentvVerdict } from "@spoor/core/internal/evals/agentv-verdict";
import type {
  EvaluatorRecord,
  JudgeUsage,
  RetryRecord,
  RunRecord,
  TraceSummary,
} from "@spoor/core/internal/evals/run-record";
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
  const misses = results.flatMap(missesOf);
  return recordOf(run, options, {
    status: broken === undefined ? (passed ? "passed" : "failed") : "outage",
    ended: endOf(agentRun),
    limit: agentRun.limit,
    score: scored.score,
    verdict: agentvVerdict(failure === undefined ? scored : { status: "failed" }),
    hits: results.flatMap(hitsOf),
    misses: failure === undefined ? misses : [`Error: ${failure.message}`, ...misses],
    answer: subject.answer,
    reasoning: reasoningOf(results),
    evaluators: results.map(evaluatorRecord),
    trace,
    subject,
    // What only waits for its judge is kept whole: the agent need not be asked again.
    includeTrace: options.includeTrace || broken !== undefined,
    fromCache: cachedShare(run, agentRun),
    problems: [...problems, ...notChecked(results)],
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
  return recordOf(run, options, {
    status: "failed",
    ended: endOf(agentRun),
    limit,
    ...nothingScored(failure?.message ?? limitText(limit!)),
    trace,
    subject,
    includeTrace: options.includeTrace,
    problems,
    error: failure && { kind: failure.kind, message: failure.message },
  });
}

/** A run that did not happen, with what the agent had done until then. */
export function outageRecord(run: PlannedRun, error: ProviderError, options: RecordOptions): RunRecord {
  const { kind, message, trace, problems } = error;
  return recordOf(run, options, {
    status: "outage",
    ended: "error",
    ...nothingScored(message),
    trace,
    subject: subjectOfTrace(trace),
    includeTrace: options.includeTrace,
    problems,
    error: { kind, message },
  });
}

/** What is said of a run, however it went. */
interface Told {
  readonly status: RunRecord["status"];
  readonly ended: RunRecord["ended"];
  readonly limit?: RunRecord["limit"] | undefined;
  readonly score: number;
  readonly verdict: string;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  readonly answer: string;
  readonly reasoning?: string | undefined;
  readonly evaluators?: readonly EvaluatorRecord[];
  readonly trace: Trace | undefined;
  readonly subject: EvaluationSubject;
  readonly includeTrace: boolean;
  readonly fromCache?: RunRecord["from_cache"];
  readonly problems: readonly string[];
  readonly error: RunRecord["error"];
}

/**
 * The members in the order of the file, in one literal: put together from parts, a record of this size costs ten times
 * the time and twice the memory, and a suite has thousands.
 */
function recordOf(run: PlannedRun, { now, judgeUsage, retries }: RecordOptions, told: Told): RunRecord {
  const { conversationId, conversation } = run.case;
  const { limit, reasoning, evaluators, trace, fromCache, problems, error } = told;
  const { tokenUsage, costUsd, durationMs } = told.subject;
  return {
    schema: "spoor.eval-run/1",
    timestamp: now().toISOString(),
    eval_id: run.case.id,
    dataset: run.suite.name,
    eval_file: run.suite.file,
    target: run.target.name,
    run: run.run,
    key: run.key,
    input_key: run.inputKey,
    ...(conversationId === undefined ? {} : { conversation_id: conversationId }),
    status: told.status,
    passed: told.status === "passed",
    ended: told.ended,
    ...(limit === undefined ? {} : { limit }),
    score: told.score,
    threshold: run.threshold,
    verdict: told.verdict,
    hits: told.hits,
    misses: told.misses,
    candidate_answer: told.answer,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(evaluators === undefined ? {} : { evaluator_results: evaluators }),
    trace_summary: trace === undefined ? null : summaryOf(trace, told.subject),
    // What a user said later stands nowhere else.
    ...(told.includeTrace ? { output_messages: messagesOf(trace, conversation !== undefined) } : {}),
    ...(tokenUsage === undefined ? {} : { token_usage: tokenUsage }),
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    ...(judgeUsage === undefined ? {} : { judge_usage: judgeUsage }),
    ...(fromCache === undefined ? {} : { from_cache: fromCache }),
    ...(retries.length === 0 ? {} : { retries }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(error === undefined ? {} : { error }),
  };
}

function summaryOf(trace: Trace, { tokenUsage, costUsd, durationMs }: EvaluationSubject): TraceSummary {
  const figures = present({ usage: tokenUsage, costUsd, durationMs, llmCalls: trace.turns.length });
  return summariseTrace(trace.toolCalls, figures);
}

function messagesOf(trace: Trace | undefined, withAsked: boolean): readonly Json[] | null {
  return trace === undefined ? null : outputMessages(trace, { withAsked });
}

function cachedShare({ target }: PlannedRun, { fromCache }: AgentRun): RunRecord["from_cache"] {
  if (fromCache === undefined) return undefined;
  const { requests, usage } = fromCache;
  const { prices } = target;
  return { requests, ...(usage === undefined || prices === undefined ? {} : { cost_usd: priceTokens(usage, prices) }) };
}

function endOf({ limit, failure }: AgentRun): RunRecord["ended"] {
  if (limit !== undefined) return "limit";
  return failure === undefined ? "answered" : "error";
}

function nothingScored(why: string) {
  return {
    score: 0,
    verdict: agentvVerdict({ status: "failed" }),
    hits: [],
    misses: [`Error: ${why}`],
    answer: `Error occurred: ${why}`,
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
  const { ruledOut, reasoning, details } = result;
  return {
    name: result.name,
    type: result.type,
    score: result.score,
    weight: result.weight,
    verdict: agentvVerdict(result),
    hits: hitsOf(result),
    misses: missesOf(result),
    ...(ruledOut === undefined ? {} : { ruled_out: ruledOut }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(details === undefined ? {} : { details }),
  };
}
