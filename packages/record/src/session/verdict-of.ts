/** From judgements to a verdict: what counts, what blocks, what is told, and what happens when the guard itself fails. */
import { messageOf } from "@spoor/core/internal/errors";
import { reaches } from "@spoor/core/internal/judgement/severity";
import type { Judgement, UnjudgedStep } from "@spoor/core/internal/policy/judged";
import type { Violation } from "@spoor/core/internal/policy/policy";
import { PolicyViolationError } from "../policy-violation-error.ts";
import { describeViolations } from "./placeholders.ts";
import type { SessionContext, Settings } from "./session-context.ts";

export const NO_VIOLATIONS: readonly Violation[] = [];

export interface Sorted {
  readonly violations: readonly Violation[];
  /** What must not happen. */
  readonly blocking: readonly Violation[];
  /** What a person has to allow. */
  readonly asking: readonly Violation[];
  /** What has to be taken out. */
  readonly redacting: readonly Violation[];
}

/** What several judgements say in the same way is said once. A rule that could not be judged is a violation like others. */
export function sortViolations(judgements: readonly Told[], settings: Settings): Sorted {
  const violations: Violation[] = [];
  for (const { violations: broken, notEvaluated } of judgements) {
    if (broken.length === 0 && notEvaluated.length === 0) continue;
    for (const violation of [...broken, ...notEvaluated.map(unjudged)])
      if (!violations.some((other) => isSame(other, violation))) violations.push(violation);
  }
  if (violations.length === 0) return NOTHING_WRONG;
  const from = settings.blockFrom ?? "minor";
  const serious = violations.filter(({ severity }) => reaches(severity, from));
  return {
    violations,
    blocking: serious.filter(({ effect }) => effect === undefined),
    asking: serious.filter(({ effect }) => effect === "ask"),
    redacting: serious.filter(({ effect }) => effect === "redact"),
  };
}

/** The same for one. */
export function sortJudgement(judgement: Told, settings: Settings): Sorted {
  if (judgement.violations.length === 0 && judgement.notEvaluated.length === 0) return NOTHING_WRONG;
  return sortViolations([judgement], settings);
}

type Told = Pick<Judgement, "violations" | "notEvaluated">;

export const NOTHING_WRONG: Sorted = {
  violations: NO_VIOLATIONS,
  blocking: NO_VIOLATIONS,
  asking: NO_VIOLATIONS,
  redacting: NO_VIOLATIONS,
};

export function report(
  { settings, id }: SessionContext,
  { violations, blocking }: Pick<Sorted, "violations" | "blocking">,
  tool?: string,
  approved?: boolean,
): void {
  if (violations.length === 0 || settings.onViolation === undefined) return;
  try {
    settings.onViolation({
      sessionId: id,
      violations,
      blocked: blocking.length > 0 && settings.mode !== "warn",
      ...(tool === undefined ? {} : { tool }),
      ...(approved === undefined ? {} : { approved }),
    });
  } catch {
    // A listener must not change what is allowed.
  }
}

/** Whatever goes wrong inside the guard is a no, unless the caller asked for the opposite. */
export function protect<T>(
  settings: Settings,
  judge: () => T,
  blocked: (violations: readonly Violation[]) => T,
  open: () => T,
  /** Told that the guard failed and refuses, and in which words. */
  failed?: (violations: readonly Violation[]) => void,
): T {
  try {
    return judge();
  } catch (error) {
    return answerFailure(settings, error, blocked, open, failed);
  }
}

/** What `protect` answers when judging threw. */
export function answerFailure<T>(
  settings: Settings,
  error: unknown,
  blocked: (violations: readonly Violation[]) => T,
  open: () => T,
  failed?: (violations: readonly Violation[]) => void,
): T {
  if (error instanceof PolicyViolationError) throw error;
  settings.onError?.(error);
  if (settings.failOpen === true) return open();
  const violations = [guardFailure(error)];
  failed?.(violations);
  if (settings.mode === "raise") throw raise(violations);
  return blocked(violations);
}

export function raise(violations: readonly Violation[], tool?: string): PolicyViolationError {
  const what = tool === undefined ? "The response" : `The call of ${tool}`;
  return new PolicyViolationError(`${what} is not allowed: ${describeViolations(violations)}`, violations);
}

function isSame(left: Violation, right: Violation): boolean {
  return left.ruleId === right.ruleId && left.subject === right.subject && left.message === right.message;
}

/** A rule that cannot be judged, as something to block on; one that only warns has nothing to block. */
function unjudged({ ruleId, why, effect }: UnjudgedStep): Violation {
  const violation = internalViolation(ruleId, "not_evaluated", `Rule ${ruleId} could not be evaluated: ${why}`);
  return effect === "warn" ? { ...violation, severity: "moderate", effect } : violation;
}

export function guardFailure(error: unknown): Violation {
  return internalViolation(
    "spoor.guard",
    "guard_failed",
    `The guard itself failed, so nothing is let through: ${messageOf(error)}`,
  );
}

function internalViolation(ruleId: string, code: string, message: string): Violation {
  return {
    ruleId,
    kind: "guard",
    severity: "severe",
    turnIndex: null,
    sessionIndex: null,
    code,
    message,
    facts: {},
    subject: code,
    evidence: {},
  };
}
