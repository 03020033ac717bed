/** Planned runs, some at a time, each side's into its own folder; a run that is there already is not made again. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Side } from "@spoor/core/internal/cohort/run";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import type { Permission } from "./budget.ts";
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
  /** Asked before each run, with how many are under way. */
  readonly mayStart?: (underWay: number) => Permission;
  readonly onStart?: (run: PlannedRun) => void;
  readonly onEnd?: (run: PlannedRun, end: RunEnd) => void;
}

export interface RunsOutcome {
  /** Runs that did not happen, in the order of the plan; those that were given up are not among them. */
  readonly failed: readonly FailedRun[];
  /** Runs that nobody allowed to begin, or that were given up before. */
  readonly notStarted: number;
}

export async function runScenarios(
  planned: readonly PlannedRun[],
  sides: AgentSides,
  options: ScenarioOptions,
): Promise<RunsOutcome> {
  const waiting = planned.filter((run) => !isRecorded(run, sides));
  const failed = new Map<PlannedRun, FailedRun>();
  let underWay = 0;
  let wake: (() => void)[] = [];
  const work = async () => {
    while (waiting.length > 0 && !options.signal.aborted) {
      const may = options.mayStart?.(underWay) ?? "yes";
      if (may === "wait") {
        await new Promise<void>((resolve) => wake.push(resolve));
        continue;
      }
      if (may !== "yes") return;
      const run = waiting.shift()!;
      const { folder, settings } = sides[run.side]!;
      underWay++;
      options.onStart?.(run);
      try {
        const end = await runScenario(run, folder, settings);
        if (end.outcome === "failed") failed.set(run, { ...run, why: end.why! });
        options.onEnd?.(run, end);
      } finally {
        underWay--;
        const sleepers = wake;
        wake = [];
        for (const resume of sleepers) resume();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, waiting.length) }, work));
  return { failed: planned.flatMap((run) => failed.get(run) ?? []), notStarted: waiting.length };
}

export function isRecorded(run: PlannedRun, sides: AgentSides): boolean {
  return existsSync(recordingOf(run, sides));
}

export function recordingOf(run: PlannedRun, sides: AgentSides): string {
  return join(sides[run.side]!.folder, fileOf(run));
}

/** `damaged-item.run1.agentlog` */
function fileOf({ scenario, run }: PlannedRun): string {
  return `${fileStem(scenario)}.run${run}.agentlog`;
}
