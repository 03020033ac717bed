/** The cohort lens for callers that already hold traces: a gate, a diff of two folders, the results of repeated evals. */
import { SpoorError } from "../errors.ts";
import { requireOneWorld, worldOf } from "../trace/one-world.ts";
import type { Trace } from "../trace/trace.ts";
import { type BuildRunOptions, buildRun } from "./build-run.ts";
import type { CohortResult } from "./cohort-report.ts";
import { type CohortOptions, createCohort } from "./compare-cohorts.ts";
import { scenarioReader } from "./scenario-id.ts";

export function compareTraceCohorts(
  baseline: Iterable<Trace>,
  candidate: Iterable<Trace>,
  options: CohortOptions & BuildRunOptions = {},
): CohortResult {
  const sides = { baseline: [...baseline], candidate: [...candidate] };
  refuseSameTrace(sides.baseline, sides.candidate);
  requireOneWorld(new Set([...sides.baseline, ...sides.candidate].map(worldOf)));
  const scenarioOf = scenarioReader(sides.baseline, sides.candidate);
  const cohort = createCohort();
  for (const side of ["baseline", "candidate"] as const) {
    for (const trace of sides[side]) {
      const scenario = options.scenario ?? scenarioOf(trace);
      cohort.add(buildRun(trace, side, scenario === undefined ? options : { ...options, scenario }));
    }
  }
  return cohort.compare(options);
}

function refuseSameTrace(baseline: readonly Trace[], candidate: readonly Trace[]): void {
  const known = new Set(baseline);
  const same = candidate.find((trace) => known.has(trace));
  if (same === undefined) return;
  throw new SpoorError("input.both-sides", `${same.name} stands on both sides.`, {
    consequence: "A run compared with itself never differs, so nothing was compared.",
    hint: "Give each trace to one side.",
  });
}

/** With fewer common scenarios than this and no repeats, no labelling could reach 5 %. */
const ENOUGH_SCENARIOS = 6;

/** Whether two sets of traces are worth comparing as cohorts: repeats on a side, or at least six scenarios in common. */
export function isCohort(baseline: readonly Trace[], candidate: readonly Trace[]): boolean {
  const scenarioOf = scenarioReader(baseline, candidate);
  const counts = [baseline, candidate].map((traces) => {
    const count = new Map<string, number>();
    for (const trace of traces) {
      const scenario = scenarioOf(trace);
      if (scenario !== undefined) count.set(scenario, (count.get(scenario) ?? 0) + 1);
    }
    return count;
  });
  const common = [...counts[0]!.keys()].filter((scenario) => counts[1]!.has(scenario));
  if (common.length >= ENOUGH_SCENARIOS) return true;
  return common.some((scenario) => counts.some((count) => count.get(scenario)! > 1));
}
