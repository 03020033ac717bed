/**
 * What a pull request changed, as few cards: runs that do the same thing otherwise stand on one. A card is what a person accepts or
 * turns down as a whole, so it gathers what every lens says about its runs.
 */
import type { ChangedArgument } from "../diff/run-change.ts";
import type { FindingSeverity } from "../judgement/severity.ts";
import type { Headline } from "../policy/rule.ts";

export interface ChangeCard {
  readonly change: CardChange;
  readonly runs: readonly CardRun[];
  /** Rules that runs of this card break and that count, those that block first. */
  readonly rules: readonly CardRule[];
  /** Paths that the baseline does not know. */
  readonly behaviours: readonly CardBehaviour[];
  /** Whether the gate blocks because of one of its runs. */
  readonly blocks: boolean;
}

/** The kind of change that the runs of a card have in common. */
export type CardChange =
  | { readonly code: "calls"; readonly dropped: readonly string[]; readonly added: readonly string[] }
  | { readonly code: "order" }
  | { readonly code: "arguments"; readonly arguments: readonly ChangedArgument[] }
  | { readonly code: "stop_reason" }
  | { readonly code: "turns" }
  /** A run that the baseline has none of. */
  | { readonly code: "new_run" }
  /** Nothing is known to have changed, but rules are broken. */
  | { readonly code: "rules"; readonly rules: readonly string[] }
  | { readonly code: "path"; readonly hash: string };

/** Whether the baseline's recordings differ from what the runs of a card do. */
export function changesRecordings({ code }: CardChange): boolean {
  return code !== "rules" && code !== "path";
}

export interface CardRun {
  readonly key: string;
  readonly name: string;
  readonly candidate?: CardFile;
  /** The run it is compared with. */
  readonly baseline?: CardFile;
  /** What it is matched by; repeats of a scenario share it. */
  readonly task?: string;
  /** Where it first does something else, in the candidate. */
  readonly turnIndex?: number;
  /** The first turn, from 0, after it had left the recorded world it was played in. */
  readonly offPathFrom?: number;
}

export interface CardFile {
  readonly path: string;
  readonly entry?: string;
}

export interface CardRule {
  readonly id: string;
  readonly headline: Headline;
  readonly severity: FindingSeverity;
  readonly blocks: boolean;
  readonly runs: number;
  readonly at?: { readonly file: string; readonly line?: number };
}

export interface CardBehaviour {
  readonly agent: string;
  readonly hash: string;
  readonly path: string;
  /** A person looked at it before and turned it down. */
  readonly rejected?: true;
  /** The known behaviour that comes closest. */
  readonly closest?: { readonly hash: string; readonly name?: string; readonly steps?: readonly CardStep[] };
  readonly runs: number;
}

/** A step of a known path and of the one taken now, or of one of them alone. */
export interface CardStep {
  readonly step: string;
  readonly side: "both" | "known" | "now";
}
