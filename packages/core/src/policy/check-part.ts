/**
 * What a policy says about a few traces, without the traces: plain data, so that they can be checked where they are read, on every
 * core, and joined to one report (`reportChecks`). Joining gives the same whatever the parts are.
 */
import { coverageOf, sumCoverage } from "../report/coverage.ts";
import type { Coverage } from "../report/report.ts";
import { present } from "../trace/present.ts";
import type { Trace } from "../trace/trace.ts";
import { identityOf, type TraceIdentity } from "../trace/trace-name.ts";
import { type CheckPolicyOptions, checkPolicy, type PolicyCheck } from "./check-policy.ts";
import { joinSightings, type Sighting, sightingOf } from "./doubts.ts";
import type { Policy, Violation } from "./policy.ts";
import type { Seen } from "./rule.ts";
import type { RuleOutcome } from "./rule-outcome.ts";

export interface CheckPart {
  readonly traces: readonly PartTrace[];
  readonly coverage: Coverage;
  /** Per rule of the policy, in its order. */
  readonly rules: readonly RulePart[];
  readonly sighting: Sighting;
}

interface PartTrace {
  readonly identity: TraceIdentity;
  readonly turns: number;
  /** The first turn, from 0, after a replay had left what was recorded. */
  readonly offPathFrom?: number;
}

/** A violation with the trace it was found in, as an index into `traces`. */
export type TraceViolation = Violation & { readonly trace: number };

/** How a rule fared in these traces. */
export interface RulePart {
  readonly violations: readonly TraceViolation[];
  readonly excused: readonly (TraceViolation & { readonly until: string; readonly reason: string })[];
  readonly notEvaluated: readonly { readonly trace: number; readonly why: string }[];
  readonly seen: readonly Seen[];
  /** Traces in which it had something to look at, whether it was broken or not. */
  readonly applied: number;
  /** Of the traces in which it was not broken: kept, nothing to look at, not to be judged. */
  readonly open: { readonly passed: number; readonly notApplicable: number; readonly notEvaluated: number };
}

/**
 * True when what the policy says about a trace follows from this trace alone. A limit per user counts over all of them, and an
 * exception for a trace must know what it is called among them.
 */
export function judgesApart({ rules }: Policy): boolean {
  return !rules.some(
    ({ definition, params, exceptions }) =>
      definition.perUser?.(params) || exceptions.some(({ trace }) => trace !== undefined),
  );
}

export function checkTrace(trace: Trace, policy: Policy, options: CheckPolicyOptions = {}): CheckPart {
  return checkPart(trace, policy, checkPolicy(trace, policy, options));
}

/** `checkPolicy` of this trace and policy, made plain. */
export function checkPart(trace: Trace, policy: Policy, { outcomes }: PolicyCheck): CheckPart {
  const facts = { identity: identityOf(trace), turns: trace.turns.length, offPathFrom: trace.recording?.offPathFrom };
  return {
    traces: [present(facts)],
    coverage: coverageOf([trace]),
    rules: outcomes.map(rulePart),
    sighting: sightingOf(trace, policy.rules),
  };
}

function rulePart({ violations, excused, notEvaluated, seen, saw }: RuleOutcome): RulePart {
  const isOpen = violations.length === 0;
  const isUnjudged = isOpen && notEvaluated.length > 0;
  return {
    violations: violations.map((violation) => ({ ...violation, trace: 0 })),
    excused: excused.map(({ violation, until, reason }) => ({ ...violation, trace: 0, until, reason })),
    notEvaluated: notEvaluated.map((why) => ({ trace: 0, why })),
    seen: sumSeen(seen),
    applied: Number(saw),
    open: {
      passed: Number(isOpen && !isUnjudged && saw),
      notApplicable: Number(isOpen && !isUnjudged && !saw),
      notEvaluated: Number(isUnjudged),
    },
  };
}

/** Parts in the order of their traces; at least one. */
export function joinChecks(parts: readonly CheckPart[]): CheckPart {
  if (parts.length === 1) return parts[0]!;
  return {
    traces: parts.flatMap((part) => part.traces),
    coverage: sumCoverage(parts.map((part) => part.coverage)),
    rules: parts[0]!.rules.map((_, index) => joinRule(parts, index)),
    sighting: joinSightings(parts.map((part) => part.sighting)),
  };
}

function joinRule(parts: readonly CheckPart[], index: number): RulePart {
  const joined = {
    violations: [] as RulePart["violations"][number][],
    excused: [] as RulePart["excused"][number][],
    notEvaluated: [] as RulePart["notEvaluated"][number][],
    applied: 0,
    open: { passed: 0, notApplicable: 0, notEvaluated: 0 },
  };
  let first = 0;
  for (const { rules, traces } of parts) {
    const { violations, excused, notEvaluated, applied, open } = rules[index]!;
    for (const one of violations) joined.violations.push(from(first, one));
    for (const one of excused) joined.excused.push(from(first, one));
    for (const one of notEvaluated) joined.notEvaluated.push(from(first, one));
    joined.applied += applied;
    joined.open.passed += open.passed;
    joined.open.notApplicable += open.notApplicable;
    joined.open.notEvaluated += open.notEvaluated;
    first += traces.length;
  }
  return { ...joined, seen: sumSeen(parts.flatMap(({ rules }) => rules[index]!.seen)) };
}

/** The traces of a part are counted on from those before it. */
function from<T extends { readonly trace: number }>(first: number, one: T): T {
  return first === 0 ? one : { ...one, trace: first + one.trace };
}

export function sumSeen(all: readonly Seen[]): readonly Seen[] {
  if (all.length < 2) return all;
  const amounts = new Map<string, number>();
  for (const { amount, noun } of all) amounts.set(noun, (amounts.get(noun) ?? 0) + amount);
  return [...amounts].map(([noun, amount]) => ({ amount, noun }));
}
