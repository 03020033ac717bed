/** The shape of `spoor.accept/1`: what could be decided, what was, and what the gate says afterwards. */
import type { ReportHeader } from "../report/report.ts";
import type { ChangeCard } from "./change-card.ts";
import type { GateStatus } from "./gate-report.ts";

export interface AcceptReport extends ReportHeader<"spoor.accept/1"> {
  readonly agent: string;
  readonly noun: string;
  readonly cards: readonly OfferedCard[];
  /** Present when something was decided. */
  readonly decided?: DecidedCards;
}

export interface OfferedCard extends ChangeCard {
  /** As `--card` takes it. */
  readonly number: number;
  readonly decision?: CardDecision;
}

/** `accept_own`: its path becomes a behaviour of its own, not a variant of the closest one. */
export type CardDecision = "accept" | "accept_own" | "reject";

export interface DecidedCards {
  readonly accepted?: Acceptance;
  readonly rejected?: Rejection;
  /** Every file that was written or removed, as the working folder sees it. */
  readonly files: readonly string[];
  /** What the gate says with all of it in place. */
  readonly gate: GateStatus;
}

/** One line of `spoor.decisions.jsonl`. */
export type DecisionLine = Acceptance | Rejection;

interface DecisionHead {
  readonly at: string;
  readonly by: string;
  readonly why: string;
  readonly agent: string;
  readonly cards: readonly Pick<ChangeCard, "change" | "runs">[];
}

export interface Acceptance extends DecisionHead {
  readonly schema: "spoor.acceptance/1";
  /** Files of the baseline, with what stood in them and what stands in them now; without `is` the file is gone. */
  readonly recordings: readonly { readonly file: string; readonly was?: string; readonly is?: string }[];
  /** Further runs of these scenarios that the baseline keeps. */
  readonly stay: number;
  readonly behaviours: readonly { readonly hash: string; readonly as: "variant" | "own"; readonly of?: string }[];
  readonly rules: readonly { readonly id: string; readonly file: string; readonly examples: number }[];
}

export interface Rejection extends DecisionHead {
  readonly schema: "spoor.rejection/1";
  /** Runs that were turned down: their file with its content, and that of the run they should have been like. */
  readonly recordings: readonly { readonly file: string; readonly was?: string; readonly is?: string }[];
  /** Paths that the baseline remembers as turned down. */
  readonly behaviours: readonly { readonly hash: string }[];
  /** Cases that fail until the agent does as before. */
  readonly cases: readonly { readonly id: string; readonly file: string; readonly run: string }[];
  /** Runs that no case can be made of. */
  readonly without: readonly { readonly run: string; readonly why: string }[];
}
