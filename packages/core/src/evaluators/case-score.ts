/**
 * One score for a case: the weighted mean of its evaluators; a required one that failed makes it 0, and a run that one of them
 * rules out never passes, however good the mean. An evaluator without weight has no say.
 */

import type { ScoreReason, Status } from "../judgement/status.ts";
import { extended } from "../trace/extended.ts";
import { type EvaluatorResult, PASS_LINE, statusOfScore } from "./evaluation.ts";

export interface CaseScore {
  readonly score: number;
  readonly status: Status;
  readonly reason?: ScoreReason;
  readonly passLine: number;
  /** Required evaluators that failed. */
  readonly failedRequired: readonly string[];
  /** Evaluators that rule the run out whatever its score. */
  readonly ruledOutBy: readonly string[];
  /** Evaluators that were left out of the mean. */
  readonly skipped: readonly string[];
}

/** Missing evidence never passes: a case whose evaluators were all left out scores 0. */
export function scoreCase(results: readonly EvaluatorResult[], passLine = PASS_LINE): CaseScore {
  const skipped = results.filter((result) => result.status === "not_evaluated").map((result) => result.name);
  const counted = results.filter((result) => result.status !== "not_evaluated");
  const failedRequired = counted
    .filter((result) => result.required && result.status === "failed")
    .map((result) => result.name);
  const ruledOutBy = counted.filter((result) => result.ruledOut && result.weight > 0).map((result) => result.name);
  const totalWeight = counted.reduce((sum, result) => sum + result.weight, 0);
  const weighted = counted.reduce((sum, result) => sum + result.weight * result.score, 0);
  const score = failedRequired.length > 0 || totalWeight === 0 ? 0 : weighted / totalWeight;
  const base = { score, passLine, failedRequired, ruledOutBy, skipped };
  const own = statusOfScore(score, passLine);
  if (counted.length === 0 && own.status === "failed") return { ...base, ...own, reason: "nothing_evaluated" };
  if (own.status === "passed" && ruledOutBy.length > 0) return { ...base, status: "failed", reason: "ruled_out" };
  return extended(base, own);
}
