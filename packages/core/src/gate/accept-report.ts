/** The shape of `spoor.accept/1`: what could be accepted, what was, and what the gate says afterwards. */
import type { ReportHeader } from "../report/report.ts";
import type { ChangeCard } from "./change-card.ts";
import type { GateStatus } from "./gate-report.ts";

export interface AcceptReport extends ReportHeader<"spoor.accept/1"> {
  readonly agent: string;
  readonly noun: string;
  readonly cards: readonly OfferedCard[];
  /** Present when something was accepted. */
  readonly accepted?: Acceptance;
}

export interface OfferedCard extends ChangeCard {
  /** As `--card` takes it. */
  readonly number: number;
  readonly accepted: boolean;
}

/** One line of `spoor.decisions.jsonl`. */
export interface Acceptance {
  readonly schema: "spoor.acceptance/1";
  readonly at: string;
  readonly by: string;
  readonly why: string;
  readonly agent: string;
  readonly cards: readonly Pick<ChangeCard, "change" | "runs">[];
  /** Files of the baseline, with what stood in them and what stands in them now. */
  readonly recordings: readonly { readonly file: string; readonly was?: string; readonly is: string }[];
  readonly behaviours: readonly { readonly hash: string; readonly as: "variant" | "own"; readonly of?: string }[];
  readonly rules: readonly { readonly id: string; readonly file: string; readonly examples: number }[];
  /** What the gate says with all of it in place. */
  readonly gate: GateStatus;
}
