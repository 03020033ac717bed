/**
 * What can be told of a policy without running it: names nobody has, rules that can never apply or never be kept, rules that
 * contradict each other. Errors are certain; warnings are likely. What is left out is said by nobody: silence is no proof.
 */
import type { Policy, PolicyRule } from "../policy.ts";
import { checkArguments } from "./argument-checks.ts";
import { findConflicts } from "./conflicts.ts";
import { findFormulaConflicts } from "./formula-conflicts.ts";
import { findIdleRules } from "./idle-rules.ts";
import type { KnownTools } from "./known-tools.ts";
import { findOrderCycles } from "./order-cycles.ts";
import type { ReviewFinding } from "./review-finding.ts";
import { findUnknownNames, findUnknownRoots } from "./unknown-names.ts";

/** Findings in the order of the rules they stand at. Without `known` nothing is said about names of tools. */
export function reviewPolicy({ rules }: Policy, known?: KnownTools): readonly ReviewFinding[] {
  // What a person may allow, and what only warns, stands in nobody's way.
  const strict = rules.filter(({ effect }) => effect === "deny");
  const alone = [
    ...findUnknownRoots(rules),
    ...findIdleRules(rules),
    ...findOrderCycles(strict),
    ...findConflicts(strict),
  ];
  const together = (left: PolicyRule, right: PolicyRule) =>
    alone.some(({ ruleIds }) => ruleIds.includes(left.id) && ruleIds.includes(right.id));
  const findings = [
    ...(known === undefined ? [] : [...findUnknownNames(rules, known), ...checkArguments(rules, known)]),
    ...alone,
    ...findFormulaConflicts(strict, together),
  ];
  const order = new Map(rules.map(({ id }, index) => [id, index]));
  return findings.sort((left, right) => order.get(left.ruleIds[0]!)! - order.get(right.ruleIds[0]!)!);
}
