import type { Gate, GateReason } from "../report/report.ts";
import { knownWord } from "../text/known-word.ts";
import type { CohortResult } from "./cohort-report.ts";

/** `unchanged` also trips on not enough evidence: for those who want proof before a pass. */
export type CohortRequirement = "unchanged" | undefined;

/** A gate trips on `changed`, naming each changed aspect; a change spread over several aspects is named as such. */
export function gateCohort(result: CohortResult, require?: CohortRequirement): Gate {
  if (require !== undefined) knownWord(require, ["unchanged"], "require");
  const failOn = require === "unchanged" ? "changed or not_enough_evidence" : "changed";
  const reasons = reasonsOf(result, require);
  return { failOn, tripped: reasons.length > 0, reasons };
}

function reasonsOf({ verdict, aspects, reasons }: CohortResult, require: CohortRequirement): GateReason[] {
  if (verdict === "changed") {
    const changed = aspects.filter((aspect) => aspect.changed);
    if (changed.length === 0) return [{ code: "cohort.changed", subject: "several aspects" }];
    return changed.map(({ aspect }) => ({ code: "cohort.changed", subject: aspect }));
  }
  if (verdict === "not_enough_evidence" && require === "unchanged") {
    return reasons.map(({ code, item }) => ({ code: "cohort.not_enough_evidence", subject: item ?? code }));
  }
  return [];
}
