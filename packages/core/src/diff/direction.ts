import type { Severity } from "../judgement/severity.ts";

/** Whether a shift is for the worse or the better, as far as the axis alone can say; `same` when there is no shift. */
const directions = ["same", "better", "changed", "worse"] as const;
export type Direction = (typeof directions)[number];

/** What more and less of a quantity mean. */
export interface Meaning {
  readonly more: Exclude<Direction, "same">;
  readonly less: Exclude<Direction, "same">;
}

export const MORE_IS_WORSE: Meaning = { more: "worse", less: "better" };
export const LESS_IS_WORSE: Meaning = { more: "better", less: "worse" };
/** What other words, other calls or more thinking mean, no axis knows. */
export const EITHER_IS_CHANGE: Meaning = { more: "changed", less: "changed" };

export function directionOf(meaning: Meaning, delta: number, severity: Severity): Direction {
  if (severity === "none") return "same";
  return delta > 0 ? meaning.more : meaning.less;
}
