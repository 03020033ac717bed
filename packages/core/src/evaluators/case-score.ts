/** One score for a case: the weighted mean of its evaluators; a required one below its line makes it 0. */

import type { Verdict } from "../trajectory/trajectory.ts";
import { type EvaluatorResult, PASS_LINE, verdictOf } from "./evaluation.ts";

export interface CaseScore {
  readonly score: number;
  readonly verdict: Verdict;
  readonly passLine: number;
  /** Required evaluators that were below their line. */
  readonly failedRequired: readonly string[];
  /** Evaluators that were left out of the mean. */
  readonly skipped: readonly string[];
}

/** Missing evidence never passes: a case whose evaluators were all left out scores 0. */
export function scoreCase(results: readonly EvaluatorResult[], passLine = PASS_LINE): CaseScore {
  const skipped = results.filter((result) => result.verdict === "skip").map((result) => result.name);
  const counted = results.filter((result) => result.verdict !== "skip");
  const failedRequired = counted
    .filter((result) => result.required && result.score < result.passLine)
    .map((result) => result.name);
  const totalWeight = counted.reduce((sum, result) => sum + result.weight, 0);
  const weighted = counted.reduce((sum, result) => sum + result.weight * result.score, 0);
  const score = failedRequired.length > 0 || totalWeight === 0 ? 0 : weighted / totalWeight;
  return { score, verdict: verdictOf(score, passLine), passLine, failedRequired, skipped };
}
