/** A provider as a judge: asked like an agent, with the same line at the server, the same retries and a time of its own. */
import { setMaxListeners } from "node:events";
import type { ErrorCode } from "@spoor/core/internal/error-codes";
import { SpoorError } from "@spoor/core/internal/errors";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import type { Judge, JudgeAnswer, JudgeContext, JudgeQuestion } from "./evaluators/run-context.ts";
import type { Environment } from "./interpolate.ts";
import { type AgentAnswer, type FailureKind, type Provider, ProviderError } from "./providers/provider.ts";
import { readAnswer } from "./read-answer.ts";
import { type RetrySettings, retrying } from "./retrying.ts";
import { createRunClock, type RunClock } from "./servers/run-clock.ts";
import { priceTokens, type TokenPrices } from "./token-prices.ts";
import { untilEnded } from "./until-ended.ts";

export interface JudgingProvider {
  /** Shown in results. */
  readonly name: string;
  readonly provider: Provider;
  readonly timeoutMs: number;
  readonly retry: RetrySettings & { readonly maxRetries: number };
  readonly prices?: TokenPrices | undefined;
  /** It is asked for nothing, or says itself what an answer cost. */
  readonly needsNoPrices: boolean;
  readonly env: Environment;
  readonly folder: string;
}

export const JUDGE_RETRIES = 2;
export const JUDGE_TIMEOUT_MS = 60_000;

export function judgeOfProvider(judging: JudgingProvider): Judge {
  return {
    name: judging.name,
    isPriced: judging.prices !== undefined || judging.needsNoPrices,
    async ask(question, context) {
      // Every question that is under way listens on the one signal that stops them all.
      setMaxListeners(0, context.signal);
      try {
        return await retrying((attempt) => askOnce(judging, question, context, attempt), {
          ...judging.retry,
          signal: context.signal,
        });
      } catch (error) {
        if (error instanceof ProviderError) throw failureOf(judging.name, error);
        throw error;
      }
    },
  };
}

async function askOnce(
  judging: JudgingProvider,
  question: JudgeQuestion,
  context: JudgeContext,
  attempt: number,
): Promise<JudgeAnswer> {
  const clock = createRunClock(judging.timeoutMs, context.signal);
  try {
    const asked = judging.provider.ask(requestOf(question, judging, attempt), {
      signal: clock.signal,
      env: judging.env,
      activity: () => undefined,
      now: () => performance.timeOrigin + performance.now(),
      ...doorOf(judging, context, clock),
    });
    return answerOf(await untilEnded(asked, clock), question, judging);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!clock.isUp || (error instanceof ProviderError && error.kind !== "timeout")) throw error;
    throw new ProviderError("timeout", `no answer within ${judging.timeoutMs / 1000} s`, { cause: error });
  } finally {
    clock.close();
  }
}

function doorOf({ retry }: JudgingProvider, { servers, sample = "" }: JudgeContext, clock: RunClock) {
  const visitor = { sample, clock, firstPauseMs: retry.initialDelayMs, onRefused: () => undefined };
  return servers === undefined ? {} : { servers: servers.door(visitor) };
}

function requestOf({ system, prompt }: JudgeQuestion, { folder }: JudgingProvider, attempt: number) {
  return {
    caseId: "judge",
    run: 1,
    attempt,
    messages: messagesOf({ system, prompt }),
    prompt: `${system}\n\n${prompt}`,
    files: [],
    folder,
    isolated: false,
    evalFile: "",
  };
}

function messagesOf({ system, prompt }: JudgeQuestion) {
  return [
    { role: "system", content: system, text: system, files: [] },
    { role: "user", content: prompt, text: prompt, files: [] },
  ];
}

function answerOf(answer: AgentAnswer, question: JudgeQuestion, { name, prices }: JudgingProvider): JudgeAnswer {
  const facts = { caseId: "judge", run: 1, target: name, input: messagesOf(question), elapsedMs: 0 };
  const { answer: text, tokenUsage: usage, costUsd: stated } = subjectOfTrace(readAnswer(answer, facts).trace);
  const costUsd = stated ?? (usage && prices && priceTokens(usage, prices));
  return {
    text,
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    fromCache: answer.fromCache !== undefined,
    ...(answer.forget === undefined ? {} : { forget: answer.forget }),
  };
}

const CODES: Readonly<Partial<Record<FailureKind, ErrorCode>>> = {
  missing: "judge.refused",
  unreachable: "judge.unreachable",
  timeout: "judge.unreachable",
  "rate-limit": "judge.unreachable",
  unavailable: "judge.unreachable",
  "bad-output": "judge.bad-answer",
};

function failureOf(name: string, error: ProviderError): SpoorError {
  return new SpoorError(CODES[error.kind] ?? "judge.failed", `The judge, ${name}, did not answer: ${error.message}.`, {
    cause: error,
  });
}
