/** What the guard answers. */
import type { Violation } from "@spoor/core/internal/policy/policy";
import type { Json, JsonObject } from "@spoor/core/internal/trace/json";

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
  /**
   * The arguments with what must not stand in them taken out, where nothing else speaks against the call: it is not allowed as it is,
   * and judged again with these.
   */
  readonly redacted?: Json;
  /**
   * Tells the guard how the call ended, so that later rules can see it. Where rules judge results, the answer says what may be handed
   * on; nobody must read the result before.
   */
  settle(outcome: CallOutcome, options?: SettleOptions): ResultVerdict;
}

/** `error` with `output`: a result that reports a failure. */
export type CallOutcome = { readonly output: unknown } | { readonly error: unknown; readonly output?: unknown };

export interface SettleOptions {
  /** Ids of rules with `then: ask`, of which a person allowed that this result is read. */
  readonly approved?: readonly string[];
  /** Nobody allowed it. */
  readonly declined?: readonly Violation[];
  /** Only judges: the call has not ended yet. */
  readonly look?: true;
}

/** What may be done with a result. */
export interface ResultVerdict {
  /** Whether it may be read: as it is, or as `replaced` has it. */
  readonly allowed: boolean;
  readonly violations: readonly Violation[];
  /** What is handed on in its place, with what must not be read taken out. */
  readonly replaced?: { readonly output: unknown };
  /** A person has to be asked because of these: settle again with `approved` or `declined`. */
  readonly asks?: readonly Violation[];
  /** Where a person is asked: the result as JSON. */
  readonly output?: Json;
}

/** What only the end of a session could decide. */
export interface CloseReport {
  readonly violations: readonly Violation[];
  /** Rules that could not be judged: never to be taken for a pass. */
  readonly notEvaluated: readonly { readonly ruleId: string; readonly why: string }[];
}
