import type { Violation } from "@spoor/core/internal/policy/policy";

/** Thrown in mode `raise`: what was about to happen is not allowed, and did not happen. */
export class PolicyViolationError extends Error {
  override readonly name = "PolicyViolationError";
  readonly code = "policy.violation";
  readonly violations: readonly Violation[];

  constructor(message: string, violations: readonly Violation[]) {
    super(message);
    this.violations = violations;
  }
}
