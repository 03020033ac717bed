/** The cohort's row: its verdict, then one check per aspect. */
import type { CohortReport } from "../cohort/cohort-report.ts";
import type { CheckStatus, GateCheck } from "./gate-report.ts";
import { type LensJudgement, type Reaction, statusOfReaction } from "./lens-judgement.ts";

export interface CohortSettings {
  readonly notEnoughEvidence: Reaction;
}

export function judgeCohort(report: CohortReport, { notEnoughEvidence }: CohortSettings): LensJudgement {
  const { verdict, aspects, gate } = report;
  const isOpen = verdict === "not_enough_evidence";
  const isEmpty = report.reasons.some(({ code }) => code === "no_common_scenario");
  const open = isEmpty ? "not_evaluated" : statusOfReaction(notEnoughEvidence);
  const status: CheckStatus = isOpen
    ? gate.tripped && !isEmpty
      ? "failed"
      : open
    : gate.tripped
      ? "failed"
      : "passed";
  const checks: readonly GateCheck[] = [
    { lens: "cohort", name: "verdict", status, fact: { code: "cohort_verdict", verdict }, places: [] },
    ...aspects.map(
      ({ aspect, changed }): GateCheck => ({
        lens: "cohort",
        name: aspect,
        status: changed ? "failed" : "passed",
        fact: { code: "cohort_aspect", aspect, changed },
        places: [],
      }),
    ),
  ];
  return {
    result: { lens: "cohort", status, facts: { code: "cohort", verdict } },
    checks,
    reasons: gate.reasons,
    notEvaluated: isOpen ? [{ what: "cohort", why: "not enough evidence" }] : [],
  };
}
