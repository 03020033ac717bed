/**
 * A conversation with an agent, turn by turn: the user says something, the agent works and answers, until all was said, the user is
 * done, or the turns are used up. What comes out is one answer, whose trace has the user's turns in their places.
 */
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { promptOf } from "../parse-input.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  type InputMessage,
  type Provider,
  ProviderError,
} from "../providers/provider.ts";
import { readAnswer } from "../read-answer.ts";
import type { RunLimits } from "../run-limits.ts";
import { passedLimit, type Spent } from "../run-meter.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { JoinedTurns } from "./joined-turns.ts";
import type { NextMessage, Said } from "./simulated-user.ts";

export async function holdConversation(
  provider: Provider,
  plan: ConversationPlan,
  user: NextMessage | undefined,
  request: AgentRequest,
  context: AgentContext,
): Promise<AgentAnswer> {
  const session = provider.converse!();
  const joined = new JoinedTurns(request.caseId);
  const said: Said[] = request.messages.map(({ role, text }) => ({ role, text }));
  const history: InputMessage[] = [];
  // A case may begin with a question of its own, which is then the first turn.
  const scripted = opensWithUser(request.messages) ? [[] as InputMessage[], ...plan.turns] : [...plan.turns];
  let limit: ReachedLimit | undefined;
  let spent: Spent = {};
  try {
    for (let turn = 1; ; turn++) {
      const next = scripted[turn - 1] ?? (await userSays(user, said, { ...request, turn }, context));
      if (next === undefined) break;
      if (turn > plan.maxTurns) {
        limit = { kind: "turns", at: plan.maxTurns };
        break;
      }
      said.push(...next.map(({ role, text }) => ({ role, text })));
      const messages = turn === 1 ? [...request.messages, ...next] : next;
      const files = messages.flatMap((message) => message.files);
      const limits = leftOf(request.limits, spent);
      const asked = {
        ...request,
        turn,
        messages,
        history: [...history],
        prompt: promptOf(messages),
        files,
        ...(limits === undefined ? {} : { limits }),
      };
      const startedAt = context.now();
      const answer = await session.say(asked, context);
      const { failure, text } = joined.add(answer, messages, context.now() - startedAt);
      if (failure !== undefined) return joined.answer(endOf(failure, request.limits));
      if (request.limits !== undefined) spent = spentIn(joined, request);
      said.push({ role: "assistant", text });
      history.push(...messages, { role: "assistant", content: text, text, files: [] });
      if (answer.isOver || answer.limit !== undefined) {
        // Who waits for something that nobody gives hears nothing any more.
        if (scripted.length > turn)
          joined.problems.push(`the conversation ended after turn ${turn}: the agent cannot go on`);
        limit = answer.limit && wholeLimit(answer.limit, request.limits);
        break;
      }
      limit = passedLimit(spent, request.limits ?? {});
      if (limit !== undefined) break;
    }
  } catch (error) {
    if (joined.isEmpty) throw error;
    const failure = error instanceof ProviderError ? error : stopped(error, context.signal);
    if (failure === undefined) throw error;
    return joined.answer(endOf(failure, request.limits));
  } finally {
    session.close?.();
  }
  return joined.answer(limit === undefined ? {} : { limit });
}

/** What all turns so far have used up of what the whole conversation may. */
function spentIn(joined: JoinedTurns, { caseId, run, messages, prices }: AgentRequest): Spent {
  const facts = { caseId, run, target: "", input: messages, elapsedMs: 0, prices };
  const { llmCalls, tokenUsage, costUsd } = subjectOfTrace(readAnswer(joined.answer({}), facts).trace);
  const { input = 0, output = 0, cached = 0 } = tokenUsage ?? {};
  return { turns: llmCalls, tokens: input + output + cached, costUsd };
}

/** What is left of them for the next turn. */
function leftOf(limits: RunLimits | undefined, { turns = 0, tokens = 0, costUsd = 0 }: Spent): RunLimits | undefined {
  if (limits === undefined) return undefined;
  return {
    ...(limits.turns === undefined ? {} : { turns: limits.turns - turns }),
    ...(limits.tokens === undefined ? {} : { tokens: limits.tokens - tokens }),
    ...(limits.costUsd === undefined ? {} : { costUsd: limits.costUsd - costUsd }),
  };
}

/** A turn that was ended at what was left reached the limit of the whole. */
function wholeLimit(limit: ReachedLimit, limits: RunLimits = {}): ReachedLimit {
  const at = limit.kind === "timeout" ? undefined : limit.kind === "cost" ? limits.costUsd : limits[limit.kind];
  return at === undefined ? limit : { ...limit, at };
}

function endOf(failure: ProviderError, limits: RunLimits | undefined): { failure: ProviderError } {
  if (failure.limit === undefined) return { failure };
  const { kind, message, problems, trace } = failure;
  const limit = wholeLimit(failure.limit, limits);
  return { failure: new ProviderError(kind, message, { cause: failure, problems, trace, limit }) };
}

async function userSays(
  user: NextMessage | undefined,
  said: readonly Said[],
  request: AgentRequest,
  context: AgentContext,
): Promise<InputMessage[] | undefined> {
  const text = await user?.(said, request, context);
  return text === undefined ? undefined : [{ role: "user", content: text, text, files: [] }];
}

function opensWithUser(messages: readonly InputMessage[]): boolean {
  return messages.at(-1)?.role === "user";
}

/** The time was up while somebody was speaking. */
function stopped(error: unknown, signal: AbortSignal): ProviderError | undefined {
  return signal.aborted ? new ProviderError("timeout", "the conversation was stopped", { cause: error }) : undefined;
}
