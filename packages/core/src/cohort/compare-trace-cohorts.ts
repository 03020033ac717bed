/** The cohort lens for callers that already hold traces: a gate, a diff of two folders, the results of repeated evals. */
import type { Trace } from "../trace/trace.ts";
import { type BuildRunOptions, buildRun } from "./build-run.ts";
import type { CohortResult } from "./cohort-report.ts";
import { type CohortOptions, createCohort } from "./compare-cohorts.ts";
import { scenarioId } from "./scenario-id.ts";

export function compareTraceCohorts(
  baseline: Iterable<Trace>,
  candidate: Iterable<Trace>,
  options: CohortOptions & BuildRunOptions = {},
): CohortResult {
  const cohort = createCohort();
  for (const trace of baseline) cohort.add(buildRun(trace, "baseline", options));
  for (const trace of candidate) cohort.add(buildRun(trace, "candidate", options));
  return cohort.compare(options);
}

/** With fewer common scenarios than this and no repeats, no labelling could reach 5 %. */
const ENOUGH_SCENARIOS = 6;

/** Whether two sets of traces are worth comparing as cohorts: repeats on a side, or at least six scenarios in common. */
export function isCohort(baseline: readonly Trace[], candidate: readonly Trace[]): boolean {
  const counts = [baseline, candidate].map((traces) => {
    const count = new Map<string, number>();
    for (const trace of traces) {
      const scenario = scenarioId(trace);
      if (scenario !== undefined && trace.turns.length > 0) count.set(scenario, (count.get(scenario) ?? 0) + 1);
    }
    return count;
  });
  const common = [...counts[0]!.keys()].filter((scenario) => counts[1]!.has(scenario));
  if (common.length >= ENOUGH_SCENARIOS) return true;
  return common.some((scenario) => counts.some((count) => count.get(scenario)! > 1));
}
