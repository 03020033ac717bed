/** The evaluators that need nothing but the run itself, in the order of the documentation. */
import { defineComposite } from "./composite.ts";
import type { Evaluator } from "./define-evaluator.ts";
import { fieldAccuracy } from "./field-accuracy.ts";
import { cost, executionMetrics, latency, skillTrigger, tokenUsage } from "./limit-evaluators.ts";
import { textEvaluators } from "./text-evaluators.ts";
import { toolTrajectory } from "./trajectory-evaluator.ts";

/** Without `composite`, whose members may come from a larger registry. */
export const ownEvaluators: readonly Evaluator[] = [
  toolTrajectory,
  ...textEvaluators,
  fieldAccuracy,
  latency,
  cost,
  tokenUsage,
  executionMetrics,
  skillTrigger,
];

export const pureEvaluators: readonly Evaluator[] = [...ownEvaluators, defineComposite(() => pureEvaluators)];
