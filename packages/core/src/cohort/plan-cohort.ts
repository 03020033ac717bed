/**
 * Before recording: what would these repeats find, and how many runs does a given change need? Simulated on the agent's own
 * noise where there are repeats; rules of thumb for single questions beside it.
 */
import type { ReportHeader } from "../report/report.ts";
import { createObserver } from "./observe.ts";
import { runsForMean, runsForNewTool } from "./planning.ts";
import type { CohortRun } from "./run.ts";
import { type SimulateOptions, type Simulation, simulatePlan } from "./simulate-plan.ts";

export interface CohortPlan {
  readonly runs: number;
  readonly scenarios: number;
  readonly alpha: number;
  /** Null when no scenario has two runs. */
  readonly simulation: Simulation | null;
  /** Runs a side until a tool that is called in this share of the candidate runs is found. */
  readonly newTool: readonly { readonly share: number; readonly runsPerSide: number }[];
  /** Runs a side until a change of 25 % in a size is found; empty without repeats. */
  readonly sizes: readonly { readonly item: string; readonly variance: number; readonly runsPerSide: number }[];
}

export interface CohortPlanReport extends ReportHeader<"spoor.cohort-plan/1">, CohortPlan {}

const SHARES = [0.05, 0.1, 0.2, 0.5, 1];
const SIZES = ["calls", "turns", "chars"];
const SIZE_CHANGE = Math.log2(1.25);

export function planCohort(runs: readonly CohortRun[], options: SimulateOptions = {}): CohortPlan {
  const usable = runs.filter(({ turns }) => turns > 0);
  const alpha = options.alpha ?? 0.05;
  return {
    runs: usable.length,
    scenarios: new Set(usable.map(({ scenario }) => scenario)).size,
    alpha,
    simulation: simulatePlan(usable, options) ?? null,
    newTool: SHARES.map((share) => ({ share, runsPerSide: runsForNewTool(share, { alpha })! })),
    sizes: withinVariances(usable).map(({ item, variance }) => ({
      item,
      variance,
      runsPerSide: runsForMean(variance, SIZE_CHANGE, { alpha })!,
    })),
  };
}

/** The variance between runs of one scenario, pooled over the scenarios with repeats. */
function withinVariances(runs: readonly CohortRun[]): { item: string; variance: number }[] {
  const observer = createObserver();
  const observed = runs.map((run) => observer.observe(run));
  const members = new Map<string, number[]>();
  for (const [index, { scenario }] of runs.entries()) members.set(scenario, [...(members.get(scenario) ?? []), index]);
  const repeated = [...members.values()].filter((list) => list.length > 1);
  if (repeated.length === 0) return [];
  return SIZES.map((item) => {
    const column = observer.columns.findIndex(
      ({ group, identity }) => identity === item && (group === "effort" || group === "style"),
    );
    let squares = 0;
    let freedom = 0;
    for (const list of repeated) {
      const values = list.map((index) => {
        const { columns, values } = observed[index]!;
        return values[columns.indexOf(column)] ?? 0;
      });
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      for (const value of values) squares += (value - mean) ** 2;
      freedom += values.length - 1;
    }
    return { item, variance: squares / freedom };
  });
}
