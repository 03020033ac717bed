/** Joins the policy lens to a diff: both sides are checked, and what is new or gone is told apart along the diff's own turn pairs. */
import { type CheckPolicyOptions, checkPolicies, type PolicyCheck } from "../policy/check-policy.ts";
import { diffPolicy } from "../policy/diff-policy.ts";
import type { Policy, PolicyRule, Violation } from "../policy/policy.ts";
import type { NotEvaluated } from "../report/report.ts";
import { stringMember } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import type { PolicyDiff, PolicyFinding, UnjudgedRule } from "./policy-slot.ts";

/**
 * What a policy says about a pair of traces whose turns are paired as `[baseline index, candidate index]`; `all` are the traces of
 * both sides, because a limit per user counts over all of them.
 */
export type PolicyHook = (
  pair: PolicySides,
  turnPairs: readonly (readonly [number, number])[],
  all?: AllTraces,
) => PolicyDiff;

export interface AllTraces {
  readonly baseline: readonly Trace[];
  readonly candidate: readonly Trace[];
}

/** A pair of traces, or a trace of the candidate without a partner: it has nothing old, so all its violations are new. */
export interface PolicySides {
  readonly baseline?: Trace;
  readonly candidate: Trace;
}

export function createPolicyHook(policy: Policy, options: CheckPolicyOptions = {}): PolicyHook {
  const ruleOf = new Map(policy.rules.map((rule) => [rule.id, rule]));
  const known = new WeakMap<readonly Trace[], ReadonlyMap<Trace, PolicyCheck>>();
  const check = (trace: Trace, all: readonly Trace[] = [trace]) => {
    const checks = known.get(all) ?? new Map(checkPolicies(all, policy, options).map((one, at) => [all[at]!, one]));
    known.set(all, checks);
    return checks.get(trace) ?? checkPolicies([trace], policy, options)[0]!;
  };
  return (pair, turnPairs, all) => {
    const baseline = pair.baseline === undefined ? undefined : check(pair.baseline, all?.baseline);
    const candidate = check(pair.candidate, all?.candidate);
    const { regressions, fixes } =
      baseline === undefined
        ? { regressions: candidate.violations, fixes: [] }
        : diffPolicy(baseline, candidate, { turnPairs });
    const findingIn = (trace: Trace) => (violation: Violation) =>
      findingOf(violation, ruleOf.get(violation.ruleId)!, trace);
    return {
      regressions: regressions.map(findingIn(pair.candidate)),
      fixes: fixes.map(findingIn(pair.baseline ?? pair.candidate)),
      // A baseline that could not be judged makes every violation of the candidate look new, or hides one: it is said too.
      notEvaluated: [
        ...candidate.notEvaluated.map((rule) => unjudged("candidate", pair.candidate, rule)),
        ...(baseline?.notEvaluated ?? []).map((rule) => unjudged("baseline", pair.baseline!, rule)),
      ],
      seen: candidate.outcomes.map(({ rule, seen, violations }) => ({
        ruleId: rule.id,
        seen,
        isBroken: violations.length > 0,
        ...(rule.minSeen === undefined ? {} : { minSeen: rule.minSeen }),
      })),
    };
  };
}

function unjudged(side: UnjudgedRule["side"], { name, key }: Trace, { what, why }: NotEvaluated): UnjudgedRule {
  return { ruleId: what, side, trace: name, key, why };
}

function findingOf(violation: Violation, rule: PolicyRule, { name, key }: Trace): PolicyFinding {
  const { file, line } = rule.at;
  const order = orderOf(rule);
  return {
    ruleId: violation.ruleId,
    ruleKind: violation.kind,
    severity: violation.severity,
    ...(violation.effect === undefined ? {} : { effect: violation.effect }),
    trace: name,
    key,
    ...(violation.turnIndex === null ? {} : { turnIndex: violation.turnIndex }),
    ...(order === undefined ? {} : { order }),
    headline: rule.definition.headline(rule.params),
    message: violation.message,
    ...(file === undefined ? {} : { place: line === undefined ? file : `${file}:${line}` }),
  };
}

/** The two tools of an ordering rule. */
function orderOf(rule: PolicyRule): PolicyFinding["order"] {
  if (rule.kind !== "must_call_before") return undefined;
  const before = stringMember(rule.rawParams, "first");
  const tool = stringMember(rule.rawParams, "second") ?? stringMember(rule.rawParams, "then");
  return before === undefined || tool === undefined ? undefined : { tool, before };
}
