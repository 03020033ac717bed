/** What a judge said, for a report: how many pairs it was shown, what it did not answer, and the answers it thinks worst of. */
import type { Turn } from "../trace/trace.ts";
import type { JudgedTurns } from "./judge-opinion.ts";

export interface JudgeSummary {
  readonly by: string;
  /** Pairs shown to the judge. */
  readonly asked: number;
  /** Pairs that say and do the same: as good as the baseline without asking. */
  readonly same: number;
  /** Pairs without a score, by reason. */
  readonly unanswered: readonly { readonly why: string; readonly pairs: number }[];
  /** The pairs judged worst, below 1. */
  readonly lowest: readonly JudgedPair[];
}

export interface JudgedPair {
  readonly traceIndex: number;
  readonly baselineTurn: number;
  readonly candidateTurn: number;
  readonly score: number;
  readonly reasoning?: string;
}

const LOWEST = 5;

interface JudgedSides {
  readonly baseline: { readonly turn: Turn };
  readonly candidate: { readonly turn: Turn };
}

export function summariseJudge(
  { by, opinionOf }: JudgedTurns,
  pairs: readonly JudgedSides[],
  traceOf: readonly number[],
): JudgeSummary {
  const opinions = pairs.map(({ baseline, candidate }) => opinionOf(baseline.turn, candidate.turn));
  const unanswered = new Map<string, number>();
  for (const opinion of opinions)
    if (opinion !== undefined && "why" in opinion) unanswered.set(opinion.why, (unanswered.get(opinion.why) ?? 0) + 1);
  const judged = opinions.flatMap((opinion, index): JudgedPair[] => {
    if (opinion === undefined || "why" in opinion || opinion.score >= 1) return [];
    const { baseline, candidate } = pairs[index]!;
    return [
      {
        traceIndex: traceOf[index]!,
        baselineTurn: baseline.turn.index,
        candidateTurn: candidate.turn.index,
        score: opinion.score,
        ...(opinion.reasoning === undefined ? {} : { reasoning: opinion.reasoning }),
      },
    ];
  });
  const same = opinions.filter((opinion) => opinion !== undefined && "same" in opinion).length;
  return {
    by,
    asked: opinions.filter((opinion) => opinion !== undefined).length - same,
    same,
    unanswered: [...unanswered].map(([why, amount]) => ({ why, pairs: amount })),
    lowest: judged.sort((one, other) => one.score - other.score).slice(0, LOWEST),
  };
}
