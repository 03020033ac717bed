/**
 * Judge axis: a score in [0, 1] that a judge of the caller's choice (a model, a person, a heuristic) gives each candidate answer;
 * 1 is as good as the baseline. Sees what the judge sees. Empty when no judge was given, and the report says so.
 */
import type { Axis } from "../axis.ts";

export const judgeAxis: Axis = {
  name: "judge",
  grading: "judge",
  statistic: "median",
  measure(pairs, { judge }) {
    const scores = pairs.map((pair) => judge?.(pair.baseline.turn, pair.candidate.turn) ?? Number.NaN);
    return { baseline: new Float64Array(pairs.length).fill(1), candidate: Float64Array.from(scores) };
  },
};
