/**
 * Runs the examples that a policy file carries, each of which names rules that must pass or fail on its trace, and looks at the
 * rules themselves: whether they can be kept, together and by an agent that has these tools.
 */
import type { ReportInput, ToolInfo } from "../report/report.ts";
import type { Trace } from "../trace/trace.ts";
import { checkPolicy } from "./check-policy.ts";
import type { Policy, PolicyExample } from "./policy.ts";
import { type ConditionCoverage, coverConditions } from "./review/condition-coverage.ts";
import type { KnownTools } from "./review/known-tools.ts";
import type { ReviewFinding } from "./review/review-finding.ts";
import { reviewPolicy } from "./review/review-policy.ts";

export interface PolicyTestResult {
  readonly file: string | null;
  readonly examples: readonly ExampleResult[];
  readonly passed: number;
  readonly failed: number;
  /** Rules that lack an example that passes, or one that fails: nothing shows that they work. */
  readonly untested: readonly { readonly ruleId: string; readonly lacks: readonly ("passes" | "fails")[] }[];
  /** Every condition of every rule, and how often the examples of its rule show it. */
  readonly conditions: readonly ConditionCoverage[];
  /** What is wrong with the rules themselves. */
  readonly findings: readonly ReviewFinding[];
  readonly errors: number;
  readonly warnings: number;
  /** How many tools the names in the rules were compared with; null when none are known. */
  readonly tools: number | null;
}

/** What `spoor policy test --format json` prints. */
export interface PolicyTestReport extends PolicyTestResult {
  readonly schema: "spoor.policy-test/1";
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
}

export interface ExampleResult {
  readonly name: string;
  readonly at: PolicyExample["at"];
  readonly ok: boolean;
  readonly expectations: readonly Expectation[];
}

export interface Expectation {
  readonly ruleId: string;
  readonly expected: "pass" | "fail";
  /** `unjudged`: the rule found nothing to look at or lacked its evidence, so the example proves nothing. */
  readonly actual: "pass" | "fail" | "unjudged";
  readonly messages: readonly string[];
}

export function testPolicy(
  policy: Policy,
  traceOf: (example: PolicyExample) => Trace,
  known?: KnownTools,
): PolicyTestResult {
  const examples = policy.examples.map((example) => runExample(example, policy, traceOf(example)));
  const failed = examples.filter((example) => !example.ok).length;
  const findings = reviewPolicy(policy, known);
  const errors = findings.filter(({ level }) => level === "error").length;
  return {
    file: policy.file ?? null,
    examples,
    passed: examples.length - failed,
    failed,
    untested: findUntested(policy),
    conditions: coverConditions(policy, traceOf),
    findings,
    errors,
    warnings: findings.length - errors,
    tools: known === undefined ? null : known.tools.size,
  };
}

function runExample(example: PolicyExample, policy: Policy, trace: Trace): ExampleResult {
  const check = checkPolicy(trace, policy);
  const expectations = [
    ...example.passes.map((ruleId) => ({ ruleId, expected: "pass" as const })),
    ...example.fails.map((ruleId) => ({ ruleId, expected: "fail" as const })),
  ].map(({ ruleId, expected }): Expectation => {
    const outcome = check.outcomes.find((one) => one.rule.id === ruleId)!;
    const messages = [
      ...outcome.violations.map((violation) => violation.message),
      ...outcome.notEvaluated,
      ...(outcome.saw ? [] : ["It found nothing to look at."]),
    ];
    const isJudged = outcome.notEvaluated.length === 0 && outcome.saw;
    const actual = outcome.violations.length > 0 ? "fail" : isJudged ? "pass" : "unjudged";
    return { ruleId, expected, actual, messages };
  });
  const ok = expectations.every(({ expected, actual }) => expected === actual);
  return { name: example.name, at: example.at, ok, expectations };
}

function findUntested(policy: Policy): PolicyTestResult["untested"] {
  return policy.rules.flatMap((rule) => {
    const lacks = (["passes", "fails"] as const).filter(
      (side) => !policy.examples.some((example) => example[side].includes(rule.id)),
    );
    return lacks.length === 0 ? [] : [{ ruleId: rule.id, lacks }];
  });
}
