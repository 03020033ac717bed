/** All runs that a configuration asks for, some at a time, into one folder; a run that is there already is not made again. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { fileStem } from "@spoor/record/internal/node/recording-names";
import { RUNS_NOTE } from "../config/recordings-folder.ts";
import type { PlannedRun } from "./plan-scenario-runs.ts";
import { type AgentSettings, runScenario } from "./run-scenario.ts";

export interface FailedRun extends PlannedRun {
  readonly why: string;
}

export interface ScenarioOptions extends AgentSettings {
  readonly workers: number;
  readonly onRun: (run: PlannedRun, done: number, total: number, why: string | undefined) => void;
}

export async function runScenarios(
  planned: readonly PlannedRun[],
  folder: string,
  options: ScenarioOptions,
): Promise<readonly FailedRun[]> {
  noteRuns(folder, planned);
  const waiting = planned.filter((run) => !existsSync(join(folder, fileOf(run))));
  const failed: FailedRun[] = [];
  let done = planned.length - waiting.length;
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      options.signal.throwIfAborted();
      const why = await runScenario(run, folder, options);
      if (why !== undefined) failed.push({ ...run, why });
      options.onRun(run, ++done, planned.length, why);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, waiting.length) }, work));
  return failed;
}

/** `damaged-item.run1.agentlog` */
export function fileOf({ scenario, run }: Pick<PlannedRun, "scenario" | "run">): string {
  return `${fileStem(scenario)}.run${run}.agentlog`;
}

/** So that a later command knows the folder for one that can be completed. */
function noteRuns(folder: string, planned: readonly PlannedRun[]): void {
  mkdirSync(join(folder, ".run"), { recursive: true });
  const runs = planned.map(({ scenario, run }) => ({ scenario, run }));
  writeFileSync(join(folder, RUNS_NOTE), `${JSON.stringify({ schema: "spoor.runs/1", runs })}\n`);
}

const LISTED = 3;

/** Runs that failed for one reason are told once. */
export function runsFailed(failed: readonly FailedRun[], total: number, again: string): SpoorError {
  const reasons = new Map<string, FailedRun[]>();
  for (const run of failed) reasons.set(run.why, [...(reasons.get(run.why) ?? []), run]);
  const told = [...reasons].slice(0, LISTED).map(([why, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    return `${first!.scenario} (run ${first!.run})${more}: ${why}`;
  });
  const message = `${failed.length} of ${total} runs did not happen. ${told.join("; ")}.`;
  return new SpoorError("run.failed", message, {
    consequence: "A run that did not happen says nothing about the agent, so nothing was judged.",
    hint: `Mend the cause and go on with the others: ${again}`,
  });
}
