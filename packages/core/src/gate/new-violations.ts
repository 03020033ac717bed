/** Which violations of the candidate are new: what its partner in the baseline does not violate. Joined by the traces' keys. */
import type { DiffReport } from "../diff/diff-report.ts";
import type { Violation } from "../policy/policy.ts";

export type IsNew = (violation: Violation, key: string) => boolean;

/** A trace without a partner has nothing old: all its violations are new, so that none passes for want of a comparison. */
export function newViolations({ policy, matching }: Pick<DiffReport, "policy" | "matching">): IsNew {
  const alone = new Set(matching.onlyCandidate.map(({ key }) => key));
  const regressions = new Set(
    (policy?.regressions ?? []).map(({ ruleId, key, turnIndex }) => markOf(ruleId, key, turnIndex)),
  );
  return ({ ruleId, turnIndex }, key) => alone.has(key) || regressions.has(markOf(ruleId, key, turnIndex ?? undefined));
}

function markOf(ruleId: string, key: string, turnIndex: number | undefined): string {
  return JSON.stringify([ruleId, key, turnIndex ?? null]);
}
