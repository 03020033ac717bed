/**
 * Reasoning axis: how much the model thinks before it answers: thinking tokens, plus one for each thinking part it shows.
 *
 * Sees thinking that is switched on, off, or grows. Blind to what is thought, and to providers that do not report it: `n` counts
 * every pair (a missing count is 0), `measured` only those where both sides recorded thinking.
 */
import type { Turn } from "../../trace/trace.ts";
import type { Axis } from "../axis.ts";
import { EITHER_IS_CHANGE } from "../direction.ts";
import { recordedNumbers } from "./recorded-number.ts";

export const reasoningAxis = {
  name: "reasoning",
  unit: "tokens",
  grading: "value",
  statistic: "median",
  floor: 50,
  largeMove: 100,
  meaning: EITHER_IS_CHANGE,
  words: {
    is: "thinking",
    more: "The model thinks{share} more",
    less: "The model thinks{share} less",
    noData: "neither side recorded thinking tokens",
  },
  measure(pairs) {
    const measured = pairs.filter(
      (pair) => recordsThinking(pair.baseline.turn) && recordsThinking(pair.candidate.turn),
    );
    return { ...recordedNumbers(pairs, thinkingOf), measured: measured.length };
  },
} as const satisfies Axis;

function thinkingOf(turn: Turn): number {
  return (turn.usage?.thinkingTokens ?? 0) + (turn.thinking?.length ?? 0);
}

function recordsThinking(turn: Turn): boolean {
  return turn.usage?.thinkingTokens !== undefined || turn.thinking !== undefined;
}
