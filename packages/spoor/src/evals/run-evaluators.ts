/** Runs evaluators over one run of an agent, whether it was just made or recorded long ago. */
import type { EvaluationSubject, EvaluatorConfig, EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import { runEvaluatorsWith } from "@spoor/core/internal/evaluators/run-evaluators";
import { evaluators } from "./evaluators/evaluators.ts";
import type { EvaluatorRunContext, Judge } from "./evaluators/run-context.ts";
import type { ModelServers } from "./servers/model-servers.ts";

export interface RunEvaluatorsOptions {
  /** The folder of the file the evaluators stand in. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Those that judge; several vote. */
  readonly judges?: readonly Judge[];
  /** The line at servers, for who asks more than once. */
  readonly servers?: ModelServers;
  /** Leave judges out (listed as not evaluated) instead of failing without one. */
  readonly withoutJudge?: boolean;
}

export async function runEvaluators(
  configs: readonly EvaluatorConfig[],
  subject: EvaluationSubject,
  options: RunEvaluatorsOptions,
): Promise<EvaluatorResult[]> {
  const { judges = [], servers } = options;
  const context: EvaluatorRunContext = {
    folder: options.folder,
    env: options.env,
    signal: options.signal ?? new AbortController().signal,
    judges: () => judges,
    servers,
    withoutJudge: options.withoutJudge ?? false,
    evaluateAll: (members, of) => runEvaluatorsWith(members, of, evaluators, context),
  };
  return runEvaluatorsWith(configs, subject, evaluators, context);
}
