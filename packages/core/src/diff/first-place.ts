import type { DiffResult, TraceSide } from "./diff-report.ts";

/** Where the two sides part, as a place in one of them. Every surface that says where it begins says this. */
export interface FirstPlace {
  /** What people call the pair of traces. */
  readonly name: string;
  /** The trace that has the turn: the candidate's, or the baseline's when the candidate ended before. */
  readonly trace: TraceSide;
  readonly turnIndex: number;
  /** Only the baseline has this turn; in the candidate something else stands in its place, or nothing. */
  readonly onlyBaseline: boolean;
}

/** Up to here the two runs are paired turn by turn, so the turn has one number on both sides. */
export function firstPlace({ firstDivergence: first, traces }: Pick<DiffResult, "firstDivergence" | "traces">) {
  if (first === null) return undefined;
  const { name, baseline, candidate } = traces[first.traceIndex]!;
  const ended = first.candidateTurn >= candidate.turns;
  const place: FirstPlace = {
    name,
    trace: ended ? baseline : candidate,
    turnIndex: ended ? first.baselineTurn : first.candidateTurn,
    onlyBaseline: first.reason.code === "turn_dropped",
  };
  return place;
}
