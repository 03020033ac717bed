/** One run of one case: workspace, agent with retries, trace, evaluators, record. Never throws for what an agent can do. */

import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json, Trace } from "@spoor/core";
import type { EvaluatorRecord, RetryRecord, RunRecord } from "@spoor/core/evals/run-record";
import { summariseTrace } from "@spoor/core/evals/trace-summary";
import { scoreCase } from "@spoor/core/evaluators/case-score";
import {
  type EvaluationSubject,
  type EvaluationTask,
  type EvaluatorResult,
  hitsOf,
  missesOf,
} from "@spoor/core/evaluators/evaluation";
import { subjectOfMessages, subjectOfTrace } from "@spoor/core/evaluators/subject";
import { contentText, messagesOfTrace, type OutputMessage, traceOfMessages } from "../formats/output-messages.ts";
import { promptOf } from "./parse-input.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { type AgentAnswer, type AgentRequest, isRetryable, ProviderError } from "./providers/provider.ts";
import { untilAborted } from "./until-aborted.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

export interface RunSettings {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly maxRetries: number;
  readonly includeTrace: boolean;
  readonly keepWorkspaces: boolean;
  readonly now: () => Date;
  /** Milliseconds from an arbitrary start. */
  readonly clock: () => number;
  readonly evaluate: (
    run: PlannedRun,
    subject: EvaluationSubject,
    folder: string,
  ) => Promise<readonly EvaluatorResult[]>;
  readonly onActivity: (run: PlannedRun, text: string) => void;
}

export interface RunOutcome {
  readonly record: RunRecord;
  /** Absent when there is no trace. */
  readonly trace?: Trace;
  readonly messages?: readonly OutputMessage[];
  /** Set when no further run of the target can work. */
  readonly failure?: ProviderError;
  readonly attempts: number;
  /** From the first attempt to the end. */
  readonly elapsedMs: number;
}

export async function runOnce(run: PlannedRun, settings: RunSettings): Promise<RunOutcome> {
  const retries: RetryRecord[] = [];
  const beganAt = settings.clock();
  let workspace: Workspace | undefined;
  let outcome: Omit<RunOutcome, "elapsedMs">;
  try {
    const { workspace: config } = run.case;
    if (config !== undefined) {
      workspace = await openWorkspace(config, run.case.id, {
        env: run.env,
        signal: settings.signal,
        keep: settings.keepWorkspaces,
      });
    }
    const startedAt = settings.clock();
    const answer = await askWithRetries(run, workspace, settings, retries);
    outcome = await evaluateAnswer(run, answer, Math.round(settings.clock() - startedAt), retries, workspace, settings);
  } catch (error) {
    // Ctrl-C: the run did not happen.
    settings.signal.throwIfAborted();
    if (!(error instanceof ProviderError)) throw error;
    outcome = { record: errorRecord(run, error, retries, settings), failure: error, attempts: retries.length + 1 };
  }
  const teardown = (await workspace?.close()) ?? [];
  const elapsedMs = settings.clock() - beganAt;
  if (teardown.length === 0) return { ...outcome, elapsedMs };
  const problems = [...(outcome.record.problems ?? []), ...teardown];
  return { ...outcome, elapsedMs, record: { ...outcome.record, problems } };
}

async function askWithRetries(
  run: PlannedRun,
  workspace: Workspace | undefined,
  settings: RunSettings,
  retries: RetryRecord[],
): Promise<AgentAnswer> {
  const { retry } = run.target;
  const maxRetries = retry.maxRetries ?? settings.maxRetries;
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(run, attempt, workspace, settings);
    } catch (error) {
      settings.signal.throwIfAborted();
      if (!(error instanceof ProviderError) || !isRetryable(error) || attempt > maxRetries) throw error;
      retries.push({ kind: error.kind, message: error.message });
      const pause = error.retryAfterMs ?? retry.initialDelayMs * retry.backoffFactor ** (attempt - 1);
      settings.onActivity(run, `waiting to try again (${error.kind})`);
      await sleep(Math.min(pause, retry.maxDelayMs), undefined, { signal: settings.signal });
    }
  }
}

async function askOnce(
  run: PlannedRun,
  attempt: number,
  workspace: Workspace | undefined,
  settings: RunSettings,
): Promise<AgentAnswer> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), run.timeoutMs);
  const signal = AbortSignal.any([settings.signal, timeout.signal]);
  try {
    const answer = run.target.provider.ask(requestOf(run, attempt, workspace, settings), {
      signal,
      env: workspace?.env ?? run.env,
      activity: (text) => settings.onActivity(run, text),
      now: settings.clock,
    });
    return await untilAborted(answer, signal, GRACE_MS);
  } catch (error) {
    if (timeout.signal.aborted && !settings.signal.aborted && !(error instanceof ProviderError)) {
      throw new ProviderError("timeout", `no answer within ${run.timeoutMs / 1000} s`, { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Ending an agent with everything it started takes a moment; its workspace is not removed under its feet. */
const GRACE_MS = 3000;

function requestOf(
  run: PlannedRun,
  attempt: number,
  workspace: Workspace | undefined,
  settings: RunSettings,
): AgentRequest {
  const { input, id, metadata } = run.case;
  return {
    caseId: id,
    run: run.run,
    attempt,
    messages: input,
    prompt: promptOf(input),
    files: input.flatMap((message) => message.files),
    folder: workspace?.folder ?? dirname(resolve(settings.cwd, run.suite.file)),
    isolated: workspace !== undefined,
    evalFile: run.suite.file,
    ...(metadata === undefined ? {} : { metadata }),
  };
}

async function evaluateAnswer(
  run: PlannedRun,
  answer: AgentAnswer,
  measuredMs: number,
  retries: readonly RetryRecord[],
  workspace: Workspace | undefined,
  settings: RunSettings,
): Promise<Omit<RunOutcome, "elapsedMs">> {
  const durationMs = answer.durationMs === undefined ? measuredMs : (answer.durationMs ?? undefined);
  const messages = answer.messages ?? (answer.trace === undefined ? undefined : messagesOfTrace(answer.trace));
  const info = {
    traceId: `${run.case.id}#${run.run}`,
    agent: run.target.name,
    caseId: run.case.id,
    input: run.case.input,
  };
  let built: Trace | undefined = answer.trace;
  const trace = () => (built ??= traceOfMessages(messages ?? [], info));
  const subject = subjectOf(run, answer, messages, durationMs, trace);
  const metrics = {
    ...(subject.tokenUsage === undefined ? {} : { usage: subject.tokenUsage }),
    ...(subject.costUsd === undefined ? {} : { costUsd: subject.costUsd }),
    ...(subject.durationMs === undefined ? {} : { durationMs: subject.durationMs }),
  };
  settings.onActivity(run, "evaluating");
  const folder = dirname(resolve(settings.cwd, run.suite.file));
  const results = await settings.evaluate(run, subject, workspace?.folder ?? folder);
  const hasTrace = messages !== undefined;
  const score = scoreCase(results, run.threshold);
  const hits = results.flatMap(hitsOf);
  const misses = results.flatMap(missesOf);
  const reasoning = results
    .flatMap((result) => (result.reasoning === undefined ? [] : [`${result.name}: ${result.reasoning}`]))
    .join(" | ");
  const problems = [
    ...(answer.problems ?? []),
    ...(hasTrace ? [] : ["the provider gave no trace: there are no messages to look at"]),
    ...results.flatMap((result) => (result.notChecked ?? []).map((text) => `${result.name}: not checked: ${text}`)),
  ];
  const broken = results.find((result) => result.error !== undefined);
  const record: RunRecord = {
    ...headOf(run, settings),
    passed: score.score >= run.threshold && score.failedRequired.length === 0,
    score: score.score,
    threshold: run.threshold,
    verdict: score.verdict,
    hits,
    misses,
    candidate_answer: subject.answer,
    ...(reasoning === "" ? {} : { reasoning }),
    evaluator_results: results.map(evaluatorRecord),
    trace_summary: hasTrace ? summariseTrace(subject.toolCalls, { ...metrics, llmCalls: subject.llmCalls ?? 0 }) : null,
    ...(settings.includeTrace ? { output_messages: (messages as readonly Json[] | undefined) ?? null } : {}),
    ...(metrics.usage === undefined ? {} : { token_usage: metrics.usage }),
    ...(metrics.costUsd === undefined ? {} : { cost_usd: metrics.costUsd }),
    ...(metrics.durationMs === undefined ? {} : { duration_ms: metrics.durationMs }),
    ...(retries.length === 0 ? {} : { retries }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(broken === undefined
      ? {}
      : { error: { kind: "evaluator", message: `evaluator ${broken.name}: ${broken.error!.message}` } }),
  };
  return {
    record: broken === undefined ? record : { ...record, passed: false },
    ...(hasTrace ? { trace: trace(), messages } : {}),
    attempts: retries.length + 1,
  };
}

function subjectOf(
  run: PlannedRun,
  answer: AgentAnswer,
  messages: readonly OutputMessage[] | undefined,
  durationMs: number | undefined,
  trace: () => Trace,
): EvaluationSubject {
  const task = taskOf(run);
  const measured = {
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(answer.costUsd === undefined ? {} : { costUsd: answer.costUsd }),
    ...(answer.usage === undefined ? {} : { tokenUsage: answer.usage }),
  };
  if (answer.trace !== undefined) {
    const wire = messages as readonly Json[] as EvaluationSubject["messages"];
    return { ...subjectOfTrace(answer.trace, task), ...(wire === undefined ? {} : { messages: wire }), ...measured };
  }
  return subjectOfMessages(
    { ...(messages === undefined ? {} : { messages: messages as readonly Json[] }), ...measured, trace },
    task,
  );
}

function taskOf({ case: { id, goal, input, expectedMessages } }: PlannedRun): EvaluationTask {
  const reference = expectedMessages.findLast((message) => (message as { role?: Json }).role === "assistant") as
    | { content?: Json }
    | undefined;
  return {
    id,
    question: promptOf(input),
    ...(goal === undefined ? {} : { expectedOutcome: goal }),
    ...(reference === undefined ? {} : { referenceAnswer: contentText(reference.content) }),
    inputMessages: input.map(({ role, content }) => ({ role, content })),
    expectedMessages,
  };
}

function evaluatorRecord(result: EvaluatorResult): EvaluatorRecord {
  return {
    name: result.name,
    type: result.type,
    score: result.score,
    weight: result.weight,
    verdict: result.verdict,
    hits: hitsOf(result),
    misses: missesOf(result),
    ...(result.reasoning === undefined ? {} : { reasoning: result.reasoning }),
    ...(result.details === undefined ? {} : { details: result.details }),
  };
}

function headOf(run: PlannedRun, settings: RunSettings) {
  return {
    schema: "spoor.eval-run/1" as const,
    timestamp: settings.now().toISOString(),
    eval_id: run.case.id,
    dataset: run.suite.name,
    eval_file: run.suite.file,
    target: run.target.name,
    run: run.run,
    key: run.key,
    ...(run.case.conversationId === undefined ? {} : { conversation_id: run.case.conversationId }),
  };
}

/** The form AgentV gives to a run that ended in an error. */
function errorRecord(
  run: PlannedRun,
  error: ProviderError,
  retries: readonly RetryRecord[],
  settings: RunSettings,
): RunRecord {
  return {
    ...headOf(run, settings),
    passed: false,
    score: 0,
    threshold: run.threshold,
    verdict: "fail",
    hits: [],
    misses: [`Error: ${error.message}`],
    candidate_answer: `Error occurred: ${error.message}`,
    trace_summary: null,
    ...(settings.includeTrace ? { output_messages: null } : {}),
    ...(retries.length === 0 ? {} : { retries }),
    error: { kind: error.kind, message: error.message },
  };
}
