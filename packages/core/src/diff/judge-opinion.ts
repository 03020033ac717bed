/**
 * Where a judge plugs into a diff. Models answer over a network, so every pair of turns is judged before the diff is made; the diff
 * then looks the opinions up. A pair that was asked about and got no score is never taken for an unchanged one.
 */
import type { Turn } from "../trace/trace.ts";

export interface JudgedTurns {
  /** Who judged: "gpt-5-mini at http://127.0.0.1:8080/v1". */
  readonly by: string;
  /** Undefined for a pair that was never asked about. */
  opinionOf(baseline: Turn, candidate: Turn): JudgeOpinion | undefined;
}

/** A score in [0, 1], 1 as good as the baseline; or why there is none. */
export type JudgeOpinion =
  | {
      readonly score: number;
      readonly reasoning?: string /** Not asked: both turns say and do the same. */;
      readonly same?: true;
    }
  | { readonly why: string };
