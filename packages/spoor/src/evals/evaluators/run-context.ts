/** What evaluators that touch the world are given: a folder, an environment, a way to stop, and models to ask. */
import type { EvaluateContext } from "@spoor/core/internal/evaluators/define-evaluator";

export interface EvaluatorRunContext extends EvaluateContext {
  /** Relative paths and commands of evaluators start here: the folder of the file they stand in. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** `YYYY-MM-DD`, for exceptions of a policy that end; the day of the clock when absent. */
  readonly today?: string;
  /** The model that judges; by the name an entry gives, or the default one. */
  readonly judge: (name: string | undefined) => Judge | undefined;
  /** Leave judges out instead of refusing to run without one. */
  readonly withoutJudge: boolean;
}

/** Something that can be asked one question and answers in text. */
export interface Judge {
  /** Shown in results: "gpt-5-mini at http://127.0.0.1:8080/v1". */
  readonly name: string;
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer>;
}

export interface JudgeQuestion {
  readonly system: string;
  readonly prompt: string;
}

export interface JudgeAnswer {
  readonly text: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}
