/** Planned runs, some at a time, each side's into its own folder; a run that is there already is not made again. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Side } from "@spoor/core/internal/cohort/run";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import type { PlannedRun } from "./plan-scenario-runs.ts";
import { type AgentSettings, type RunEnd, runScenario } from "./run-scenario.ts";

/** An agent and where its recordings go. */
export interface AgentSide {
  readonly folder: string;
  readonly settings: AgentSettings;
}
export type AgentSides = Readonly<Partial<Record<Side, AgentSide>>>;

export interface FailedRun extends PlannedRun {
  readonly why: string;
}

export interface ScenarioOptions {
  readonly workers: number;
  /** Aborted when the rest is given up: what is under way is cancelled, what is recorded stays. */
  readonly signal: AbortSignal;
  readonly onStart: (run: PlannedRun) => void;
  readonly onEnd: (run: PlannedRun, end: RunEnd) => void;
}

/** The runs that did not happen; those that were given up are not among them. */
export async function runScenarios(
  planned: readonly PlannedRun[],
  sides: AgentSides,
  options: ScenarioOptions,
): Promise<readonly FailedRun[]> {
  const waiting = planned.filter((run) => !isRecorded(run, sides));
  const failed: FailedRun[] = [];
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined && !options.signal.aborted; run = waiting.shift()) {
      const { folder, settings } = sides[run.side]!;
      options.onStart(run);
      const end = await runScenario(run, folder, settings);
      if (end.outcome === "failed") failed.push({ ...run, why: end.why! });
      options.onEnd(run, end);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, waiting.length) }, work));
  return failed;
}

export function isRecorded(run: PlannedRun, sides: AgentSides): boolean {
  return existsSync(join(sides[run.side]!.folder, fileOf(run)));
}

/** `damaged-item.run1.agentlog` */
export function fileOf({ scenario, run }: Pick<PlannedRun, "scenario" | "run">): string {
  return `${fileStem(scenario)}.run${run}.agentlog`;
}
