/**
 * What a change did to a policy: violations that are new (regressions), gone (fixes), or standing, and of those that stand
 * whether they got worse or better.
 *
 * Two violations are the same offence when rule and subject are equal and they stand in the same place: the same session for
 * whole-trace rules, aligned turns for the others (equal turn numbers when no alignment is given). Offences are matched as
 * multisets: one in the baseline never hides three in the candidate. Wording and running counts play no part.
 */
import { type Severity, severities } from "../judgement/severity.ts";
import type { Gate, GateReason } from "../report/report.ts";
import { knownWord } from "../text/known-word.ts";
import type { PolicyCheck } from "./check-policy.ts";
import { trips } from "./effect.ts";
import type { Violation } from "./policy.ts";

export interface PolicyDiff {
  readonly baselineViolations: readonly Violation[];
  readonly candidateViolations: readonly Violation[];
  /** Only in the candidate, in its order. */
  readonly regressions: readonly Violation[];
  /** Only in the baseline, in its order. */
  readonly fixes: readonly Violation[];
  /** On both sides, with a number that grew or shrank (tokens over budget, turns too many). */
  readonly worse: readonly StandingViolation[];
  readonly better: readonly StandingViolation[];
  /** How many offences stand on both sides. */
  readonly standing: number;
}

export interface StandingViolation {
  readonly baseline: Violation;
  readonly candidate: Violation;
}

export interface DiffPolicyOptions {
  /** Which turns of the two traces belong together, as `[baseline index, candidate index]`; by default equal indices. */
  readonly turnPairs?: readonly (readonly [number, number])[];
}

export function diffPolicy(baseline: PolicyCheck, candidate: PolicyCheck, options: DiffPolicyOptions = {}): PolicyDiff {
  const candidateTurnOf = options.turnPairs === undefined ? undefined : new Map(options.turnPairs);
  const inCandidate = (turn: number) => (candidateTurnOf === undefined ? turn : candidateTurnOf.get(turn));
  const waiting = new Map<string, Violation[]>();
  for (const violation of baseline.violations) {
    if (violation.restates) continue;
    const key = identity(violation, inCandidate);
    const list = waiting.get(key);
    if (list === undefined) waiting.set(key, [violation]);
    else list.push(violation);
  }
  const pairs: StandingViolation[] = [];
  for (const violation of candidate.violations) {
    if (violation.restates) continue;
    const match = waiting.get(identity(violation, sameTurn))?.shift();
    if (match !== undefined) pairs.push({ baseline: match, candidate: violation });
  }
  return {
    baselineViolations: baseline.violations,
    candidateViolations: candidate.violations,
    regressions: unmatched(candidate.violations, new Set(pairs.map((pair) => pair.candidate))),
    fixes: unmatched(baseline.violations, new Set(pairs.map((pair) => pair.baseline))),
    worse: pairs.filter((pair) => change(pair) > 0),
    better: pairs.filter((pair) => change(pair) < 0),
    standing: pairs.length,
  };
}

/** What stands on one side only; a violation that restates another goes with it. */
function unmatched(violations: readonly Violation[], standing: ReadonlySet<Violation>): Violation[] {
  const standingFormulas = new Set([...standing].map((violation) => identity(violation, sameTurn)));
  return violations.filter((violation) =>
    violation.restates ? !standingFormulas.has(identity(violation, sameTurn)) : !standing.has(violation),
  );
}

function sameTurn(turn: number): number {
  return turn;
}

/** A turn of the baseline that has no counterpart keeps a name of its own, so that nothing matches it. */
function identity(violation: Violation, turnOf: (turn: number) => number | undefined): string {
  const { ruleId, subject, turnIndex, sessionIndex } = violation;
  // A formula is broken once per session, however many turns restate it and wherever it broke.
  if (violation.kind === "ltl_formula") return JSON.stringify([ruleId, subject, "formula", sessionIndex]);
  if (turnIndex === null) return JSON.stringify([ruleId, subject, "session", sessionIndex]);
  const turn = turnOf(turnIndex);
  return JSON.stringify([ruleId, subject, turn === undefined ? `gone ${turnIndex}` : turn]);
}

function change({ baseline, candidate }: StandingViolation): number {
  return (candidate.measure ?? 0) - (baseline.measure ?? 0);
}

/** The gate over violations (of a check) or regressions (of a diff): one reason per rule that reaches the threshold. */
export function gatePolicy(violations: readonly Violation[], failOn: Severity, code = "policy"): Gate {
  knownWord(failOn, severities, "failOn");
  const reasons = new Map<string, GateReason>();
  for (const violation of violations) {
    const { ruleId, severity } = violation;
    if (trips(violation, failOn) && !reasons.has(ruleId)) reasons.set(ruleId, { code, subject: ruleId, severity });
  }
  return { failOn, tripped: reasons.size > 0, reasons: [...reasons.values()] };
}
