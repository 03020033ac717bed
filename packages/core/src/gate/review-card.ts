/** A card as a person looks at it: what its runs did, call by call, and what each decision would write. */
import type { Timeline } from "../diff/timeline.ts";
import type { CardDecision } from "./accept-report.ts";
import type { CardStep, ChangeCard } from "./change-card.ts";

export interface ReviewCard extends ChangeCard {
  /** As `--card` takes it. */
  readonly number: number;
  readonly writes: Readonly<Record<Exclude<CardDecision, "accept_own">, WritePreview>>;
  /** Where rules are all that stands against its runs, accepting it takes them out or does nothing. */
  readonly onlyRules: boolean;
}

/** What a decision would write, or why it cannot be taken. */
export type WritePreview =
  | { readonly files: readonly WrittenFile[]; readonly stay?: number }
  | { readonly refused: string };

export interface WrittenFile {
  readonly file: string;
  readonly change: "added" | "changed" | "removed";
}

/** One run of a card beside the one it is compared with. */
export interface ReviewRun {
  readonly name: string;
  readonly path?: string;
  readonly turnIndex?: number;
  /** Both tool paths; `known` is what the known one is called. */
  readonly known?: string;
  readonly steps?: readonly CardStep[];
  readonly timeline?: Timeline;
}
