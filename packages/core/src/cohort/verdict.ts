/**
 * Three words, and why. `changed` needs evidence of a change, `unchanged` evidence of its absence; everything else is
 * `not_enough_evidence`, which is neither a pass nor a failure.
 */
import type { Design } from "./design.ts";
import type { Interval, Intervals } from "./intervals.ts";

const verdicts = ["changed", "unchanged", "not_enough_evidence"] as const;
export type CohortVerdict = (typeof verdicts)[number];

/**
 * How far `unchanged` reaches: into every scenario when each has repeats, otherwise only on average over scenarios, where
 * a change confined to single scenarios cannot be excluded.
 */
export type Scope = "per_scenario" | "on_average";

export type ReasonCode = "no_common_scenario" | "single_scenario" | "too_few_relabellings" | "intervals_too_wide";

/** Why there is not enough evidence. */
export interface Reason {
  readonly code: ReasonCode;
  /** For `intervals_too_wide`: the interval that exceeds its tolerance the most. */
  readonly item?: string;
}

export interface VerdictInput {
  readonly design: Design;
  readonly p: number;
  readonly reachable: number;
  readonly alpha: number;
  readonly intervals: Intervals | undefined;
}

export function decideVerdict(input: VerdictInput): { verdict: CohortVerdict; reasons: Reason[] } {
  const { design, p, reachable, alpha, intervals } = input;
  // Whether runs end at all is known also of scenarios in which one side never answered.
  if (p <= alpha) return { verdict: "changed", reasons: [] };
  if (design.scenarios.length === 0)
    return { verdict: "not_enough_evidence", reasons: [{ code: "no_common_scenario" }] };
  const widest = intervals === undefined ? undefined : widestInterval(intervals.items);
  if (intervals !== undefined && widest === undefined) return { verdict: "unchanged", reasons: [] };
  const reasons: Reason[] = [];
  if (design.scenarios.length === 1) reasons.push({ code: "single_scenario" });
  if (reachable > alpha) reasons.push({ code: "too_few_relabellings" });
  if (widest !== undefined) reasons.push({ code: "intervals_too_wide", item: widest.item });
  return { verdict: "not_enough_evidence", reasons };
}

export function scopeOf(design: Design): Scope {
  return design.scenarios.every(({ start, end }) => end - start > 2) ? "per_scenario" : "on_average";
}

/** Among the intervals that leave their tolerance, the one that does so by the largest multiple of it. */
export function widestInterval(items: readonly Interval[]): Interval | undefined {
  let widest: Interval | undefined;
  for (const item of items) if (!item.inside && (widest === undefined || excess(item) > excess(widest))) widest = item;
  return widest;
}

function excess({ low, high, alone, tolerance }: Interval): number {
  return Math.max(-low, high, -alone.low, alone.high) / tolerance;
}
