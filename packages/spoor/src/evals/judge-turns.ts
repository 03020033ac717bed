/**
 * A judge's opinion of every pair of turns that two sides of a diff have in common: is the new answer as good as the old one? Turns that
 * say and do the same are not asked about. A judge that cannot be reached or refuses is not asked again; what it did not answer stays
 * without a score, with the reason.
 */
import type { JsonObject } from "@spoor/core";
import type { JudgedTurns, JudgeOpinion } from "@spoor/core/internal/diff/judge-opinion";
import type { PairToJudge } from "@spoor/core/internal/diff/pairs-to-judge";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import type { Turn } from "@spoor/core/internal/trace/trace";
import { lastUserText } from "@spoor/core/internal/trace/user-text";
import { askJudge, scoreOf } from "./evaluators/ask-judge.ts";
import { FENCE_RULES, fence } from "./evaluators/fence.ts";
import type { Judge, JudgeContext, JudgeQuestion } from "./evaluators/run-context.ts";
import { createModelServers } from "./servers/model-servers.ts";

export interface JudgeTurnsOptions {
  readonly signal?: AbortSignal;
  /** Questions under way at once. */
  readonly workers?: number;
}

const WORKERS = 4;
const LONGEST_REASONING = 400;

export async function judgeTurns(
  judge: Judge,
  pairs: readonly PairToJudge[],
  { signal = new AbortController().signal, workers = WORKERS }: JudgeTurnsOptions = {},
): Promise<JudgedTurns> {
  const opinions = new Map<Turn, Map<Turn, JudgeOpinion>>();
  const keep = ({ baseline, candidate }: PairToJudge, opinion: JudgeOpinion) => {
    const ofBaseline = opinions.get(baseline) ?? new Map<Turn, JudgeOpinion>();
    opinions.set(baseline, ofBaseline.set(candidate, opinion));
  };
  for (const pair of pairs) if (pair.same) keep(pair, { score: 1, same: true });
  const waiting = pairs.filter((pair) => !pair.same);
  // One line at the server for all questions.
  const context: JudgeContext = { signal, servers: createModelServers() };
  let given: string | undefined;
  const work = async () => {
    for (let pair = waiting.shift(); pair !== undefined; pair = waiting.shift()) {
      if (given !== undefined) keep(pair, { why: given });
      else {
        const { opinion, final } = await opinionOf(judge, pair, context);
        if (final) given = "why" in opinion ? opinion.why : undefined;
        keep(pair, opinion);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { by: judge.name, opinionOf: (baseline, candidate) => opinions.get(baseline)?.get(candidate) };
}

/** `final`: asking about another pair would end the same way. */
async function opinionOf(
  judge: Judge,
  pair: PairToJudge,
  context: JudgeContext,
): Promise<{ readonly opinion: JudgeOpinion; readonly final: boolean }> {
  try {
    const asked = await askJudge(judge, questionOf(pair), context, readOpinion);
    if ("value" in asked) return { opinion: asked.value, final: false };
    return { opinion: { why: `no usable answer in ${asked.attempts} attempts: ${asked.complaint}` }, final: false };
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    return { opinion: { why: error.message.replace(/\.$/, "") }, final: error.code !== "judge.bad-answer" };
  }
}

function readOpinion(answer: JsonObject): { readonly score: number; readonly reasoning?: string } | string {
  const score = scoreOf(answer);
  if (typeof score === "string") return score;
  const reasoning = stringMember(answer, "reasoning")?.slice(0, LONGEST_REASONING);
  return reasoning === undefined ? { score } : { score, reasoning };
}

const SYSTEM = `You compare two answers that an AI agent gave at the same point of its work. ${FENCE_RULES} Answer with one JSON object and nothing else.`;

function questionOf({ baseline, candidate }: PairToJudge): JudgeQuestion {
  const asked = lastUserText(candidate) || lastUserText(baseline);
  return {
    system: SYSTEM,
    prompt: [
      "What the user said last, if anything:",
      fence("question", asked),
      "The answer that is known to be good, with its tool calls:",
      fence("baseline", turnText(baseline)),
      "The answer to judge, with its tool calls:",
      fence("candidate", turnText(candidate)),
      'How good is the answer to judge, measured by the good one? 1: as good or better. 0: wrong, harmful or missing. Other words are no fault. Answer with JSON: {"score": a number from 0 to 1, "reasoning": "one sentence"}',
    ].join("\n\n"),
  };
}

function turnText({ text, toolCalls, stopReason }: Turn): string {
  const calls = toolCalls.map(
    ({ name, input }) => `tool call: ${name}(${input === undefined ? "" : stringifyJson(input)})`,
  );
  const end = stopReason === undefined ? [] : [`ended with: ${stopReason}`];
  return [text, ...calls, ...end].filter((line) => line !== "").join("\n");
}
