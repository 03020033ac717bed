/** What to look at first, from typed facts: cross-axis patterns, then one entry per divergence, then the worst axis. */
import { reaches } from "../judgement/severity.ts";
import type { AxisName } from "./axes.ts";
import type { AxisRow } from "./axis-row.ts";
import type { Divergence, PlacedDivergence } from "./divergence.ts";

export interface Recommendation {
  readonly severity: "error" | "warning" | "info";
  readonly action: "restore" | "remove" | "revert" | "review" | "verify" | "root_cause";
  readonly axis: AxisName;
  readonly confidence: number;
  readonly baselineTurn: number;
  readonly candidateTurn: number;
  /** Position of the pair of traces; absent when all of them are meant. */
  readonly traceIndex?: number;
  /** The cause that several axes point to together. */
  readonly pattern?: Pattern;
  /** The divergence it stands for. */
  readonly reason?: Divergence["reason"]["code"];
}

const patterns = [
  "model_swap",
  "prompt_drift",
  "refusal_escalation",
  "tool_schema_migration",
  "hallucination_cluster",
  "context_overflow",
  "retry_loop",
  "cache_mismatch",
  "prompt_injection",
  "latency_without_cost",
] as const;
export type Pattern = (typeof patterns)[number];

const MAX_RECOMMENDATIONS = 8;
const RANK = { error: 2, warning: 1, info: 0 } as const;

export function recommend(rows: readonly AxisRow[], divergences: readonly PlacedDivergence[]): Recommendation[] {
  const found = [...findPatterns(rows), ...divergences.map(adviseOn)];
  const worst = rows.findLast((row) => row.severity === "severe");
  if (worst !== undefined && !found.some((entry) => entry.severity === "error")) {
    found.push({ severity: "error", action: "review", axis: worst.axis, confidence: 0.8, ...AT_START });
  }
  return found
    .sort(
      (one, other) =>
        RANK[other.severity] - RANK[one.severity] ||
        other.confidence - one.confidence ||
        one.baselineTurn - other.baselineTurn,
    )
    .slice(0, MAX_RECOMMENDATIONS);
}

const AT_START = { baselineTurn: 0, candidateTurn: 0 };

/** What it usually means when certain axes move together. */
function findPatterns(rows: readonly AxisRow[]): Recommendation[] {
  const row = (axis: AxisName) => rows.find((one) => one.axis === axis)!;
  const moved = (axis: AxisName) => reaches(row(axis).severity, "moderate");
  const severe = (axis: AxisName) => row(axis).severity === "severe" && isHabit(row(axis));
  const rises = (axis: AxisName) => row(axis).delta > 0;
  const found: Recommendation[] = [];
  const add = (
    applies: boolean,
    pattern: Pattern,
    severity: "error" | "warning",
    axis: AxisName,
    confidence: number,
  ) => {
    if (applies) found.push({ severity, action: "root_cause", axis, confidence, ...AT_START, pattern });
  };
  const modelSwap = moved("cost") && moved("latency") && moved("semantic");
  const migration = severe("trajectory") && moved("reasoning");
  const dearer = severe("cost") && rises("cost");
  add(modelSwap, "model_swap", "error", "cost", 0.85);
  add(moved("semantic") && moved("verbosity") && !modelSwap, "prompt_drift", "warning", "semantic", 0.7);
  add(severe("safety") && rises("safety"), "refusal_escalation", "error", "safety", 0.8);
  add(migration, "tool_schema_migration", "error", "trajectory", 0.78);
  add(moved("semantic") && moved("judge"), "hallucination_cluster", "error", "judge", 0.82);
  add(dearer && moved("reasoning") && !modelSwap, "context_overflow", "error", "cost", 0.72);
  add(
    severe("trajectory") && moved("latency") && rises("latency") && !migration,
    "retry_loop",
    "error",
    "trajectory",
    0.7,
  );
  add(dearer && !moved("latency") && !moved("semantic"), "cache_mismatch", "error", "cost", 0.68);
  add(severe("trajectory") && moved("safety") && row("safety").delta < 0, "prompt_injection", "error", "safety", 0.75);
  add(
    severe("latency") && rises("latency") && !moved("cost") && !moved("semantic"),
    "latency_without_cost",
    "warning",
    "latency",
    0.65,
  );
  return found;
}

/** A pattern is about most of the run: what a few turns do moves a mean of the calls, and says nothing about a cause. */
function isHabit({ axis, statistic, candidate }: AxisRow): boolean {
  return axis !== "trajectory" || statistic === "median" || candidate >= 0.5;
}

function adviseOn(divergence: PlacedDivergence): Recommendation {
  const { axis, confidence, baselineTurn, candidateTurn, traceIndex, reason } = divergence;
  return { ...weigh(divergence), axis, confidence, baselineTurn, candidateTurn, traceIndex, reason: reason.code };
}

function weigh({ reason, kind }: Divergence): Pick<Recommendation, "severity" | "action"> {
  switch (reason.code) {
    case "turn_dropped":
      return { severity: "error", action: "restore" };
    case "calls_changed":
      return { severity: "error", action: reason.added.length === 0 ? "restore" : "review" };
    case "call_count_changed":
      return { severity: "error", action: reason.candidate > reason.baseline ? "remove" : "review" };
    case "turn_inserted":
    case "calls_reordered":
      return { severity: "error", action: "review" };
    case "stop_reason_changed": {
      const filtered = reason.baseline === "content_filter" || reason.candidate === "content_filter";
      return { severity: filtered ? "error" : "warning", action: "review" };
    }
    case "argument_changed":
      return { severity: "warning", action: "revert" };
    case "text_changed":
      return kind === "style" ? { severity: "info", action: "verify" } : { severity: "warning", action: "review" };
  }
}
