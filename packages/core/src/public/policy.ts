/** `@spoor/core/policy`: rules over traces, recorded or running. */
export type { TraceViolation } from "../policy/check-part.ts";
export { type CheckPolicyOptions, checkPolicy, type PolicyCheck } from "../policy/check-policy.ts";
export {
  type CheckReport,
  type CheckReportOptions,
  checkTraces,
  type RuleReport,
} from "../policy/check-report.ts";
export {
  type DiffPolicyOptions,
  diffPolicy,
  gatePolicy,
  type PolicyDiff,
  type StandingViolation,
} from "../policy/diff-policy.ts";
export { type ExplainedRule, listOfRules, type PolicyExplanation } from "../policy/explain-policy.ts";
export { type ParsePolicyOptions, parsePolicy } from "../policy/parse-policy.ts";
export type { Evidence, Policy, PolicyExample, PolicyRule, RuleScope, Violation } from "../policy/policy.ts";
export { type PolicyTestResult, testPolicy } from "../policy/test-policy.ts";
