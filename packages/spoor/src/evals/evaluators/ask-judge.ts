/** Asks a judge for one JSON object, and again with the complaint when the answer cannot be used. */
import type { Json, JsonObject } from "@spoor/core";
import { isObject } from "@spoor/core/internal/trace/json";
import type { Judge, JudgeQuestion } from "./run-context.ts";

const ATTEMPTS = 3;

export type Asked<T> =
  | { readonly value: T; readonly attempts: number }
  | { readonly complaint: string; readonly attempts: number };

/** `read` gives what the answer means, or a text that says why it cannot be used. */
export async function askJudge<T extends object>(
  judge: Judge,
  question: JudgeQuestion,
  signal: AbortSignal,
  read: (answer: JsonObject) => T | string,
): Promise<Asked<T>> {
  let complaint = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const prompt =
      complaint === "" ? question.prompt : `${question.prompt}\n\nYour last answer could not be used: ${complaint}.`;
    const { text } = await judge.ask({ system: question.system, prompt }, signal);
    const answer = parseAnswer(text);
    const value = answer === undefined ? "it was not one JSON object" : read(answer);
    if (typeof value !== "string") return { value, attempts: attempt };
    complaint = value;
  }
  return { complaint, attempts: ATTEMPTS };
}

/** The JSON object of an answer, with or without a code fence and words around it. */
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
