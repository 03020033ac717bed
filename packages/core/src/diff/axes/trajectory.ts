/**
 * Trajectory axis: how far the candidate's tool calls drifted from the baseline's.
 *
 * Each call becomes a token `name(sorted,keys|digest)`. A pair's divergence is the Levenshtein distance between its two
 * token lists over the longer length: 0 is identical, 1 is unrelated. A turn that only one side has stands against nothing: its
 * calls were all added or dropped. Along the alignment the axis is the mean over all turns, so that one changed call moves it;
 * pairs by position have the median of Shadow, which is blind to what happens in fewer than half of them.
 * Blind to response text (semantic.ts) and to ordering rules (policy/).
 */
import { levenshtein } from "../../stats/levenshtein.ts";
import type { Axis } from "../axis.ts";
import { EITHER_IS_CHANGE } from "../direction.ts";
import type { TurnFacts } from "../turn-facts.ts";

export const trajectoryAxis = {
  name: "trajectory",
  unit: "ratio",
  grading: "rate",
  statistic: "median",
  everyTurn: {
    statistic: "mean",
    alone: ({ calls }) => (calls.length > 0 ? 1 : 0),
  },
  largeMove: 0.5,
  meaning: EITHER_IS_CHANGE,
  words: {
    is: "tool calls",
    more: "Tool calls differ",
    less: "Tool calls agree more",
    noData: "there are no turns",
  },
  measure(pairs) {
    return {
      baseline: new Float64Array(pairs.length),
      candidate: Float64Array.from(pairs, (pair) => toolDivergence(pair.baseline, pair.candidate)),
    };
  },
} as const satisfies Axis;

/** Share of tool calls that must change to turn one response into the other, in [0, 1]. */
export function toolDivergence(baseline: TurnFacts, candidate: TurnFacts): number {
  if (baseline.callsId === candidate.callsId) return 0;
  return levenshtein(baseline.calls, candidate.calls) / Math.max(baseline.calls.length, candidate.calls.length);
}
