/** Rules and exceptions that can never apply, or never be kept, whatever the agent does. */

import { describeConditions } from "../conditions.ts";
import { findContradiction } from "../contradiction.ts";
import type { PolicyRule } from "../policy.ts";
import { finding } from "./conflicts.ts";
import { claimsOf } from "./gates.ts";
import type { ReviewFinding } from "./review-finding.ts";

export function findIdleRules(rules: readonly PolicyRule[]): ReviewFinding[] {
  return rules.flatMap((rule) => [
    ...neverTriggered(rule),
    ...alwaysBroken(rule),
    ...shortWindows(rule),
    ...idleExceptions(rule),
  ]);
}

/** `when` and the conditions of the rule itself look at the same turn. */
function neverTriggered(rule: PolicyRule): ReviewFinding[] {
  const { triggers = [] } = claimsOf(rule);
  if (rule.when.length === 0 || triggers.length === 0) return [];
  if (findContradiction([...rule.when, ...triggers]) === undefined) return [];
  const condition = describeConditions([...rule.when, ...triggers]);
  return [finding("never_holds", "error", rule, [], { condition, tools: [], why: "contradiction", instead: [] })];
}

function alwaysBroken(rule: PolicyRule): ReviewFinding[] {
  const { alwaysBroken } = claimsOf(rule);
  return alwaysBroken === undefined ? [] : [finding("always_broken", "error", rule, [], { why: alwaysBroken })];
}

/** No time at all: nothing that takes time can come before. In the turn itself a call has not ended when the next is made. */
function shortWindows(rule: PolicyRule): ReviewFinding[] {
  return (claimsOf(rule).orders ?? []).flatMap(({ first, second, within, firstSucceeded }) => {
    const why =
      within?.seconds === 0 ? "no_time" : within?.turns === 0 && firstSucceeded === true ? "not_ended" : undefined;
    return why === undefined ? [] : [finding("window_too_short", "warning", rule, [], { first, second, why })];
  });
}

function idleExceptions(rule: PolicyRule): ReviewFinding[] {
  return rule.exceptions.flatMap(({ when, until }) => {
    const isIdle = when.length > 0 && rule.when.length > 0 && findContradiction([...rule.when, ...when]) !== undefined;
    return isIdle
      ? [finding("exception_never_applies", "warning", rule, [], { until, condition: describeConditions(when) })]
      : [];
  });
}
