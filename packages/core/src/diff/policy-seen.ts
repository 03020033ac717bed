/** What the rules of a policy saw over all pairs of a diff: a rule that saw too little, or a policy of which none saw anything, judges nothing. */
import { sumSeen } from "../policy/check-part.ts";
import { amountOf, sawTooLittle as describeLack } from "../policy/check-report.ts";
import type { PolicyDiff, RuleSeen, UnjudgedRule } from "./policy-slot.ts";

export function mergeSeen(diffs: readonly PolicyDiff[]): RuleSeen[] {
  const rules = new Map<string, RuleSeen>();
  for (const one of diffs.flatMap((diff) => diff.seen)) {
    const known = rules.get(one.ruleId);
    rules.set(one.ruleId, {
      ...one,
      seen: sumSeen([...(known?.seen ?? []), ...one.seen]),
      isBroken: one.isBroken || known?.isBroken === true,
    });
  }
  return [...rules.values()];
}

/** Rules whose `min_seen` was not reached; all of them when not one saw anything and none is broken. */
export function sawTooLittle(rules: readonly RuleSeen[]): UnjudgedRule[] {
  const sawNothing = rules.every(({ seen, isBroken }) => !isBroken && amountOf(seen) === 0);
  return rules.flatMap(({ ruleId, seen, minSeen, isBroken }): UnjudgedRule[] => {
    if (isBroken) return [];
    if (minSeen !== undefined && amountOf(seen) < minSeen)
      return [{ ruleId, side: "candidate", why: describeLack(minSeen, seen) }];
    return sawNothing ? [{ ruleId, side: "candidate", why: "it found nothing to look at in any trace" }] : [];
  });
}
