import type { Severity } from "../judgement/severity.ts";
import type { BootstrapInterval } from "../stats/bootstrap.ts";

/**
 * Whether a shift is for the worse or the better, as far as the axis alone can say; `same` when there is no shift. `unclear`: it looks
 * better, but the interval leaves open that nothing or the opposite happened.
 */
const directions = ["same", "better", "unclear", "changed", "worse"] as const;
export type Direction = (typeof directions)[number];

/** What more and less of a quantity mean. */
export interface Meaning {
  readonly more: "better" | "changed" | "worse";
  readonly less: "better" | "changed" | "worse";
}

export const MORE_IS_WORSE: Meaning = { more: "worse", less: "better" };
export const LESS_IS_WORSE: Meaning = { more: "better", less: "worse" };
/** What other words, other calls or more thinking mean, no axis knows. */
export const EITHER_IS_CHANGE: Meaning = { more: "changed", less: "changed" };

/** Each interval (over pairs, over whole traces) must lie on the better side of zero before anything is called better. */
export function directionOf(
  meaning: Meaning,
  delta: number,
  severity: Severity,
  intervals: readonly BootstrapInterval[],
): Direction {
  if (severity === "none") return "same";
  const direction = delta > 0 ? meaning.more : meaning.less;
  const isSure = intervals.every(({ low, high }) => (delta > 0 ? low > 0 : high < 0));
  return direction === "better" && !isSure ? "unclear" : direction;
}

/** Whether a shift in this direction may trip a gate: what looks better never does. */
export function mayTrip(direction: Direction): boolean {
  return direction === "worse" || direction === "changed";
}
