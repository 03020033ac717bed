/**
 * Judge axis: a score in [0, 1] that a judge of the caller's choice (a model, a person, a heuristic) gives each candidate answer;
 * 1 is as good as the baseline. Sees what the judge sees. Empty when no judge was given, and the report says so. A judge that was
 * asked and did not answer leaves the row, and with it the whole diff, without a verdict.
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
  measure(pairs, { judge, judged }) {
    const baseline = new Float64Array(pairs.length).fill(1);
    if (judged === undefined) {
      const scores = pairs.map((pair) => judge?.(pair.baseline.turn, pair.candidate.turn) ?? Number.NaN);
      return { baseline, candidate: Float64Array.from(scores) };
    }
    const opinions = pairs.map((pair) => judged.opinionOf(pair.baseline.turn, pair.candidate.turn));
    const candidate = opinions.map((one) => (one !== undefined && "score" in one ? one.score : Number.NaN));
    const reasons = opinions.flatMap((one) => (one !== undefined && "why" in one ? [one.why] : []));
    return {
      baseline,
      candidate: Float64Array.from(candidate),
      ...(reasons.length === 0 ? {} : { unanswered: { pairs: reasons.length, why: reasons[0]! } }),
    };
  },
} as const satisfies Axis;
