/** How a guard is told to behave, and what it tells. */
import type { FindingSeverity } from "@spoor/core/internal/judgement/severity";
import type { Violation } from "@spoor/core/internal/policy/policy";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";

export const guardModes = ["replace", "raise", "warn"] as const;

/**
 * What happens to something that is not allowed. `replace`: a harmless stand-in takes its place (the tool does not run);
 * `raise`: a PolicyViolationError is thrown (the tool does not run); `warn`: it goes ahead and is reported.
 */
export type GuardMode = (typeof guardModes)[number];

export interface GuardOptions {
  readonly mode?: GuardMode;
  /** Violations below this severity are reported but never block. By default every violation blocks. */
  readonly blockFrom?: FindingSeverity;
  /** Let things pass when the guard itself fails. Off: an unknown answer is a no. */
  readonly failOpen?: boolean;
  /** What a blocked tool returns in mode `replace`; by default a sentence that says why. */
  readonly toolPlaceholder?: (violations: readonly Violation[]) => unknown;
  /** What stands in for a blocked response in mode `replace`. */
  readonly responsePlaceholder?: (violations: readonly Violation[], original: JsonObject) => JsonObject;
  /** Told about every violation, blocked or not. What it throws is ignored. */
  readonly onViolation?: (event: GuardEvent) => void;
  /** Told when the guard itself failed. */
  readonly onError?: (error: unknown) => void;
  /** Every record of what was allowed to happen, as it happens: the session's trace in `.agentlog` shape. */
  readonly onRecord?: (record: TraceRecord, sessionId: string) => void;
  /** The clock; decides which exceptions of the policy still hold. Without it none does. */
  readonly now?: () => Date;
}

export interface GuardEvent {
  readonly sessionId: string;
  readonly violations: readonly Violation[];
  readonly blocked: boolean;
  /** The tool that was about to run; absent for a response. */
  readonly tool?: string;
}
