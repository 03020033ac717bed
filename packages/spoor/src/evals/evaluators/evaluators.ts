/** Every evaluator of the tool, in the order of the documentation. */
import { defineComposite } from "@spoor/core/internal/evaluators/composite";
import type { Evaluator } from "@spoor/core/internal/evaluators/define-evaluator";
import { ownEvaluators } from "@spoor/core/internal/evaluators/evaluators";
import { codeEvaluator } from "./code-evaluator.ts";
import { fingerprintEvaluator } from "./fingerprint-evaluator.ts";
import { llmJudge } from "./llm-judge.ts";
import { policyEvaluator } from "./policy-evaluator.ts";
import type { EvaluatorRunContext } from "./run-context.ts";

export const evaluators: readonly Evaluator<EvaluatorRunContext>[] = [
  ...ownEvaluators,
  policyEvaluator,
  fingerprintEvaluator,
  codeEvaluator,
  llmJudge,
  defineComposite<EvaluatorRunContext>(() => evaluators),
];
