/** What evaluators that touch the world are given: a folder, an environment, a way to stop, and models to ask. */
import type { EvaluateContext } from "@spoor/core/internal/evaluators/define-evaluator";
import type { TokenUsage } from "@spoor/core/internal/evaluators/evaluation";
import type { ModelServers } from "../servers/model-servers.ts";

export interface EvaluatorRunContext extends EvaluateContext, JudgeContext {
  /** Relative paths and commands of evaluators start here: the folder of the file they stand in. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `YYYY-MM-DD`, for exceptions of a policy that end; the day of the clock when absent. */
  readonly today?: string;
  /** The judge of the name an entry gives, else those that judge by default; none when there is none. */
  readonly judges: (name: string | undefined) => readonly Judge[];
  /** Leave judges out instead of refusing to run without one. */
  readonly withoutJudge: boolean;
}

/** Something that can be asked one question and answers in text. */
export interface Judge {
  /** Shown in results: "gpt-5-mini at http://127.0.0.1:8080/v1". */
  readonly name: string;
  /** Whether it is known what its answers cost. */
  readonly isPriced: boolean;
  ask(question: JudgeQuestion, context: JudgeContext): Promise<JudgeAnswer>;
}

/** What a question comes with. */
export interface JudgeContext {
  readonly signal: AbortSignal;
  /** The line at servers, shared with all who ask them; absent: the question goes straight out. */
  readonly servers?: ModelServers | undefined;
  /** Which run of the agent it is about: the same question about another run is another one. */
  readonly sample?: string;
  /** Told of every answer, also of one that cannot be used: it was paid for. */
  readonly onAnswer?: (judge: Judge, answer: JudgeAnswer) => void;
}

export interface JudgeQuestion {
  readonly system: string;
  readonly prompt: string;
}

export interface JudgeAnswer {
  readonly text: string;
  readonly usage?: TokenUsage;
  readonly costUsd?: number;
  readonly fromCache?: boolean;
  /** Never to be given again from the cache. */
  readonly forget?: () => Promise<void>;
}
