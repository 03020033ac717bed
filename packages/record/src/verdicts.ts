/** What the guard answers. */
import type { Violation } from "@spoor/core/internal/policy/policy";
import type { JsonObject } from "@spoor/core/internal/trace/json";

export interface TurnVerdict {
  readonly allowed: boolean;
  /** The response to hand on: the original, or what stands in for it. */
  readonly response: JsonObject;
  readonly violations: readonly Violation[];
}

export interface CallVerdict {
  readonly allowed: boolean;
  readonly violations: readonly Violation[];
  /**
   * A person has to be asked because of these, and nothing else speaks against the call: it is not allowed until it is judged again
   * with their rules as `approved`.
   */
  readonly asks?: readonly Violation[];
  /** Tells the guard how the call ended, so that later rules can see it. */
  settle(outcome: CallOutcome): void;
}

export type CallOutcome = { readonly output: unknown } | { readonly error: unknown };

/** What only the end of a session could decide. */
export interface CloseReport {
  readonly violations: readonly Violation[];
  /** Rules that could not be judged: never to be taken for a pass. */
  readonly notEvaluated: readonly { readonly ruleId: string; readonly why: string }[];
}
