/** Asks the agent of a run, again where that may help, and reads what it did. */
import { dirname, resolve } from "node:path";
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import type { RetryRecord } from "@spoor/core/internal/evals/run-record";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { limitText } from "../document/limit-words.ts";
import { holdConversation } from "./conversation/hold-conversation.ts";
import { playUser } from "./conversation/simulated-user.ts";
import { promptOf } from "./parse-input.ts";
import type { PlannedRun } from "./plan-runs.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  isOutage,
  ProviderError,
} from "./providers/provider.ts";
import { type AgentRun, readAnswer } from "./read-answer.ts";
import { retrying } from "./retrying.ts";
import { passedLimit } from "./run-meter.ts";
import type { ModelServers } from "./servers/model-servers.ts";
import { createRunClock, type RunClock } from "./servers/run-clock.ts";
import { untilEnded } from "./until-ended.ts";
import type { RunPlace, WorkspacePool } from "./workspace-pool.ts";

export interface AskSettings {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly maxRetries: number;
  /** Milliseconds since 1970, counted without jumps. */
  readonly clock: () => number;
  readonly onActivity: (run: PlannedRun, text: string) => void;
  /** The line at servers that all runs share; absent: each asks for itself. */
  readonly servers?: ModelServers;
  /** Begins to count the time an attempt may take; absent: on the clock of the machine. */
  readonly startClock?: (timeoutMs: number, stop: AbortSignal) => RunClock;
}

/**
 * Every attempt before the one that counts is added to `retries`. An agent that reached a limit or broke down has done
 * something all the same, which is handed on; an outage is thrown as ProviderError.
 */
export async function askAgent(
  run: PlannedRun,
  place: AttemptPlace,
  settings: AskSettings,
  retries: RetryRecord[],
  onUser: NonNullable<AgentContext["onUser"]>,
): Promise<AgentRun> {
  const { retry } = run.target;
  const onRetry = (error: ProviderError) => {
    retries.push(retryRecord(error));
    settings.onActivity(run, `waiting to try again (${error.kind})`);
  };
  const { initialDelayMs, maxDelayMs, backoffFactor, maxRetries = settings.maxRetries } = retry;
  const ask = async (attempt: number) => askOnce(run, attempt, await place.fresh(), settings, { onRetry, onUser });
  try {
    const { signal } = settings;
    return withinLimits(
      await retrying(ask, { initialDelayMs, maxDelayMs, backoffFactor, maxRetries, signal, onRetry }),
      run,
    );
  } catch (error) {
    if (error instanceof ProviderError) return withinLimits(endedEarly(error, run), run);
    throw error;
  }
}

/** The cost of an attempt that is thrown away was paid all the same. */
function retryRecord({ kind, message, trace }: ProviderError): RetryRecord {
  const { costUsd } = subjectOfTrace(trace);
  return { kind, message, ...(costUsd === undefined ? {} : { cost_usd: costUsd }) };
}

function endedEarly(error: ProviderError, run: PlannedRun): AgentRun {
  if (isOutage(error.kind)) throw error;
  const { trace, problems, limit } = error;
  return { trace, problems, ...(limit === undefined ? { failure: error } : { limit: whereItLay(limit, run) }) };
}

function whereItLay(limit: ReachedLimit, { limits, target: { provider } }: PlannedRun): ReachedLimit {
  const set = { ...provider.limits, ...limits };
  const at = limit.at ?? (limit.kind === "cost" ? set.costUsd : limit.kind === "timeout" ? undefined : set[limit.kind]);
  return at === undefined ? limit : { ...limit, at };
}

/** Who tells only at the end what a run has used up cannot be ended there; that it went too far is said all the same. */
function withinLimits(agentRun: AgentRun, run: PlannedRun): AgentRun {
  if (agentRun.limit !== undefined) return { ...agentRun, limit: whereItLay(agentRun.limit, run) };
  if (run.limits === undefined) return agentRun;
  const { llmCalls, tokenUsage, costUsd } = subjectOfTrace(agentRun.trace);
  const { input = 0, output = 0, cached = 0 } = tokenUsage ?? {};
  const limit = passedLimit({ turns: llmCalls, tokens: input + output + cached, costUsd }, run.limits);
  if (limit === undefined) return agentRun;
  const told = `${limitText(limit)}, which was known only when the run was over`;
  return { ...agentRun, limit, problems: [...agentRun.problems, told] };
}

/** Where the attempt under way works. What an earlier attempt left behind must not help the next one. */
export class AttemptPlace {
  current: RunPlace | undefined;
  readonly problems: string[] = [];
  private readonly run: PlannedRun;
  private readonly pool: WorkspacePool;

  constructor(run: PlannedRun, pool: WorkspacePool) {
    this.run = run;
    this.pool = pool;
  }

  async fresh(): Promise<RunPlace> {
    if (this.current !== undefined) await this.close();
    this.current = await this.pool.open(this.run);
    return this.current;
  }

  async close(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    this.problems.push(...((await current?.close()) ?? []));
  }
}

interface AskListeners {
  readonly onRetry: (error: ProviderError) => void;
  readonly onUser: NonNullable<AgentContext["onUser"]>;
}

async function askOnce(
  run: PlannedRun,
  attempt: number,
  place: RunPlace,
  settings: AskSettings,
  { onRetry: onRefused, onUser }: AskListeners,
): Promise<AgentRun> {
  const timeout = (settings.startClock ?? createRunClock)(run.timeoutMs, settings.signal);
  const startedAt = settings.clock();
  const firstPauseMs = run.target.retry.initialDelayMs;
  const door = settings.servers?.door({ sample: `run ${run.run}`, clock: timeout, firstPauseMs, onRefused });
  try {
    const asked = askOrConverse(run, settings.cwd, requestOf(run, attempt, place, settings), {
      get signal() {
        return timeout.signal;
      },
      env: place.env,
      activity: (text) => settings.onActivity(run, text),
      now: settings.clock,
      onUser,
      servers: door,
    });
    const answer = await untilEnded(asked, timeout, GRACE_MS);
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
    if (!timeout.isUp || settings.signal.aborted || isOwn) throw error;
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

function askOrConverse(
  run: PlannedRun,
  cwd: string,
  request: AgentRequest,
  context: AgentContext,
): Promise<AgentAnswer> {
  const { conversation } = run.case;
  const { provider } = run.target;
  if (conversation === undefined || provider.isRecorded) return provider.ask(request, context);
  const { user } = conversation;
  const plays = user === undefined ? undefined : playUser(user, run.user, dirname(resolve(cwd, run.suite.file)));
  return holdConversation(provider, conversation, plays, request, context);
}

/** Ending an agent with everything it started takes a moment; its workspace is not removed under its feet. */
const GRACE_MS = 5000;

function requestOf(run: PlannedRun, attempt: number, place: RunPlace, settings: AskSettings): AgentRequest {
  const { input, id, metadata } = run.case;
  return {
    caseId: id,
    run: run.run,
    attempt,
    messages: input,
    prompt: promptOf(input),
    files: input.flatMap((message) => message.files),
    folder: place.folder ?? dirname(resolve(settings.cwd, run.suite.file)),
    isolated: place.folder !== undefined,
    evalFile: run.suite.file,
    ...(metadata === undefined ? {} : { metadata }),
    ...(run.limits === undefined ? {} : { limits: run.limits }),
    ...(run.target.prices === undefined ? {} : { prices: run.target.prices }),
  };
}
