/**
 * The shape of `spoor.gate/1`: one verdict over everything a configuration asks for. The reports of the lenses stand in it
 * whole; `checks` is the flat list that JUnit, SARIF, CTRF and annotations are made from.
 */

import type { CohortReport } from "../cohort/cohort-report.ts";
import type { EarlyStop } from "../cohort/sequential-cohort.ts";
import type { CohortVerdict } from "../cohort/verdict.ts";
import type { AxisName } from "../diff/axes.ts";
import type { DiffReport } from "../diff/diff-report.ts";
import type { Direction } from "../diff/direction.ts";
import type { StructureSignal } from "../diff/structure.ts";
import type { ScoreReport } from "../evaluators/score-report.ts";
import type { BaselineReport } from "../fingerprint/baseline-report.ts";
import type { Status as BehaviourStatus } from "../fingerprint/classify.ts";
import type { StepDifference } from "../fingerprint/shown-steps.ts";
import type { FindingSeverity, Severity } from "../judgement/severity.ts";
import type { CheckReport } from "../policy/check-report.ts";
import type { Headline } from "../policy/rule.ts";
import type { NotEvaluated, ReportHeader } from "../report/report.ts";
import type { ChangeCard } from "./change-card.ts";

export const lenses = ["policy", "diff", "cohort", "baseline", "trajectory"] as const;
export type Lens = (typeof lenses)[number];

/** `not_evaluated` beats `blocked`: without an answer there is no verdict. */
export type GateStatus = "passed" | "warned" | "blocked" | "not_evaluated";

/** One verdict over several lenses, with the report of each inside. */
export interface GateReport extends GateVerdict {
  /** The whole reports, for whoever wants more than the table. */
  readonly reports: LensReports;
}

export interface LensReports {
  readonly diff?: DiffReport;
  readonly policy?: CheckReport;
  readonly baseline?: BaselineReport;
  readonly trajectory?: ScoreReport;
  readonly cohort?: CohortReport;
  /** Instead of the cohort's report, when the runs were stopped early. */
  readonly earlyStop?: EarlyStop;
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
  /** What changed, in few pieces that a person can accept or turn down. */
  readonly cards: readonly ChangeCard[];
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
  /** What the row says, as numbers. */
  readonly facts: LensFacts;
  /** Where it begins. */
  readonly begins?: CheckPlace;
}

export type LensFacts =
  | {
      readonly code: "policy";
      readonly rules: number;
      /** Distinct violations, by severity. */
      readonly violations: { readonly [S in FindingSeverity]: number };
      /** Pairs of a rule and a trace without an answer. */
      readonly notEvaluated: number;
      /** Rules that found nothing to look at: neither kept nor broken. */
      readonly idle: number;
      /** Violations that the baseline does not have; only when these alone count. */
      readonly newViolations?: number;
    }
  | { readonly code: "diff"; readonly structure: StructureSignal }
  | { readonly code: "nothing_to_compare" }
  | { readonly code: "cohort"; readonly verdict: CohortVerdict }
  /** A change was certain after this many pairs of runs. */
  | { readonly code: "stopped_early"; readonly pairs: number; readonly plannedPairs: number }
  | { readonly code: "baseline"; readonly runs: number; readonly unknown: number; readonly variants: number }
  | {
      readonly code: "trajectory";
      readonly scores: number;
      readonly passed: number;
      /** The lowest score that does not pass, and the evaluator that pulls it down most. */
      readonly worst?: {
        readonly evaluator?: string;
        readonly score: number;
        readonly passLine: number;
        /** The trace reaches the line and fails all the same. */
        readonly ruledOut?: true;
      };
    };

export type CheckStatus = "passed" | "warned" | "failed" | "not_evaluated" | "idle";

/** One question the gate asked, and its answer. */
export interface GateCheck {
  readonly lens: Lens;
  /** A rule id, an axis, an evaluator, a behaviour. */
  readonly name: string;
  readonly status: CheckStatus;
  /** What was asked and what the answer rests on; its `code` is stable. */
  readonly fact: CheckFact;
  /** Where in the traces. */
  readonly places: readonly CheckPlace[];
  /** Where the rule stands. */
  readonly rule?: { readonly file: string; readonly line?: number; readonly column?: number };
}

export type CheckFact =
  | { readonly code: "rule_holds"; readonly explanation: string }
  | { readonly code: "rule_idle"; readonly explanation: string }
  | { readonly code: "rule_broken"; readonly headline: Headline; readonly traces: number; readonly of: number }
  | { readonly code: "rule_not_evaluated"; readonly why: string }
  | { readonly code: "structure"; readonly changed: number; readonly turns: number }
  /** Tools that no run of the baseline called. */
  | { readonly code: "new_tools"; readonly tools: readonly { readonly tool: string; readonly effect: boolean }[] }
  | {
      readonly code: "axis";
      readonly axis: AxisName;
      readonly severity: Severity;
      readonly direction: Direction;
      /** Why there are no numbers; absent when there are. */
      readonly missing?: NotEvaluated;
    }
  | { readonly code: "cohort_verdict"; readonly verdict: CohortVerdict }
  | { readonly code: "stopped_early"; readonly pairs: number; readonly plannedPairs: number }
  | { readonly code: "cohort_aspect"; readonly aspect: string; readonly changed: boolean }
  | {
      readonly code: "behaviour";
      readonly status: BehaviourStatus;
      readonly rejected: boolean;
      /** Of a `structural_match`: how the steps differ. */
      readonly differsIn?: StepDifference;
      readonly path: string;
      /** How often the closest known behaviour was recorded; absent when there is none. */
      readonly closestRuns?: number;
    }
  | {
      readonly code: "score";
      readonly evaluator: string;
      readonly score: number;
      readonly traceScore: number;
      readonly passLine: number;
      /** The trace reaches the line, and this evaluator rules it out. */
      readonly ruledOut?: true;
    };

export interface CheckPlace {
  /** The trace's name, for people. */
  readonly trace: string;
  readonly key: string;
  readonly path?: string;
  /** The trace's name inside a file that holds several. */
  readonly entry?: string;
  readonly turnIndex?: number;
  /** The turn is one that only the baseline has. */
  readonly side?: "baseline";
  /** A fingerprint, for behaviours. */
  readonly fingerprint?: string;
  /** A violation's own message. */
  readonly detail?: string;
}
