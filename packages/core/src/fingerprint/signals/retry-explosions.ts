import type { FindingSeverity } from "../../judgement/severity.ts";
import { named, phrase } from "../../text/phrase.ts";
import { countOf } from "../../text/words.ts";
import { defineSignal, fires, type LimitsOf, QUIET } from "./signal.ts";

const LIMITS = {
  severe: { preset: 5, help: "retries in a row from which on it is severe" },
  moderate: { preset: 3, help: "retries in a row from which on it is moderate" },
  exempt_tools: { preset: [], help: "tools whose retries never count" },
} as const;

/** One tool is called again and again, each time right after it failed. Repeated successful calls are not retries. */
export const retryExplosions = defineSignal({
  name: "retry_explosions",
  severity: "severe",
  headline: "a tool is retried again and again",
  limits: LIMITS,
  above: ["severe", "moderate"],
  measures: ["retries"],
  conditions: ["retry_explosion"],
  detect({ run }, limits) {
    const worst = [...run.retries]
      .map(([tool, retries]) => ({ tool, retries, severity: retrySeverity(tool, retries, limits) }))
      .filter((entry) => entry.severity !== undefined)
      .sort((left, right) => right.retries - left.retries || (left.tool < right.tool ? -1 : 1));
    if (worst.length === 0) return QUIET;
    return fires(
      worst.some((entry) => entry.severity === "severe") ? "severe" : "moderate",
      worst.map(({ tool, retries, severity }) => ({
        subject: tool,
        measure: "retries",
        unit: "retries",
        current: retries,
        baseline: null,
        changePercent: null,
        threshold: severity === "severe" ? limits.severe : limits.moderate,
      })),
    );
  },
  say: ({ subject, current }) =>
    phrase`${named(subject)} was retried ${countOf(current ?? 0, "time")} in a row after failures`,
});

/** From 5 on severe, from 3 on moderate, below that nothing. */
export function retrySeverity(
  tool: string,
  retries: number,
  limits: LimitsOf<typeof LIMITS>,
): FindingSeverity | undefined {
  if (limits.exempt_tools.includes(tool)) return undefined;
  if (retries >= limits.severe) return "severe";
  return retries >= limits.moderate ? "moderate" : undefined;
}
