/** Exit codes of a CI job as the vectors number them. */

/** Violations block when blocking is on; warnings never do. */
export function policyExitCode(violations: number, blocking: boolean): 0 | 1 {
  return violations > 0 && blocking ? 1 : 0;
}

/** Several traces are compared alone; the worst code counts. */
export function worstExitCode(codes: readonly number[]): number {
  return codes.reduce((worst, code) => Math.max(worst, code), 0);
}

export interface CiSteps {
  readonly configExit: number;
  /** Null when no test command was configured. */
  readonly testExit: number | null;
  /** Null when the comparison produced no report. */
  readonly compareExit: number | null;
}

/** A CI job: a configuration error first, then the test command, then a missing report, then the comparison. */
export function ciExitCode(steps: CiSteps): number {
  if (steps.configExit !== 0) return steps.configExit;
  if (steps.testExit !== null && steps.testExit !== 0) return steps.testExit;
  return steps.compareExit ?? 1;
}
