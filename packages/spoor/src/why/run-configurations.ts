/** Runs of several versions of an agent over the same scenarios, in turns, so that nothing that drifts falls on one of them. */
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { type PlannedRun, planScenarioRuns } from "../runs/plan-scenario-runs.ts";
import { runsFailed } from "../runs/run-errors.ts";
import { type AgentSettings, type RunEnd, runScenario } from "../runs/run-scenario.ts";
import type { FailedRun } from "../runs/run-scenarios.ts";
import type { Scenario } from "../runs/scenario.ts";

export interface Version {
  readonly folder: string;
  readonly settings: AgentSettings;
  /** In words of the progress: "base", "candidate". */
  readonly title: string;
}

export interface RunPlan {
  readonly scenarios: readonly Scenario[];
  readonly repeat: number;
  readonly seed: number;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onEnd: (version: Version, run: PlannedRun, end: RunEnd) => void;
}

/** Throws when a run did not happen: what is missing would be taken for behaviour. */
export async function runConfigurations(versions: readonly Version[], plan: RunPlan): Promise<void> {
  for (const { folder } of versions) makeFolderSync(folder);
  const planned = planScenarioRuns(plan.scenarios, { repeat: plan.repeat, seed: plan.seed, withBase: false });
  // Every version once on a scenario before any on the next; they take turns at going first.
  const waiting = planned.flatMap((run, index) => {
    const from = index % versions.length;
    return [...versions.slice(from), ...versions.slice(0, from)].map((version) => ({ version, run }));
  });
  const total = waiting.length;
  const failed: FailedRun[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !plan.signal.aborted; next = waiting.shift()) {
      const { version, run } = next;
      const end = await runScenario(run, version.folder, { ...version.settings, signal: plan.signal });
      if (end.outcome === "failed")
        failed.push({ ...run, scenario: `${run.scenario}, ${version.title}`, why: end.why! });
      plan.onEnd(version, run, end);
    }
  };
  await Promise.all(Array.from({ length: Math.min(plan.workers, total) }, work));
  if (failed.length > 0) throw runsFailed(failed, total, "spoor why");
}
