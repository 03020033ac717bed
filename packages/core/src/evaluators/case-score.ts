/** One score for a case: the weighted mean of its evaluators; a required one below its line makes it 0. */

import type { ScoreReason, Status } from "../judgement/status.ts";
import { type EvaluatorResult, PASS_LINE, statusOfScore } from "./evaluation.ts";

export interface CaseScore {
  readonly score: number;
  readonly status: Status;
  readonly reason?: ScoreReason;
  readonly passLine: number;
  /** Required evaluators that were below their line. */
  readonly failedRequired: readonly string[];
  /** Evaluators that were left out of the mean. */
  readonly skipped: readonly string[];
}

/** Missing evidence never passes: a case whose evaluators were all left out scores 0. */
export function scoreCase(results: readonly EvaluatorResult[], passLine = PASS_LINE): CaseScore {
  const skipped = results.filter((result) => result.status === "not_evaluated").map((result) => result.name);
  const counted = results.filter((result) => result.status !== "not_evaluated");
  const failedRequired = counted
    .filter((result) => result.required && result.score < result.passLine)
    .map((result) => result.name);
  const totalWeight = counted.reduce((sum, result) => sum + result.weight, 0);
  const weighted = counted.reduce((sum, result) => sum + result.weight * result.score, 0);
  const score = failedRequired.length > 0 || totalWeight === 0 ? 0 : weighted / totalWeight;
  const { status, reason } = statusOfScore(score, passLine);
  const why = status === "failed" && counted.length === 0 ? "nothing_evaluated" : reason;
  return { score, status, ...(why === undefined ? {} : { reason: why }), passLine, failedRequired, skipped };
}
