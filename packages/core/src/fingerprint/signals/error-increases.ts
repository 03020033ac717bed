import { change, fires, noData, QUIET, type SignalDefinition } from "./signal.ts";

/** More steps fail than before: strictly more than 10 percentage points above the baseline's share. */
export const errorIncreases: SignalDefinition = {
  name: "error_increases",
  severity: "severe",
  detect({ run, known, thresholds, scope }) {
    if (known === undefined) return noData("there is no known behaviour to compare with");
    if (run.sample.steps === 0) return noData("the run has no steps");
    const now = (run.sample.errors / run.sample.steps) * 100;
    const before = known.errorRate * 100;
    if (scope === "family" && now <= known.seen.errorShareMax * 100) return QUIET;
    // The difference of two percentages carries rounding; exactly 10 points must not fire.
    if (now - before <= thresholds.errorIncreasePoints + 1e-9) return fires("severe", []);
    return fires("severe", [
      {
        subject: "failed steps",
        measure: "share of steps that failed",
        unit: "percent",
        current: now,
        baseline: before,
        ...change(before, now),
        threshold: thresholds.errorIncreasePoints,
      },
    ]);
  },
};
