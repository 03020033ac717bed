import type { Turn } from "../../trace/trace.ts";
import type { AxisValues, ResponsePair } from "../axis.ts";

/** Values of a number each side recorded, or did not: a pair where either side lacks it is left out. */
export function recordedNumbers(
  pairs: readonly ResponsePair[],
  read: (turn: Turn) => number | undefined,
): Pick<AxisValues, "baseline" | "candidate"> {
  return {
    baseline: Float64Array.from(pairs, (pair) => read(pair.baseline.turn) ?? Number.NaN),
    candidate: Float64Array.from(pairs, (pair) => read(pair.candidate.turn) ?? Number.NaN),
  };
}
