/** What a trend keeps of a trace: its run, its answers as vectors, and the scenario. */
import { scenarioId } from "@spoor/core/internal/cohort/scenario-id";
import { responseVectors } from "@spoor/core/internal/fingerprint/trend";
import { type KeptRun, type RunSettings, reduceRun, type SkippedRun } from "./reduce-runs.ts";
import { defineReduction } from "./threads/reduction.ts";

interface TrendRun extends KeptRun {
  readonly responses: number[][];
  readonly scenario: string | undefined;
}

export const trendReduction = defineReduction<RunSettings, TrendRun | SkippedRun>({
  name: "trend",
  start(settings) {
    return (trace) => {
      const run = reduceRun(trace, settings);
      if ("otherAgent" in run) return run;
      return { ...run, responses: responseVectors(trace), scenario: scenarioId(trace) };
    };
  },
});
