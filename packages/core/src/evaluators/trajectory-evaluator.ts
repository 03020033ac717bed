/** The `tool_trajectory` entry: its keys in every release that had it, and its result in words. */
import { scoreTrajectory } from "../trajectory/score-trajectory.ts";
import type { TrajectorySpec } from "../trajectory/trajectory.ts";
import { defineEvaluator } from "./define-evaluator.ts";
import { trajectoryChecks } from "./describe-trajectory.ts";
import type { EvaluationSubject, Outcome } from "./evaluation.ts";
import { makeTrajectory, trajectoryFields } from "./trajectory-fields.ts";

export const toolTrajectory = defineEvaluator({
  type: "tool_trajectory",
  judgesBlind: true,
  aliases: ["trajectory"],
  summary: "the tools were called as often, in the order, with the arguments and as fast as expected",
  fields: trajectoryFields,
  make: makeTrajectory,
  evaluate: evaluateTrajectory,
});

export function evaluateTrajectory(subject: EvaluationSubject, spec: TrajectorySpec): Outcome {
  const result = scoreTrajectory(spec, subject);
  const notChecked = result.skippedLimits.map(
    ({ tool, step }) => `max_duration_ms of ${tool} (step ${step + 1}), which has no duration`,
  );
  if (result.bestScoreSkipped) notChecked.push("the best alignment, which would compare too many calls");
  return {
    score: result.score,
    aspects: result.aspects,
    checks: trajectoryChecks(result),
    trajectory: result,
    ...(result.faults.length === 0 ? {} : { ruledOut: true as const }),
    ...(result.noTrace ? { noData: true as const } : {}),
    ...(notChecked.length === 0 ? {} : { notChecked }),
  };
}
