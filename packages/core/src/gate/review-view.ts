/** What a person is shown to decide about, as a page has it: one card per group of changes that may be accepted or rejected together. */
import type { ComparisonView } from "./comparison-view.ts";
import type { GateStatus } from "./gate-report.ts";

export interface ReviewView {
  /** Of what was looked at: a decision about anything else is refused. */
  readonly stamp: string;
  readonly headline: string;
  readonly status: GateStatus;
  readonly cards: readonly ReviewCard[];
  /** Why nothing can be decided. */
  readonly closed?: string;
  readonly view?: ComparisonView;
}

export interface ReviewCard {
  readonly number: number;
  readonly title: string;
  readonly runs: number;
  readonly blocks: boolean;
  /** Whether its path may become a behaviour of its own. */
  readonly own: boolean;
  /** Rules that go on blocking unless they are taken out. */
  readonly rules: readonly string[];
  readonly onlyRules: boolean;
  /** What each decision would write. */
  readonly accept: string;
  readonly reject: string;
  /** Accepting it is not possible; `accept` says why. */
  readonly refused: boolean;
}
