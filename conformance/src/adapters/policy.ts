/** Policies: cases with rules and two traces, and cases about loading a policy file. */
import { type Json, type JsonObject, SpoorError, type TraceRecord } from "@spoor/core";
import { checkPolicy, type PolicyCheck } from "@spoor/core/internal/policy/check-policy";
import { diffPolicy, gatePolicy } from "@spoor/core/internal/policy/diff-policy";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { Policy, PolicyRule, Violation } from "@spoor/core/internal/policy/policy";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { isObject, member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import type { Adapter, Outcome } from "../adapter.ts";
import { compare } from "../compare.ts";
import { inOurSeverities } from "./severity-words.ts";

/** `policy`, `baseline`, `candidate` → violations, regressions, fixes and the gate. */
export const policyCheckAdapter: Adapter = {
  name: "policy check",
  matches: (testCase) =>
    Array.isArray(member(testCase, "baseline")) &&
    Array.isArray(member(testCase, "candidate")) &&
    member(testCase, "policy") !== undefined,
  run(testCase) {
    const policy = loadPolicy(member(testCase, "policy")!);
    const baseline = check(member(testCase, "baseline")!, policy);
    const candidate = check(member(testCase, "candidate")!, policy);
    const diff = diffPolicy(baseline, candidate);
    const actual: Record<string, Json> = {
      baseline_violations: diff.baselineViolations.map(asVector),
      candidate_violations: diff.candidateViolations.map(asVector),
      regressions: diff.regressions.map(asVector),
      fixes: diff.fixes.map(asVector),
      gate: gateCodes(diff.regressions),
    };
    const expected = member(testCase, "expected") as JsonObject;
    const parts = comparedParts(testCase);
    return compare(inOurSeverities(pick(expected, parts)), pick(actual, parts));
  },
};

/** Against an empty baseline the reference's identity makes one standing offence a regression and a fix. */
function comparedParts(testCase: JsonObject): readonly string[] {
  const named = member(testCase, "compare_only");
  if (Array.isArray(named)) return named as string[];
  const always = ["baseline_violations", "candidate_violations"];
  const hasBaseline = (member(testCase, "baseline") as readonly Json[]).length > 0;
  return hasBaseline ? [...always, "regressions", "fixes", "gate"] : always;
}

function pick(value: JsonObject, parts: readonly string[]): JsonObject {
  const picked: Record<string, Json> = {};
  for (const part of parts) {
    const found = member(value, part);
    if (found !== undefined) picked[part] = Array.isArray(found) ? found.map(withoutDetail) : found;
  }
  return picked;
}

function withoutDetail(violation: Json): Json {
  if (!isObject(violation)) return violation;
  const { detail: _detail, ...rest } = violation;
  return rest;
}

function loadPolicy(policy: Json): Policy {
  return parsePolicy(stringifyJson(policy), { file: "policy.json" });
}

function check(records: Json, policy: Policy): PolicyCheck {
  // With ids a violation says which response it belongs to, and so whether there was one: `pairIndexOf` reads that.
  const named = (records as unknown as readonly TraceRecord[]).map((record, index) => ({ id: `r${index}`, ...record }));
  return checkPolicy(buildTrace(named), policy);
}

export function asVector(violation: Violation): JsonObject {
  const { ruleId, kind, severity } = violation;
  return { rule_id: ruleId, kind, severity, pair_index: pairIndexOf(violation) };
}

/** The reference's numbering: a call recorded on its own after response N stands in pair N + 1, where its effect is seen. */
export function pairIndexOf({ turnIndex, evidence }: Violation): number | null {
  const isStandalone = evidence.tool !== undefined && evidence.blockIndex === undefined;
  const hasResponse = evidence.recordId !== undefined;
  return turnIndex !== null && isStandalone && hasResponse ? turnIndex + 1 : turnIndex;
}

function gateCodes(regressions: readonly Violation[]): JsonObject {
  const code = (level: "minor" | "moderate" | "severe") => (gatePolicy(regressions, level).tripped ? 1 : 0);
  return { minor: code("minor"), moderate: code("moderate"), severe: code("severe") };
}

/** `policy` → `loads` and the normalised rules, or an error that names the same rule and condition. */
export const policyLoadAdapter: Adapter = {
  name: "policy loading",
  matches: (testCase) =>
    typeof member(member(testCase, "expected"), "loads") === "boolean" && member(testCase, "policy") !== undefined,
  run(testCase) {
    const expected = member(testCase, "expected") as JsonObject;
    try {
      const policy = loadPolicy(member(testCase, "policy")!);
      return compare(expectedRules(expected), { loads: true, rules: policy.rules.map(normalised) });
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      return compareError(expected, error);
    }
  },
};

/** Only the rule's own severity is a severity: its parameters may hold anything. */
function expectedRules(expected: JsonObject): JsonObject {
  const rules = member(expected, "rules");
  if (!Array.isArray(rules)) return expected;
  return {
    ...expected,
    rules: rules.map((rule) => {
      const { severity, ...rest } = rule as JsonObject;
      return { ...rest, ...(inOurSeverities({ severity: severity! }) as JsonObject) };
    }),
  };
}

function normalised(rule: PolicyRule): JsonObject {
  return {
    id: rule.id,
    kind: rule.kind,
    severity: rule.severity,
    scope: rule.scope,
    description: rule.description,
    params: rule.rawParams,
    when: rule.when.map(({ path, op, value }) => ({ path: path.text, op, value })),
  };
}

/** Ours lists every problem, the reference the first: one of ours must stand where theirs does. */
function compareError(expected: JsonObject, error: SpoorError): Outcome {
  const message = stringMember(member(expected, "error"), "message") ?? "";
  const rule = /rule #(\d+)/.exec(message)?.[1];
  const condition = /when\[(\d+)\]/.exec(message)?.[1];
  const named = error.problems.some(({ at }) => {
    const path = /^(?:rules)?\[(\d+)\](?:\.(when)(?:\[(\d+)\])?)?/.exec(at.path ?? "");
    if (rule === undefined) return true;
    if (path?.[1] !== rule) return false;
    return condition === undefined || (path[2] === "when" && (path[3] ?? "0") === condition);
  });
  const found = error.problems.map(({ at, message: text }) => `${at.path}: ${text}`).join(" ");
  return compare({ loads: member(expected, "loads") ?? null, place: true }, { loads: false, place: named || found });
}
