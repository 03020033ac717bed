import { amount, phrase } from "../../text/phrase.ts";
import { change, defineSignal, fires, noData, QUIET } from "./signal.ts";

/** More steps fail than before: strictly more than 10 percentage points above the baseline's share. */
export const errorIncreases = defineSignal({
  name: "error_increases",
  severity: "severe",
  headline: "more steps fail",
  limits: { points: { preset: 10, help: "rise of the share of failed steps, in percentage points" } },
  above: ["points"],
  measures: ["failed_share"],
  conditions: ["error_increase"],
  detect({ run, known, scope }, { points }) {
    if (known === undefined) return noData("there is no known behaviour to compare with");
    if (run.sample.steps === 0) return noData("the run has no steps");
    const now = (run.sample.errors / run.sample.steps) * 100;
    const before = known.errorRate * 100;
    if (scope === "family" && now <= known.seen.errorShareMax * 100) return QUIET;
    // The difference of two percentages carries rounding; exactly 10 points must not fire.
    if (now - before <= points + 1e-9) return QUIET;
    return fires("severe", [
      {
        subject: "failed steps",
        measure: "failed_share",
        unit: "percent",
        current: now,
        baseline: before,
        ...change(before, now),
        threshold: points,
      },
    ]);
  },
  say: ({ current, baseline }) =>
    phrase`${amount(current, "percent")} of the steps fail instead of ${amount(baseline, "percent")}`,
});
