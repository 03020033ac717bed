/**
 * A conversation with an agent, turn by turn: the user says something, the agent works and answers, until all was said, the user is
 * done, or the turns are used up. What comes out is one answer, whose trace has the user's turns in their places.
 */
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import { promptOf } from "../parse-input.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  type InputMessage,
  type Provider,
  ProviderError,
} from "../providers/provider.ts";
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
      const asked = { ...request, turn, messages, history: [...history], prompt: promptOf(messages), files };
      const startedAt = context.now();
      const answer = await session.say(asked, context);
      const { failure, text } = joined.add(answer, messages, context.now() - startedAt);
      if (failure !== undefined) return joined.answer({ failure });
      said.push({ role: "assistant", text });
      history.push(...messages, { role: "assistant", content: text, text, files: [] });
      if (answer.isOver || answer.limit !== undefined) {
        // Who waits for something that nobody gives hears nothing any more.
        if (scripted.length > turn)
          joined.problems.push(`the conversation ended after turn ${turn}: the agent cannot go on`);
        limit = answer.limit;
        break;
      }
    }
  } catch (error) {
    if (joined.isEmpty) throw error;
    const failure = error instanceof ProviderError ? error : stopped(error, context.signal);
    if (failure === undefined) throw error;
    return joined.answer({ failure });
  } finally {
    session.close?.();
  }
  return joined.answer(limit === undefined ? {} : { limit });
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
