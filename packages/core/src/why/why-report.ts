/** The shape of `spoor.why/1`: which of the changed inputs moves the behaviour, as far as runs show it. */
import type { CohortVerdict, ReasonCode } from "../cohort/verdict.ts";
import type { FirstInput } from "../diff/input-difference.ts";
import type { ReportHeader } from "../report/report.ts";
import type { ChangedInput, NotExchanged } from "./changed-input.ts";

export type WhyReport = ReportHeader<"spoor.why/1"> & WhyResult;

export interface WhyResult {
  readonly outcome: WhyOutcome;
  /** At most this often an input without any effect is named, over all tests together. */
  readonly errorRate: number;
  readonly seed: number;
  readonly changedInputs: readonly ChangedInput[];
  readonly notExchanged: readonly NotExchanged[];
  /** The base against the candidate, before anything is exchanged; absent when nothing was run. */
  readonly whole?: WholeTest;
  readonly configurations: readonly TriedConfiguration[];
  readonly named: readonly NamedInputs[];
  readonly runs: RunCounts;
  /** Recorded sides only: what first differed going in, runs that parted after the same difference together. */
  readonly firstInputs?: readonly FirstInputs[];
}

/**
 * `named`: inputs are. `unchanged`: nothing to explain. `not_enough_runs`: whether it changed is not known. `no_inputs`: it changed, and no
 * recorded input did. `not_in_inputs`: exchanging all of them moves nothing that was seen. `not_found`: it could not be told which,
 * because something was not tried. `not_run`: two recorded sides were read, and nothing was run.
 */
export type WhyOutcome =
  | "named"
  | "unchanged"
  | "not_enough_runs"
  | "no_inputs"
  | "not_in_inputs"
  | "not_found"
  | "not_run";

export interface WholeTest {
  readonly verdict: CohortVerdict;
  readonly p: number;
  readonly reasons: readonly ReasonCode[];
}

/** The candidate with some inputs as the baseline has them. */
export interface Configuration {
  /** Inputs that are exchanged; none is the candidate itself. */
  readonly reverted: readonly string[];
  /** `base`: the other program, as it is. */
  readonly program: "base" | "candidate";
}

export interface TriedConfiguration extends Configuration {
  /** `tested` with an answer. `not_exchanged`: its runs were not given what it says. `budget`: not run. `too_few_runs`: no answer possible. */
  readonly status: "tested" | "not_exchanged" | "budget" | "too_few_runs";
  readonly runs: number;
  /** Against the candidate: does exchanging these move it? */
  readonly p?: number;
  /** Corrected for all tests of the search. */
  readonly adjusted?: number;
  readonly moves?: boolean;
  /** Of one that moves, against the base, uncorrected: what is left of the change. */
  readonly baseP?: number;
}

/** `alone`: exchanging it moves the behaviour. `together`: exchanging these does, and no part of them was shown to. */
export interface NamedInputs {
  readonly kind: "alone" | "together";
  readonly inputs: readonly string[];
  readonly adjusted: number;
  /** Whether the behaviour no longer differs from the base's when only these are exchanged. */
  readonly restores: boolean;
}

export interface RunCounts {
  readonly perConfiguration: number;
  readonly made: number;
  /** What the search could need at worst, or is allowed. */
  readonly atMost: number;
}

export interface FirstInputs {
  readonly goingIn: FirstInput;
  /** Names of the runs. */
  readonly runs: readonly string[];
}
