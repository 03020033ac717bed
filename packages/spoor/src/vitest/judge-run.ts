/** A run under the evaluators of its case; throws with what they missed. */
import { dirname, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { scoreCase } from "@spoor/core/internal/evaluators/case-score";
import { missesOf } from "@spoor/core/internal/evaluators/evaluation";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import type { EvalCase } from "../evals/eval-suite.ts";
import type { Judge } from "../evals/evaluators/run-context.ts";
import { taskOf } from "../evals/load-evaluators.ts";
import { runEvaluators } from "../evals/run-evaluators.ts";

export async function judgeRun(
  trace: Trace,
  evalCase: EvalCase,
  file: string,
  judges: readonly Judge[] = [],
): Promise<void> {
  const folder = dirname(resolve(file));
  const subject = subjectOfTrace(trace, taskOf(evalCase));
  const results = await runEvaluators(evalCase.evaluators, subject, { folder, env: process.env, judges });
  const { score, passLine, status, ruledOutBy } = scoreCase(results, evalCase.threshold);
  const broken = results.find((result) => result.error !== undefined);
  if (status === "passed" && broken === undefined) return;
  const missed = results
    .filter((result) => result.status !== "passed")
    .map(
      (result) => `${result.name} ${result.score.toFixed(2)}: ${result.error?.message ?? missesOf(result).join("; ")}`,
    );
  const why = ruledOutBy.length === 0 ? `the line is ${passLine.toFixed(2)}` : `ruled out by ${ruledOutBy.join(", ")}`;
  throw new Error([`score ${score.toFixed(2)}, ${why}`, ...missed].join("; "));
}
