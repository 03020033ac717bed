/**
 * Who is played as a user says next: a model that is told who it is, or a command. When they are out, nothing is known of the agent:
 * whatever goes wrong here is an outage.
 */

import type { Json } from "@spoor/core";
import { messageOf } from "@spoor/core/internal/errors";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { isObject, member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import type { Target } from "../load-targets.ts";
import { promptOf } from "../parse-input.ts";
import {
  type AgentContext,
  type AgentRequest,
  type InputMessage,
  isOutage,
  ProviderError,
} from "../providers/provider.ts";
import { readAnswer } from "../read-answer.ts";
import { processFailure, runProcess } from "../run-process.ts";
import { isFree } from "../target-costs.ts";
import type { SimulatedUser } from "./conversation-plan.ts";

/** What was said so far, by the user and by the agent. */
export interface Said {
  readonly role: string;
  readonly text: string;
}

/** What the user says next; undefined when the conversation is over. */
export type NextMessage = (
  said: readonly Said[],
  request: AgentRequest,
  context: AgentContext,
) => Promise<string | undefined>;

/** `target` plays them, else a command in `folder`. */
export function playUser(user: SimulatedUser, target: Target | undefined, folder: string): NextMessage {
  return async (said, request, context) => {
    const hasSpoken = said.some(({ role }) => role === "user");
    if (!hasSpoken && user.firstMessage !== undefined) return user.firstMessage;
    context.activity("waiting for the simulated user");
    const text = await (target === undefined
      ? askCommand(user, folder, said, request, context)
      : askTarget(user, target, said, request, context));
    return text === undefined || text.trim() === "" || text.includes(user.stop) ? undefined : text;
  };
}

async function askTarget(
  user: SimulatedUser,
  target: Target,
  said: readonly Said[],
  request: AgentRequest,
  context: AgentContext,
): Promise<string> {
  const own = said.filter(({ role }) => role === "user" || role === "assistant");
  // To whom plays the user, the agent is the one who asks.
  const turned = own.map(({ role, text }) => message(role === "user" ? "assistant" : "user", text));
  const opening = own[0]?.role === "assistant" ? [] : [message("user", OPENING)];
  const messages = [message("system", instructions(user)), ...opening, ...turned];
  // What the agent may use up, and at which price, says nothing about the user.
  const { limits: _limits, prices: _prices, ...given } = request;
  const asked = { ...given, messages, prompt: promptOf(messages), files: [] };
  try {
    const answer = await target.provider.ask(asked, context);
    const { prices, name } = target;
    const facts = { caseId: request.caseId, run: request.run, target: name, input: messages, elapsedMs: 0, prices };
    const { answer: text, tokenUsage, costUsd } = subjectOfTrace(readAnswer(answer, facts).trace);
    context.onUser?.({
      ...(tokenUsage === undefined ? {} : { usage: tokenUsage }),
      ...(costUsd === undefined ? (isFree(target) ? { costUsd: 0 } : {}) : { costUsd }),
      ...(answer.fromCache === undefined ? {} : { fromCache: true }),
    });
    return text;
  } catch (error) {
    context.signal.throwIfAborted();
    throw outage(`the simulated user, target ${target.name}`, error);
  }
}

const OPENING = "The agent is listening. Say what you have come for.";

function instructions({ persona, goal, stop }: SimulatedUser): string {
  return [
    "You are a person who talks to an agent. You are not the agent, and you never help it: you only say what this person says.",
    ...(persona === undefined ? [] : [`Who you are: ${persona}`]),
    ...(goal === undefined ? [] : [`What you want and what you know: ${goal}`]),
    "Say one short message at a time, in your own words. Tell only what the agent needs now, and make up nothing that you were not told.",
    `When you have got what you want, or it is clear that you will not, say ${stop} and nothing else.`,
  ].join("\n\n");
}

/** `{message}`, `{stop: true}`, or just the words; nothing at all ends the conversation. */
async function askCommand(
  user: SimulatedUser,
  folder: string,
  said: readonly Said[],
  request: AgentRequest,
  context: AgentContext,
): Promise<string | undefined> {
  const command = "command" in user.by ? user.by.command : "";
  const { persona, goal, stop } = user;
  const conversation = said.map(({ role, text }) => ({ role, content: text }));
  const known = { id: request.caseId, run: request.run, turn: request.turn ?? 1, persona, goal, stop, conversation };
  const input = `${JSON.stringify(known)}\n`;
  const name = typeof command === "string" ? command : command.join(" ");
  const ran = await runProcess(typeof command === "string" ? command : [...command], {
    cwd: folder,
    env: context.env,
    signal: context.signal,
    input,
  }).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw outage(`the simulated user, command ${name}`, error);
  });
  const failure = processFailure(ran);
  if (failure !== undefined) throw outage(`the simulated user, command ${name}`, failure);
  return wordsOf(ran.stdout);
}

function wordsOf(printed: string): string | undefined {
  const text = printed.trim();
  if (!text.startsWith("{")) return text;
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    return text;
  }
  if (!isObject(value)) return text;
  if (member(value, "stop") === true) return undefined;
  return stringMember(value, "message") ?? stringMember(value, "content") ?? stringifyJson(value);
}

function message(role: string, text: string): InputMessage {
  return { role, content: text, text, files: [] };
}

function outage(who: string, error: unknown): ProviderError {
  const known = error instanceof ProviderError ? error : undefined;
  // Nobody plays the user: that is never the agent's failure.
  const kind = known !== undefined && isOutage(known.kind) ? known.kind : "unavailable";
  const why = messageOf(error);
  return new ProviderError(kind, `${who}: ${why}`, { cause: error, retryAfterMs: known?.retryAfterMs });
}
