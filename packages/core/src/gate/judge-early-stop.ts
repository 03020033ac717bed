/**
 * The cohort's row when the runs were stopped early. What decided is the sequential test, which may be looked at after every pair; the test for
 * a fixed number of runs is not read, because that number was never reached.
 */
import type { EarlyStop } from "../cohort/sequential-cohort.ts";
import type { LensJudgement } from "./lens-judgement.ts";

export function judgeEarlyStop({ stoppedAfter, plannedPairs }: EarlyStop): LensJudgement {
  const fact = { code: "stopped_early", pairs: stoppedAfter!, plannedPairs } as const;
  return {
    result: { lens: "cohort", status: "failed", facts: fact },
    checks: [{ lens: "cohort", name: "verdict", status: "failed", fact, places: [] }],
    reasons: [{ code: "cohort.changed", subject: "sequential" }],
    notEvaluated: [{ what: "the other runs", why: "a change was certain before they were made" }],
  };
}
