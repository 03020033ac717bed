/** Many traces against one policy, as a report: per rule what broke where, what was looked at, what could not be judged. */

import type { FindingSeverity, Severity } from "../judgement/severity.ts";
import type { Status, StatusReason } from "../judgement/status.ts";
import { sumCoverage } from "../report/coverage.ts";
import type { ReportHeader, ReportInput, ToolInfo } from "../report/report.ts";
import { countOf, listOf } from "../text/words.ts";
import { present } from "../trace/present.ts";
import type { Trace } from "../trace/trace.ts";
import { nameTraces, type TraceRef } from "../trace/trace-name.ts";
import { type CheckPart, checkPart, joinChecks, type RulePart, type TraceViolation } from "./check-part.ts";
import { checkPolicies } from "./check-policy.ts";
import { gatePolicy } from "./diff-policy.ts";
import { type Doubt, doubtsOf } from "./doubts.ts";
import type { ToldEffect } from "./effect.ts";
import { isOffPathReason } from "./off-path.ts";
import type { Policy, PolicyRule, PolicyWarning, RulePlace, RuleScope } from "./policy.ts";
import type { Headline, Seen } from "./rule.ts";

export interface CheckReport extends ReportHeader<"spoor.check/1"> {
  readonly policy: {
    readonly file: string | null;
    readonly description: string | null;
    readonly warnings: readonly PolicyWarning[];
  };
  readonly traces: readonly CheckedTrace[];
  readonly rules: readonly RuleReport[];
  readonly totals: CheckTotals;
}

export interface CheckedTrace extends TraceRef {
  readonly id: string;
  readonly path: string | null;
  readonly entry: string | null;
  readonly turns: number;
  /** The first turn, from 0, after a replay had left what was recorded. */
  readonly offPathFrom?: number;
}

export interface RuleReport {
  readonly id: string;
  readonly kind: string;
  readonly severity: FindingSeverity;
  /** What follows when it is broken, where that is not `deny`. */
  readonly effect?: ToldEffect;
  readonly scope: RuleScope;
  readonly description: string;
  readonly explanation: string;
  readonly headline: Headline;
  readonly at: RulePlace;
  readonly status: Status;
  readonly reason?: StatusReason;
  /** In how many traces the rule had something to look at, and in how many it was broken. */
  readonly tracesApplied: number;
  readonly tracesViolated: number;
  readonly seen: readonly Seen[];
  /** How much it was told to see at least. */
  readonly minSeen?: number;
  /** Names and paths of the rule that no trace has: most likely misspelt where a near one is known. */
  readonly doubts: readonly Doubt[];
  readonly violations: readonly TraceViolation[];
  readonly excused: readonly (TraceViolation & { readonly until: string; readonly reason: string })[];
  readonly notEvaluated: readonly { readonly trace: number; readonly why: string }[];
  /** Exceptions whose last day has passed: they excuse nothing any more and can go. */
  readonly expired: readonly { readonly until: string; readonly reason: string }[];
}

/** Evaluations are pairs of a rule and a trace; violations are counted one by one. */
export interface CheckTotals {
  readonly evaluations: number;
  readonly passed: number;
  /** Pairs in which the rule had nothing to look at: neither kept nor broken. */
  readonly notApplicable: number;
  /** Pairs with a rule about drift: a trace alone cannot answer it. */
  readonly needsBaseline: number;
  readonly notEvaluated: number;
  readonly violations: { readonly [S in FindingSeverity]: number };
  readonly excused: number;
}

export interface CheckReportOptions {
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  readonly failOn: Severity;
  readonly today?: string;
}

export function checkTraces(loaded: readonly Trace[], policy: Policy, options: CheckReportOptions): CheckReport {
  const traces = nameTraces(loaded);
  const { today } = options;
  const checks = checkPolicies(traces, policy, today === undefined ? {} : { today });
  const parts = traces.map((trace, index) => checkPart(trace, policy, checks[index]!));
  return reportChecks(parts, policy, options);
}

/** The report of traces that were checked apart, in their order; their names tell them apart already. */
export function reportChecks(parts: readonly CheckPart[], policy: Policy, options: CheckReportOptions): CheckReport {
  const { tool, inputs, failOn, today } = options;
  const whole = parts.length === 0 ? undefined : joinChecks(parts);
  const doubts = doubtsOf(policy.rules, whole?.sighting);
  const rules = policy.rules.map((rule, index) =>
    reportRule(rule, whole?.rules[index] ?? NOTHING, doubts[index]!, today),
  );
  const notEvaluated = [
    ...byTrace(rules.map((rule) => rule.notEvaluated.map(({ trace, why }) => ({ trace, what: rule.id, why })))).map(
      ({ what, why }) => ({ what, why }),
    ),
    ...policy.rules
      .filter((rule) => rule.definition.needsBaseline)
      .map((rule) => ({ what: rule.id, why: NEEDS_BASELINE })),
    ...rules
      .filter((rule) => rule.reason === "too_little")
      .map((rule) => ({ what: rule.id, why: sawTooLittle(rule.minSeen!, rule.seen) })),
  ];
  return {
    schema: "spoor.check/1",
    tool,
    inputs,
    policy: { file: policy.file ?? null, description: policy.description ?? null, warnings: policy.warnings },
    traces: (whole?.traces ?? []).map(describeTrace),
    rules,
    totals: countTotals(whole, rules),
    coverage: sumCoverage(whole === undefined ? [] : [whole.coverage], notEvaluated),
    gate: gatePolicy(byTrace(rules.map((rule) => rule.violations)), failOn),
  };
}

const NOTHING: RulePart = {
  violations: [],
  excused: [],
  notEvaluated: [],
  seen: [],
  applied: 0,
  open: { passed: 0, notApplicable: 0, notEvaluated: 0 },
};

/** What rules found, trace by trace: the first trace that breaks anything is named first. */
function byTrace<T extends { readonly trace: number }>(found: readonly (readonly T[])[]): readonly T[] {
  return found.flat().sort((one, other) => one.trace - other.trace);
}

/** A policy file may serve both: over traces alone its rules about drift are listed, and the others are judged. */
const NEEDS_BASELINE = "needs a baseline: ask spoor baseline compare --policy, or spoor gate";

function reportRule(
  rule: PolicyRule,
  { violations, excused, notEvaluated, seen, applied }: RulePart,
  doubts: readonly Doubt[],
  today: string | undefined,
): RuleReport {
  const seesEnough = amountOf(seen) >= (rule.minSeen ?? 0);
  return {
    id: rule.id,
    kind: rule.kind,
    severity: rule.severity,
    ...(rule.effect === "deny" ? {} : { effect: rule.effect }),
    scope: rule.scope,
    description: rule.description,
    explanation: rule.explanation,
    headline: rule.definition.headline(rule.params),
    at: rule.at,
    ...statusOf(rule, violations.length, notEvaluated, excused.length, applied, seesEnough),
    tracesApplied: applied,
    tracesViolated: new Set(violations.map((violation) => violation.trace)).size,
    seen,
    ...(rule.minSeen === undefined ? {} : { minSeen: rule.minSeen }),
    doubts,
    violations,
    excused,
    notEvaluated,
    expired: rule.exceptions
      .filter(({ until }) => today !== undefined && until < today)
      .map(({ until, reason }) => ({ until, reason })),
  };
}

function statusOf(
  rule: PolicyRule,
  violations: number,
  notEvaluated: RuleReport["notEvaluated"],
  excused: number,
  applied: number,
  seesEnough: boolean,
): Pick<RuleReport, "status" | "reason"> {
  if (rule.definition.needsBaseline) return { status: "not_evaluated", reason: "needs_baseline" };
  if (violations > 0) return { status: "failed" };
  if (notEvaluated.length > 0) {
    const isOffPath = notEvaluated.every(({ why }) => isOffPathReason(why));
    return { status: "not_evaluated", reason: isOffPath ? "off_path" : "no_data" };
  }
  if (!seesEnough) return { status: "not_evaluated", reason: "too_little" };
  if (excused > 0) return { status: "passed", reason: "excused" };
  return applied === 0 ? { status: "not_evaluated", reason: "not_applicable" } : { status: "passed" };
}

/** `it saw 2 issue_refund calls, and min_seen asks for 5` */
export function sawTooLittle(minSeen: number, seen: readonly Seen[]): string {
  const words = seen.map(({ amount, noun }) => countOf(amount, noun));
  return `it saw ${listOf(words.length === 0 ? ["nothing"] : words)}, and min_seen asks for ${minSeen}`;
}

/** What a rule saw, in the unit it sees most of: turns and calls are not added up. */
export function amountOf(seen: readonly Seen[]): number {
  return Math.max(0, ...seen.map(({ amount }) => amount));
}

function countTotals(whole: CheckPart | undefined, rules: readonly RuleReport[]): CheckTotals {
  const violations = { minor: 0, moderate: 0, severe: 0 };
  for (const rule of rules)
    for (const violation of rule.violations) if (!violation.restates) violations[violation.severity]++;
  const traces = whole?.traces.length ?? 0;
  const counts = { needsBaseline: 0, passed: 0, notApplicable: 0, notEvaluated: 0 };
  for (const [index, { reason }] of rules.entries()) {
    const { passed, notApplicable, notEvaluated } = (whole?.rules[index] ?? NOTHING).open;
    if (reason === "needs_baseline") counts.needsBaseline += traces;
    else if (reason === "too_little") counts.notEvaluated += passed + notApplicable + notEvaluated;
    else {
      counts.passed += passed;
      counts.notApplicable += notApplicable;
      counts.notEvaluated += notEvaluated;
    }
  }
  return {
    evaluations: traces * rules.length,
    ...counts,
    violations,
    excused: rules.reduce((sum, rule) => sum + rule.excused.length, 0),
  };
}

function describeTrace({ identity, turns, offPathFrom }: CheckPart["traces"][number]): CheckedTrace {
  const { id, key, name, source } = identity;
  const facts = { id, key, name, path: source.path ?? null, entry: source.entry ?? null, turns };
  return present({ ...facts, offPathFrom });
}
