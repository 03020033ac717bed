/**
 * The signal beside the axes. Their rows are medians and means: what happens in a few turns of many does not move them. `structure` counts
 * every turn that does something else: other calls, argument names, argument values or another end, and every turn that only one
 * side has. A turn counts once however much of it changed.
 */
import type { Severity } from "../judgement/severity.ts";
import { clopperPearson, type ShareInterval } from "../stats/clopper-pearson.ts";
import type { Direction } from "./direction.ts";
import type { TurnFacts } from "./turn-facts.ts";

export interface StructureSignal {
  /** Turns that differ: changed pairs and turns only one side has. */
  readonly changed: number;
  /** Pairs plus left-over turns of both sides. */
  readonly turns: number;
  readonly share: number;
  /** Which shares are plausible (exact 95 % interval). */
  readonly interval: ShareInterval;
  readonly severity: Severity;
  readonly direction: Direction;
}

/** What a pair of turns changed in, as far as `structure` looks. */
export type StructuralChange = "calls" | "stop_reason" | "calls_and_stop_reason" | "only_baseline" | "only_candidate";

/** The share of differing turns above which structure is moderate, and severe. */
export const structureSteps = { moderate: 0.05, severe: 0.2 } as const;

/** How a matched pair differs structurally, or undefined when it does not. */
export function structuralChange(baseline: TurnFacts, candidate: TurnFacts): StructuralChange | undefined {
  if (baseline.key === candidate.key) return undefined;
  const calls = baseline.callsId !== candidate.callsId;
  const stop = baseline.stopReason !== candidate.stopReason;
  if (calls) return stop ? "calls_and_stop_reason" : "calls";
  return stop ? "stop_reason" : undefined;
}

/** Any change is minor, above 5 % of the turns moderate, above 20 % severe. */
export function rateStructure(changed: number, turns: number): StructureSignal {
  const share = turns === 0 ? 0 : changed / turns;
  const severity =
    changed === 0
      ? "none"
      : share > structureSteps.severe
        ? "severe"
        : share > structureSteps.moderate
          ? "moderate"
          : "minor";
  return {
    changed,
    turns,
    share,
    interval: clopperPearson(changed, turns),
    severity,
    direction: severity === "none" ? "same" : "changed",
  };
}
