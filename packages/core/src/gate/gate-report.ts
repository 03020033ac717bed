/**
 * The shape of `spoor.gate/1`: one verdict over everything a configuration asks for. The reports of the lenses stand in it
 * whole; `checks` is the flat list that JUnit, SARIF, CTRF and annotations are made from.
 */

import type { CohortReport } from "../cohort/cohort-report.ts";
import type { DiffReport } from "../diff/diff-report.ts";
import type { ScoreReport } from "../evaluators/score-report.ts";
import type { BaselineReport } from "../fingerprint/baseline-report.ts";
import type { CheckReport } from "../policy/check-report.ts";
import type { ReportHeader } from "../report/report.ts";

export const lenses = ["policy", "diff", "cohort", "baseline", "trajectory"] as const;
export type Lens = (typeof lenses)[number];

/** `not_evaluated` beats `blocked`: without an answer there is no verdict. */
export type GateStatus = "passed" | "warned" | "blocked" | "not_evaluated";

/** One verdict over several lenses, with the report of each inside. */
export interface GateReport extends GateVerdict {
  /** The whole reports, for whoever wants more than the table. */
  readonly reports: {
    readonly diff?: DiffReport;
    readonly policy?: CheckReport;
    readonly baseline?: BaselineReport;
    readonly trajectory?: ScoreReport;
    readonly cohort?: CohortReport;
  };
}

/** What the gate itself says. */
export interface GateVerdict extends ReportHeader<"spoor.gate/1"> {
  readonly agent: string;
  /** What one run is called in sentences. */
  readonly noun: string;
  readonly mode: "warn" | "block";
  readonly status: GateStatus;
  /** The lens whose sentence stands first: the most serious one that is not a pass; null when nothing was evaluated. */
  readonly lead: Lens | null;
  readonly lenses: readonly LensResult[];
  readonly checks: readonly GateCheck[];
  readonly seed: number;
  /** Names of the two sides, when the CI system tells them: branch and commit. */
  readonly sides?: { readonly baseline?: SideName; readonly candidate?: SideName };
}

export interface SideName {
  readonly branch?: string;
  readonly commit?: string;
}

/** One row of the gate's table. */
export interface LensResult {
  readonly lens: Lens;
  readonly status: CheckStatus;
  /** In few words: "2 violations, 1 warning". */
  readonly summary: string;
  /** Where it begins. */
  readonly begins?: CheckPlace;
}

export type CheckStatus = "passed" | "warned" | "failed" | "not_evaluated";

/** One question the gate asked, and its answer. */
export interface GateCheck {
  readonly lens: Lens;
  /** A rule id, an axis, an evaluator, a behaviour. */
  readonly name: string;
  readonly status: CheckStatus;
  /** One sentence. */
  readonly message: string;
  /** Where in the traces. */
  readonly places: readonly CheckPlace[];
  /** Where the rule stands. */
  readonly rule?: { readonly file: string; readonly line?: number; readonly column?: number };
}

export interface CheckPlace {
  /** The trace's name, for people. */
  readonly trace: string;
  readonly key: string;
  readonly path?: string;
  /** The trace's name inside a file that holds several. */
  readonly entry?: string;
  readonly turnIndex?: number;
  /** A fingerprint, for behaviours. */
  readonly fingerprint?: string;
  readonly detail?: string;
}
