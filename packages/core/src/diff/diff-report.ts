/** The shape of `spoor.diff/1`: everything a renderer, a gate or another program needs to know about a comparison. */
import type { CohortResult } from "../cohort/cohort-report.ts";
import type { ReportHeader } from "../report/report.ts";
import type { PowerStatement } from "../stats/power.ts";
import type { TraceRef } from "../trace/trace-name.ts";
import type { AlignmentMethod } from "./align/alignment.ts";
import type { ArgumentValues } from "./argument-values.ts";
import type { AxisRow } from "./axis-row.ts";
import type { DiffVerdict } from "./diff-verdict.ts";
import type { KindCounts, PlacedDivergence, TracedDivergence } from "./divergence.ts";
import type { PairScore } from "./drill-down.ts";
import type { GoingIn } from "./going-in.ts";
import type { JudgeSummary } from "./judge-summary.ts";
import type { DiffLayers } from "./layers/layers.ts";
import type { NewTool } from "./new-tools.ts";
import type { Pairing, TurnChange } from "./pair-turns.ts";
import type { PolicyDiff } from "./policy-slot.ts";
import type { Recommendation } from "./recommendations.ts";
import type { Reordering } from "./reordering.ts";
import type { RunChange } from "./run-change.ts";
import type { SessionDistance } from "./session-distance.ts";
import type { StructureSignal } from "./structure.ts";
import type { Timeline } from "./timeline.ts";
import type { ToolFlow } from "./tool-flow.ts";

export type DiffReport = ReportHeader<"spoor.diff/1"> & DiffResult;

export interface DiffResult {
  readonly verdict: DiffVerdict;
  /** What one trace is called in sentences: "trace", "ticket". */
  readonly noun: string;
  readonly pairing: Pairing;
  readonly seed: number | string;
  /** How traces of the two sides were matched, and which were not. */
  readonly matching: TraceMatching;
  readonly pairCount: number;
  /** Turns without a partner. */
  readonly leftOver: { readonly baseline: number; readonly candidate: number };
  readonly power: PowerStatement;
  readonly rows: readonly AxisRow[];
  readonly structure: StructureSignal;
  /** Tools that no run of the baseline called, those with effects first. */
  readonly newTools: readonly NewTool[];
  /** Divergences of all pairs of traces by kind. */
  readonly divergenceKinds: KindCounts;
  /** One entry per pair of traces. */
  readonly traces: readonly TracePairResult[];
  /** Where the two sides part, in the first pair of traces that does something else; words alone only when nothing else changed. */
  readonly firstDivergence: (PlacedDivergence & TracedDivergence) | null;
  readonly recommendations: readonly Recommendation[];
  readonly drillDown: readonly PlacedPairScore[];
  readonly goingIn: GoingIn;
  readonly policy?: PolicyDiff;
  readonly layers?: DiffLayers;
  /** Which tool follows which in all runs, and what arguments are called with; where somebody asked for an overview. */
  readonly flow?: ToolFlow;
  readonly argumentValues?: ArgumentValues;
  /** What the judge said, when one was asked. */
  readonly judge?: JudgeSummary;
  /** All runs together: changed, or noise? Absent where they are too few to tell. Of its runs and scenarios the first ten are listed. */
  readonly cohort?: CohortResult;
}

export interface TraceMatching {
  /** `pair`: one trace a side. Otherwise what the two sides were matched by. */
  readonly by: "pair" | "scenario" | "file_name" | "trace_id" | "task_variant";
  readonly pairs: number;
  readonly onlyBaseline: readonly UnmatchedTrace[];
  readonly onlyCandidate: readonly UnmatchedTrace[];
}

/** A trace without a partner; others of its task may have one. */
export interface UnmatchedTrace extends TraceRef {
  readonly path?: string;
  readonly entry?: string;
  /** What it would have been matched by, as in `TracePairResult`. */
  readonly task?: string;
}

export interface TracePairResult {
  /** What people call the pair: the candidate's name. */
  readonly name: string;
  /** What the two were matched by, where that may hold for several runs: the scenario, the file's name, an id. */
  readonly task?: string;
  /** What the user asked for first. */
  readonly ask?: string;
  readonly baseline: TraceSide;
  readonly candidate: TraceSide;
  readonly pairCount: number;
  readonly alignment: AlignmentMethod;
  /** Every turn that does something else. */
  readonly changes: readonly TurnChange[];
  /** What the whole run does otherwise; absent when every turn does the same. */
  readonly change?: RunChange;
  /** Where this pair parts: the first turn that does something else, not the first that is worded otherwise. */
  readonly firstDivergence: TracedDivergence | null;
  /** Another answer before that, in a turn that does the same. */
  readonly rewordedBefore?: TracedDivergence;
  /** The whole run makes the same calls in another order. */
  readonly reordered?: Reordering;
  /** Those that matter most, the worst first (five unless asked otherwise). */
  readonly divergences: readonly TracedDivergence[];
  readonly divergenceCount: number;
  readonly divergenceKinds: KindCounts;
  readonly sessionDistance: SessionDistance;
  /** Both sides side by side; for the traces that changed most. */
  readonly timeline?: Timeline;
}

export interface TraceSide extends TraceRef {
  readonly id: string;
  readonly path?: string;
  readonly entry?: string;
  readonly turns: number;
  /** The first turn, from 0, after a replay had left what was recorded. */
  readonly offPathFrom?: number;
}

export interface PlacedPairScore extends PairScore {
  readonly traceIndex: number;
  readonly baselineTurn: number;
  readonly candidateTurn: number;
}
