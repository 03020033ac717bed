/** Asks a judge for one JSON object, and again with the complaint when the answer cannot be used. */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member, numberMember } from "@spoor/core/internal/trace/json";
import type { Judge, JudgeContext, JudgeQuestion } from "./run-context.ts";

const ATTEMPTS = 3;

export type Asked<T> =
  | { readonly value: T; readonly attempts: number }
  | { readonly complaint: string; readonly attempts: number };

/** `read` gives what the answer means, or a text that says why it cannot be used. */
export async function askJudge<T extends object>(
  judge: Judge,
  question: JudgeQuestion,
  context: JudgeContext,
  read: (answer: JsonObject) => T | string,
): Promise<Asked<T>> {
  let complaint = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const prompt =
      complaint === "" ? question.prompt : `${question.prompt}\n\nYour last answer could not be used: ${complaint}.`;
    const said = await judge.ask({ system: question.system, prompt }, context);
    context.onAnswer?.(judge, said);
    const answer = parseAnswer(said.text);
    const value = answer === undefined ? "it was not one JSON object" : read(answer);
    if (typeof value !== "string") return { value, attempts: attempt };
    await said.forget?.();
    complaint = value;
  }
  return { complaint, attempts: ATTEMPTS };
}

/** The score of an answer, or why it has none: only a number from 0 to 1 is one. */
export function scoreOf(answer: JsonObject): number | string {
  const score = numberMember(answer, "score");
  if (score === undefined)
    return member(answer, "score") === undefined ? 'it has no "score"' : "its score is no number";
  return score < 0 || score > 1 ? `its score ${score} is not between 0 and 1` : score;
}

/** The one JSON object of an answer, with or without a code fence and words around it; of several nobody knows which is meant. */
function parseAnswer(text: string): JsonObject | undefined {
  for (const candidate of [text, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)]) {
    try {
      const value = JSON.parse(candidate) as Json;
      if (isObject(value)) return value;
    } catch {
      // The next reading is tried.
    }
  }
  return undefined;
}
