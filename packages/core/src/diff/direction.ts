import type { Severity } from "../judgement/severity.ts";
import type { AxisName } from "./axis.ts";

/** Whether a shift is for the worse or the better, as far as the axis alone can say; `same` when there is no shift. */
export const directions = ["same", "better", "changed", "worse"] as const;
export type Direction = (typeof directions)[number];

/**
 * Slower and dearer are worse; a lower judge's score or fewer well-formed outputs are worse. More refusals are worse, fewer are
 * only `changed`: an injected prompt lowers refusals too. What other words, other calls or more thinking mean, no axis knows.
 */
export function directionOf(axis: AxisName, delta: number, severity: Severity): Direction {
  if (severity === "none") return "same";
  switch (axis) {
    case "latency":
    case "cost":
      return delta > 0 ? "worse" : "better";
    case "judge":
    case "conformance":
      return delta < 0 ? "worse" : "better";
    case "safety":
      return delta > 0 ? "worse" : "changed";
    default:
      return "changed";
  }
}
