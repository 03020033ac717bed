/** What a series says to one question, read off the judged signals that belong to it. */
import type { MinPSignal } from "../../stats/min-p.ts";

/**
 * `drift`: beyond chance. `steady`: drift could have been seen, and none was. `undecided`: it looks like drift as much as these
 * runs can, and they are too few to tell it from chance. `not_evaluated`: nothing could be tested, `why` says what is missing.
 */
export type SeriesState = "drift" | "steady" | "undecided" | "not_evaluated";
export type NotTested = "one_point" | "no_data" | "too_few_runs" | "too_few_responses";

export interface SeriesAnswer {
  readonly state: SeriesState;
  readonly why?: NotTested;
  /** Chance of so much when nothing drifted: of this question alone, and corrected for all that were asked. */
  readonly p: number | null;
  readonly adjusted: number | null;
  /** `shift`: different from `point` on. `spike`: different at `point` alone. */
  readonly form?: SignalForm;
  readonly point?: number;
}

export type SignalForm = "shift" | "spike";

/** One statistic under every labelling, the observed one first. */
export interface SeriesSignal {
  readonly form: SignalForm;
  readonly values: Float64Array;
  /** Where it is largest as observed. */
  readonly point: number;
}

export interface JudgedSignal {
  readonly signal: SeriesSignal;
  /** Undefined when no relabelling moves it. */
  readonly judged: MinPSignal | undefined;
}

export const TREND_ALPHA = 0.05;
/** What happens in nearly every second series without drift is no sign of it. */
export const COIN = 0.4;
const SAME = 1e-9;

/** `shares`: families among which the error rate is divided. */
export function answerOf(signals: readonly JudgedSignal[], shares: number): SeriesAnswer {
  const moving = signals.filter((one): one is { signal: SeriesSignal; judged: MinPSignal } => one.judged !== undefined);
  const [first, ...others] = moving;
  // Nothing varies, or whatever varies does so alike however the runs are placed.
  if (first === undefined) return { state: "steady", p: null, adjusted: null };
  const best = others.reduce((least, one) => (one.judged.p < least.judged.p - SAME ? one : least), first);
  const { p } = best.judged;
  const adjusted = corrected(best.judged.adjusted, shares);
  const found = { p, adjusted, form: best.signal.form, point: best.signal.point };
  if (adjusted <= TREND_ALPHA) return { state: "drift", ...found };
  if (moving.some(({ judged }) => corrected(judged.reachableAdjusted, shares) <= TREND_ALPHA)) {
    return { state: "steady", p, adjusted };
  }
  if (p < COIN && p <= best.judged.reachable + SAME) return { state: "undecided", ...found };
  return { state: "not_evaluated", why: "too_few_runs", p, adjusted };
}

export function notTested(why: NotTested): SeriesAnswer {
  return { state: "not_evaluated", why, p: null, adjusted: null };
}

function corrected(p: number, shares: number): number {
  return Math.min(1, p * shares);
}
