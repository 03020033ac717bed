import type { FindingSeverity } from "../../judgement/severity.ts";
import type { Thresholds } from "../thresholds.ts";
import { fires, QUIET, type SignalDefinition } from "./signal.ts";

/** One tool is called again and again, each time right after it failed. Repeated successful calls are not retries. */
export const retryExplosions: SignalDefinition = {
  name: "retry_explosions",
  severity: "severe",
  detect({ run, thresholds }) {
    const worst = [...run.retries]
      .map(([tool, retries]) => ({ tool, retries, severity: retrySeverity(tool, retries, thresholds) }))
      .filter((entry) => entry.severity !== undefined)
      .sort((left, right) => right.retries - left.retries || (left.tool < right.tool ? -1 : 1));
    if (worst.length === 0) return QUIET;
    return fires(
      worst.some((entry) => entry.severity === "severe") ? "severe" : "moderate",
      worst.map(({ tool, retries, severity }) => ({
        subject: tool,
        measure: "calls in a row, each after a failure",
        unit: "retries",
        current: retries,
        baseline: null,
        changePercent: null,
        threshold: severity === "severe" ? thresholds.retryHigh : thresholds.retryMedium,
      })),
    );
  },
};

/** From 5 on severe, from 3 on moderate, below that nothing. */
export function retrySeverity(tool: string, retries: number, limits: Thresholds): FindingSeverity | undefined {
  if (limits.retryExemptTools.includes(tool)) return undefined;
  if (retries >= limits.retryHigh) return "severe";
  return retries >= limits.retryMedium ? "moderate" : undefined;
}
