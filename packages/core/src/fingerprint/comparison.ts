/** What a comparison with a baseline says, as plain data: renderers make words of it, the gate decides on it. */
import type { Status } from "./classify.ts";
import type { DriftOutcome } from "./drift-outcome.ts";
import type { FingerprintMode } from "./mode.ts";
import type { ScoreParts } from "./score.ts";
import type { StepDifference } from "./shown-steps.ts";
import type { Signal } from "./signals/signal.ts";
import type { AlignedStep, Similarity, SimilarityWeights } from "./similarity.ts";

export interface AgentComparison {
  readonly agent: string;
  /** Null when the agent has no baseline. */
  readonly baseline: BaselineSummary | null;
  readonly runs: readonly RunComparison[];
  readonly counts: Readonly<Record<Status, number>>;
  readonly newTools: readonly ToolFinding[];
  readonly lostTools: readonly LostTool[];
  readonly lostFields: readonly LostField[];
  /** Conditions that differ between recording and now; empty when both are the same. */
  readonly differences: readonly Difference[];
  /** Conditions that both sides recorded and that are the same. */
  readonly sameConditions: readonly Difference["what"][];
  /** What the rules about drift found; absent when none were given. */
  readonly policy?: DriftOutcome;
}

export interface BaselineSummary {
  readonly runs: number;
  readonly intents: number;
  readonly families: number;
  readonly mode: FingerprintMode;
  readonly hashVersion: string;
  readonly generation: number;
  readonly weights: SimilarityWeights;
  readonly variantFrom: number;
}

export interface RunComparison {
  /** The trace's key. */
  readonly key: string;
  /** The trace's name, for people. */
  readonly run: string;
  readonly hash: string;
  readonly status: Status;
  /** Of a `structural_match`: how the steps differ from those of the closest behaviour. */
  readonly differsIn?: StepDifference;
  readonly path: string;
  readonly stepCount: number;
  /** A person looked at this hash before and turned it down. */
  readonly rejected: boolean;
  readonly closest: ClosestBehaviour | null;
  readonly signals: readonly Signal[];
  readonly notEvaluated: readonly { readonly name: string; readonly why: string }[];
  /** What the statistics behind the signals were gathered over. */
  readonly statisticsFrom: { readonly scope: "intent" | "family"; readonly runs: number } | null;
  /** For dashboards: JSON only, never printed, never a gate. */
  readonly score: { readonly total: number; readonly parts: ScoreParts };
}

export interface ClosestBehaviour {
  readonly hash: string;
  readonly name: string | null;
  readonly path: string;
  readonly runs: number;
  readonly stepCount: number;
  readonly family: { readonly id: string; readonly intents: number; readonly runs: number };
  readonly similarity: Similarity;
  /** Both paths in one list, with the model calls where these are what differs; null when they are too long to lay side by side. */
  readonly alignment: readonly AlignedStep[] | null;
}

export interface ToolFinding {
  readonly tool: string;
  readonly runs: number;
  readonly of: number;
}

/** A tool that every recorded run of a behaviour called, and runs closest to that behaviour no longer call. */
export interface LostTool extends ToolFinding {
  readonly behaviour: string | null;
  readonly path: string;
  readonly recorded: number;
  /** How often chance alone would leave the tool out of this many runs or more: Fisher's exact test, one-sided. */
  readonly chance: number;
  /** The same, corrected for all tools that were looked at (Holm). */
  readonly corrected: number;
  /** More than half of the recorded runs took one and the same path. */
  readonly fixedPath: boolean;
}

/** Whether a lost tool is more than the agent's own variety: it always took this path, or chance cannot explain it. */
export function isRealLoss(lost: LostTool): boolean {
  return lost.recorded >= ALWAYS_FROM && (lost.fixedPath || lost.corrected <= 0.05);
}

export interface LostField extends ToolFinding {
  readonly field: string;
}

export interface Difference {
  readonly what: "model" | "tools_on_offer" | "policy";
  readonly before: readonly string[];
  readonly now: readonly string[];
}

/** Below this many recorded runs "always" means little, and a missing tool is a matter for review, not a reason to block. */
const ALWAYS_FROM = 5;
