import type { Thresholds } from "../thresholds.ts";
import { type Change, change, fires, noData, QUIET, roseAbove, type SignalDefinition } from "./signal.ts";

/** The run used more than half as many tokens again as the closest known behaviour. */
export const tokenUsageSpike: SignalDefinition = {
  name: "token_usage_spike",
  severity: "severe",
  detect({ run, known, thresholds, scope }) {
    const now = run.sample.tokens;
    if (now === undefined) return noData("the run has no token counts");
    if (known?.avgTokens === undefined) return noData("the baseline has no token counts");
    if (scope === "family" && now <= (known.seen.tokensMax ?? 0)) return QUIET;
    const rise = tokenRise(known.avgTokens, now, thresholds);
    if (rise === undefined) return fires("severe", []);
    return fires("severe", [
      {
        subject: "tokens",
        measure: "tokens per run",
        unit: "tokens",
        current: now,
        baseline: known.avgTokens,
        ...rise,
        threshold: thresholds.tokenUsagePercent,
      },
    ]);
  },
};

export function tokenRise(before: number, now: number, limits: Thresholds): Change | undefined {
  const rise = change(before, now);
  return roseAbove(rise, limits.tokenUsagePercent) ? rise : undefined;
}
