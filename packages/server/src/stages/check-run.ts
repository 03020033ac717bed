/** The policy over one run as it arrives. What only several runs together can answer is said to be not evaluated, never passed. */
import type { Json, Trace } from "@spoor/core";
import { reaches } from "@spoor/core/internal/judgement/severity";
import { type CheckPart, checkPart } from "@spoor/core/internal/policy/check-part";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import type { Policy, PolicyRule, Violation } from "@spoor/core/internal/policy/policy";
import { present } from "@spoor/core/internal/trace/present";
import type { EvaluatedRun, NewFinding, StageResult } from "../store/store.ts";
import type { PolicyRules } from "./run-rules.ts";

export interface CheckedRun {
  readonly status: EvaluatedRun["status"];
  readonly findings: readonly NewFinding[];
  readonly stage: StageResult;
}

export function checkRun(trace: Trace, rules: PolicyRules, today: string): CheckedRun {
  const alone = aloneOf(rules.policy);
  const check = checkPolicy(trace, alone, { today });
  const part = checkPart(trace, alone, check);
  const isFailed = check.violations.some(({ severity }) => reaches(severity, rules.failOn));
  const isWhole = check.notEvaluated.length === 0 && alone.rules.length === rules.policy.rules.length;
  return {
    status: isFailed ? "failed" : isWhole ? "passed" : "not_evaluated",
    findings: check.violations.map((violation) => findingOf(violation, rules.hash)),
    stage: { stage: "policy", configHash: rules.hash, result: resultOf(part, rules, today) },
  };
}

const alones = new WeakMap<Policy, Policy>();

/** The rules that a run can be held to by itself. The same object for every run: what is made ready for a policy is kept by it. */
function aloneOf(policy: Policy): Policy {
  const known = alones.get(policy);
  if (known !== undefined) return known;
  const rules = policy.rules.filter((rule) => !needsOthers(rule));
  const alone = rules.length === policy.rules.length ? policy : { ...policy, rules };
  alones.set(policy, alone);
  return alone;
}

/** Rules about drift need a baseline, limits per user the other runs of the user. */
function needsOthers({ definition, params }: PolicyRule): boolean {
  return definition.needsBaseline === true || definition.perUser?.(params) === true;
}

/** Exceptions end by date, so the day is part of what was said. */
function resultOf({ rules: parts, coverage }: CheckPart, { policy }: PolicyRules, today: string): Json {
  return { today, coverage, rules: policy.rules.map(({ id }) => id), parts } as unknown as Json;
}

function findingOf(
  { ruleId, kind, severity, code, subject, turnIndex, sessionIndex, ...rest }: Violation,
  configHash: string,
): NewFinding {
  return present({
    configHash,
    ruleId,
    kind,
    severity,
    code,
    subject,
    turnIndex: turnIndex ?? undefined,
    sessionIndex: sessionIndex ?? undefined,
    evidence: { message: rest.message, ...rest.evidence, facts: rest.facts } as unknown as Json,
  });
}
