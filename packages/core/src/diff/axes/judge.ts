/**
 * Judge axis: a score in [0, 1] that a judge of the caller's choice (a model, a person, a heuristic) gives each candidate answer;
 * 1 is as good as the baseline. Sees what the judge sees. Empty when no judge was given, and the report says so.
 */
import type { Axis } from "../axis.ts";
import { LESS_IS_WORSE } from "../direction.ts";

export const judgeAxis = {
  name: "judge",
  unit: "ratio",
  grading: "judge",
  statistic: "median",
  largeMove: 0.5,
  meaning: LESS_IS_WORSE,
  words: {
    is: "a judge's score",
    more: "The judge's score is higher",
    less: "The judge's score is lower",
    noData: "no judge is configured",
    onRequest: true,
  },
  measure(pairs, { judge }) {
    const scores = pairs.map((pair) => judge?.(pair.baseline.turn, pair.candidate.turn) ?? Number.NaN);
    return { baseline: new Float64Array(pairs.length).fill(1), candidate: Float64Array.from(scores) };
  },
} as const satisfies Axis;
