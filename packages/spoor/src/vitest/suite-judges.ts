/** The judges of a suite: models by name, or functions of one's own; several vote. Secrets of the environment reach none of them. */
import { createHttpJudge } from "../evals/evaluators/http-judge.ts";
import { parseJudgeOption } from "../evals/evaluators/judge-options.ts";
import type { Judge, JudgeQuestion } from "../evals/evaluators/run-context.ts";
import { judgeInEnvironment } from "../evals/redact.ts";

/** `openai:gpt-5-mini`, or who answers a judge's question in its place, in the form that the question asks for. */
export type SuiteJudge = string | ((question: JudgeQuestion) => string | Promise<string>);

export function suiteJudges(given: SuiteJudge | readonly SuiteJudge[] | undefined, url: string | undefined): Judge[] {
  const chosen =
    given === undefined ? [] : Array.isArray(given) ? (given as readonly SuiteJudge[]) : [given as SuiteJudge];
  return chosen.map((one) =>
    judgeInEnvironment(
      typeof one === "string" ? createHttpJudge(parseJudgeOption(one, url, process.env)) : ownJudge(one),
      process.env,
    ),
  );
}

function ownJudge(answer: Exclude<SuiteJudge, string>): Judge {
  return {
    name: answer.name || "a function of the suite",
    isPriced: true,
    ask: async (question) => ({ text: await answer(question), costUsd: 0 }),
  };
}
