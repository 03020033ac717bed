/** Asks the agent of a run, again where that may help, and reads what it did. */
import { dirname, resolve } from "node:path";
import type { RetryRecord } from "@spoor/core/internal/evals/run-record";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { promptOf } from "./parse-input.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { type AgentRequest, isOutage, ProviderError } from "./providers/provider.ts";
import { type AgentRun, readAnswer } from "./read-answer.ts";
import { retrying } from "./retrying.ts";
import type { ModelServers } from "./servers/model-servers.ts";
import { createRunClock } from "./servers/run-clock.ts";
import { untilAborted } from "./until-aborted.ts";
import type { Workspace } from "./workspace.ts";

export interface AskSettings {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly maxRetries: number;
  /** Milliseconds since 1970, counted without jumps. */
  readonly clock: () => number;
  readonly onActivity: (run: PlannedRun, text: string) => void;
  /** The line at servers that all runs share; absent: each asks for itself. */
  readonly servers?: ModelServers;
}

/**
 * Every attempt before the one that counts is added to `retries`. An agent that reached a limit or broke down has done
 * something all the same, which is handed on; an outage is thrown as ProviderError.
 */
export async function askAgent(
  run: PlannedRun,
  workspace: Workspace | undefined,
  settings: AskSettings,
  retries: RetryRecord[],
): Promise<AgentRun> {
  const { retry } = run.target;
  const onRetry = (error: ProviderError) => {
    retries.push(retryRecord(error));
    settings.onActivity(run, `waiting to try again (${error.kind})`);
  };
  const asked = retrying((attempt) => askOnce(run, attempt, workspace, settings, onRetry), {
    ...retry,
    maxRetries: retry.maxRetries ?? settings.maxRetries,
    signal: settings.signal,
    onRetry,
  });
  return asked.catch((error: unknown) => {
    if (error instanceof ProviderError) return endedEarly(error);
    throw error;
  });
}

/** The cost of an attempt that is thrown away was paid all the same. */
function retryRecord({ kind, message, trace }: ProviderError): RetryRecord {
  const { costUsd } = subjectOfTrace(trace);
  return { kind, message, ...(costUsd === undefined ? {} : { cost_usd: costUsd }) };
}

function endedEarly(error: ProviderError): AgentRun {
  if (isOutage(error.kind)) throw error;
  const { trace, problems, limit } = error;
  return { trace, problems, ...(limit === undefined ? { failure: error } : { limit }) };
}

async function askOnce(
  run: PlannedRun,
  attempt: number,
  workspace: Workspace | undefined,
  settings: AskSettings,
  onRefused: (error: ProviderError) => void,
): Promise<AgentRun> {
  const timeout = createRunClock(run.timeoutMs);
  const startedAt = settings.clock();
  const firstPauseMs = run.target.retry.initialDelayMs;
  const door = settings.servers?.door({ sample: `run ${run.run}`, clock: timeout, firstPauseMs, onRefused });
  const signal = AbortSignal.any([settings.signal, timeout.signal]);
  try {
    const asked = run.target.provider.ask(requestOf(run, attempt, workspace, settings), {
      signal,
      env: workspace?.env ?? run.env,
      activity: (text) => settings.onActivity(run, text),
      now: settings.clock,
      ...(door === undefined ? {} : { servers: door }),
    });
    const answer = await untilAborted(asked, signal, GRACE_MS);
    return readAnswer(answer, {
      caseId: run.case.id,
      run: run.run,
      target: run.target.name,
      input: run.case.input,
      elapsedMs: Math.max(0, settings.clock() - startedAt + timeout.correction()),
      prices: run.target.prices,
    });
  } catch (error) {
    const isOwn = error instanceof ProviderError && error.kind !== "timeout";
    if (!timeout.signal.aborted || settings.signal.aborted || isOwn) throw error;
    const at = run.timeoutMs / 1000;
    const known = error instanceof ProviderError ? { trace: error.trace, problems: error.problems } : {};
    throw new ProviderError("timeout", `no answer within ${at} s`, {
      cause: error,
      ...known,
      limit: { kind: "timeout", at },
    });
  } finally {
    timeout.close();
  }
}

/** Ending an agent with everything it started takes a moment; its workspace is not removed under its feet. */
const GRACE_MS = 3000;

function requestOf(
  run: PlannedRun,
  attempt: number,
  workspace: Workspace | undefined,
  settings: AskSettings,
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
