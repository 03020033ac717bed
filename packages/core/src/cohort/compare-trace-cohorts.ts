/** The cohort lens for callers that already hold traces: a gate, a diff of two folders, the results of repeated evals. */
import { SpoorError } from "../errors.ts";
import { contentOf, requireOneContent } from "../trace/comparable-content.ts";
import { requireOneWorld, worldOf } from "../trace/one-world.ts";
import { present } from "../trace/present.ts";
import type { Trace } from "../trace/trace.ts";
import { type BuildRunOptions, buildRun } from "./build-run.ts";
import type { CohortResult } from "./cohort-report.ts";
import { type CohortOptions, createCohort } from "./compare-cohorts.ts";
import { buildDesign } from "./design.ts";
import { judgeDefaults } from "./judge-cohort.ts";
import { countLabellings } from "./relabel.ts";
import { type Side, sides } from "./run.ts";
import { type NamedRun, scenarioId, tellTasksApart, wholeName } from "./scenario-id.ts";

export function compareTraceCohorts(
  baseline: Iterable<Trace>,
  candidate: Iterable<Trace>,
  options: CohortOptions & BuildRunOptions = {},
): CohortResult {
  const traces = { baseline: [...baseline], candidate: [...candidate] };
  refuseSameTrace(traces.baseline, traces.candidate);
  const all = [...traces.baseline, ...traces.candidate];
  requireOneContent(new Set(all.map(contentOf)));
  requireOneWorld(new Set(all.map(worldOf)));
  const cohort = createCohort();
  for (const side of sides) for (const trace of traces[side]) cohort.add(buildRun(trace, side, options));
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
  return isCohortOf(namedRuns(baseline, candidate));
}

/** The same of runs of which only the names are known. */
export function isCohortOf(named: readonly NamedRun[]): boolean {
  const runs = tellTasksApart(named);
  const counts: Record<Side, Map<string, number>> = { baseline: new Map(), candidate: new Map() };
  for (const { side, scenario } of runs) counts[side].set(scenario, (counts[side].get(scenario) ?? 0) + 1);
  const common = [...counts.baseline.keys()].filter((scenario) => counts.candidate.has(scenario));
  if (common.length >= ENOUGH_SCENARIOS) return true;
  return common.some((scenario) => sides.some((side) => counts[side].get(scenario)! > 1));
}

function namedRuns(baseline: readonly Trace[], candidate: readonly Trace[]): readonly NamedRun[] {
  const named = (traces: readonly Trace[], side: Side): NamedRun[] =>
    traces.flatMap((trace) => {
      const scenario = scenarioId(trace);
      return scenario === undefined ? [] : [present({ side, scenario, wholeName: wholeName(trace) })];
    });
  return tellTasksApart([...named(baseline, "baseline"), ...named(candidate, "candidate")]);
}

/** A lead points the way; the whole list is the cohort report's. */
const LISTED = 10;

/**
 * The verdict that a comparison of two folders leads with, whatever it is, once the runs are enough for `changed` to be possible at all:
 * of all ways to relabel them, a complete change is matched by itself and its mirror image, so α needs 2 / α ways (six pairs have 64, five
 * have 32; four runs a side of one scenario have 70, three have 20). Undefined otherwise, and for runs of two worlds, which no test could
 * tell from a change.
 */
export function leadTraceCohorts(
  baseline: readonly Trace[],
  candidate: readonly Trace[],
  options: CohortOptions & BuildRunOptions = {},
): CohortResult | undefined {
  if (new Set([...baseline, ...candidate].map(worldOf)).size > 1) return undefined;
  const { alpha = judgeDefaults.alpha } = options;
  if (countLabellings(buildDesign(namedRuns(baseline, candidate))) * alpha < 2) return undefined;
  const result = compareTraceCohorts(baseline, candidate, options);
  return { ...result, scenarios: result.scenarios.slice(0, LISTED), runs: result.runs.slice(0, LISTED) };
}
