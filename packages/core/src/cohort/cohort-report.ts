/** What a comparison of two cohorts says: plain data, the same facts for every renderer. */
import type { ReportHeader } from "../report/report.ts";
import type { Aspect, SignalKind } from "./aspects.ts";
import type { LeftOut } from "./design.ts";
import type { Endings } from "./endings.ts";
import type { FirstSeenTool } from "./first-seen.ts";
import type { IllustrationWord } from "./illustrate-words.ts";
import type { Intervals } from "./intervals.ts";
import type { Item } from "./items.ts";
import type { Needed } from "./planning.ts";
import type { RankedScenario } from "./ranking.ts";
import type { Latency, RecordedTimes } from "./recording.ts";
import type { RunOrigin } from "./run.ts";
import type { Collision } from "./separate-formats.ts";
import type { CohortVerdict, Reason, Scope } from "./verdict.ts";

export interface CohortResult {
  /** The runs took place in a recorded world: how much of each side went on after leaving what was recorded. */
  readonly recordedWorld?: { readonly baseline: OffPathShare; readonly candidate: OffPathShare };
  readonly verdict: CohortVerdict;
  readonly scope: Scope;
  readonly reasons: readonly Reason[];
  /** Global p: the share of relabellings that look at least as much like a change as what was observed. */
  readonly p: number;
  readonly strongest: number;
  readonly together: number;
  /** The smallest p this design could ever give. */
  readonly reachable: number;
  readonly alpha: number;
  readonly relabellings: { readonly count: number; readonly exact: boolean; readonly seed: number };
  readonly cohort: CohortFacts;
  /** The aspects that were asked about, in the order of the report. */
  readonly aspects: readonly AspectResult[];
  /** What the agent does, taken together: many small shifts; it names no aspect. Null when fewer than two aspects were asked about. */
  readonly joint: SignalResult | null;
  /** Null with fewer than two scenarios. */
  readonly intervals: Intervals | null;
  /** Items of `intervals` that were not seen to move and may have moved by more than their tolerance, the furthest first. */
  readonly unseen: readonly string[];
  readonly firstSeen: readonly FirstSeenTool[];
  /** Runs that ended without an answer, on both sides; null when none did. */
  readonly endings: Endings | null;
  readonly scenarios: readonly RankedScenario[];
  readonly runs: readonly ReportedRun[];
  /** Shown, never tested; null when a side recorded no times. */
  readonly latency: Latency | null;
  /** What would settle it; null when it is settled or cannot be said. */
  readonly needed: Needed | null;
}

export interface CohortFacts {
  /** Scenarios with runs on both sides. */
  readonly scenarios: number;
  readonly runsBaseline: number;
  readonly runsCandidate: number;
  /** Runs of one side in one scenario. */
  readonly repeats: { readonly min: number; readonly median: number; readonly max: number };
  readonly leftOut: readonly LeftOut[];
  /** Ids that meant several things and were kept apart. */
  readonly collisions: readonly Collision[];
  readonly formats: { readonly baseline: readonly string[]; readonly candidate: readonly string[] };
  /** Null when a side has no clock. */
  readonly times: RecordedTimes | null;
  /** Runs that were given as baseline and as candidate: they agree with themselves and prove nothing. */
  readonly onBothSides: number;
  /** True when no run differs from another in anything that is tested. */
  readonly identical: boolean;
  /** False when there were too many runs per scenario to compare them pair by pair. */
  readonly comparedPairs: boolean;
}

export interface AspectResult {
  readonly aspect: Aspect;
  readonly changed: boolean;
  readonly signals: readonly SignalResult[];
  /** What moved inside a changed aspect, the most surprising first; empty otherwise. */
  readonly items: readonly Item[];
  /** For text: words that moved, chosen after the fact. */
  readonly words?: readonly IllustrationWord[];
}

export interface SignalResult {
  readonly kind: SignalKind;
  /** The feature group or distance: differs from the aspect for `style` (text) and `steps` (order). */
  readonly of: string;
  /** 1 is noise; for `novel` and `gone` a number of runs. */
  readonly ratio: number;
  /** 95 % of the relabellings stay at or below this value: the upper edge of noise. */
  readonly noise: number;
  /** Null when no relabelling moves the signal. */
  readonly p: number | null;
  readonly adjusted: number | null;
}

export interface ReportedRun {
  readonly scenario: string;
  readonly run: RunOrigin;
  readonly distance: number;
  readonly baselineDistances: readonly number[];
  readonly nearest: RunOrigin;
  readonly nearestDistance: number;
}

export interface CohortReport extends ReportHeader<"spoor.cohort/1">, CohortResult {}

export interface OffPathShare {
  readonly turns: number;
  /** Turns after the first call that was refused or served from another state. */
  readonly offPath: number;
}
