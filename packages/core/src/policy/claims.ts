/**
 * What a rule says about tools and texts, apart from how it is judged: enough to tell without any trace whether two rules
 * contradict each other, or whether one can be kept at all. Each kind declares its own; a kind that declares nothing is about
 * nothing that could be contradicted.
 */
import type { Pattern } from "../text/pattern.ts";
import type { Condition } from "./condition.ts";

export interface Claims {
  /** Names of an allow-list: every other tool is forbidden. */
  readonly allows?: readonly string[];
  /** Sets of tools of each of which there must be one, or it has nothing to look at; by default all its tools are one set. */
  readonly needs?: readonly (readonly string[])[];
  readonly demands?: readonly Demand[];
  readonly limits?: readonly Limit[];
  readonly orders?: readonly Order[];
  /** Conditions on the arguments of tools; no tools means all of them. */
  readonly arguments?: readonly ArgumentClaim[];
  /** Conditions on turns besides `when`. */
  readonly triggers?: readonly Condition[];
  readonly texts?: TextClaims;
  /** Every response must end with one of these. */
  readonly stopReasons?: readonly (string | null)[];
  /** Every trace breaks it, and why. */
  readonly alwaysBroken?: AlwaysBroken;
}

export type AlwaysBroken =
  | "no_turn_allowed"
  | "no_token_allowed"
  | "no_stop_reason_allowed"
  | "every_turn_owes_another";

/** One of the tools must be called. */
export interface Demand {
  readonly tools: readonly string[];
  /** Only where it was offered. */
  readonly ifOffered?: boolean;
  /** Only after something else happened, and in a turn that `when` need not hold for. */
  readonly owed?: boolean;
}

/** Calls of these tools (none named: of all) are at most so many. */
export interface Limit {
  readonly tools: readonly string[];
  readonly most: number;
}

/** `second` is called only after `first`. */
export interface Order {
  readonly first: string;
  readonly second: string;
  /** `second` without any `first` is a violation too. */
  readonly required: boolean;
  readonly ifOffered?: boolean;
  /** How long ago `first` may be. */
  readonly within?: { readonly turns?: number; readonly seconds?: number };
  readonly firstSucceeded?: boolean;
}

export interface ArgumentClaim {
  readonly tools: readonly string[];
  readonly conditions: readonly Condition[];
}

export interface TextClaims {
  readonly demands?: readonly Needle[];
  readonly forbids?: readonly Needle[];
}

/** What a text rule searches for. */
export interface Needle {
  readonly text?: string;
  readonly pattern?: Pattern;
}
