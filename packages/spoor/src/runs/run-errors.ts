/** Why nothing was judged, in words. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { PlannedRun } from "./plan-scenario-runs.ts";
import type { FailedRun } from "./run-scenarios.ts";

const LISTED = 3;

/** Runs that failed for one reason are told once. `again` is the command that goes on. */
export function runsFailed(failed: readonly FailedRun[], total: number, again: string): SpoorError {
  const reasons = new Map<string, FailedRun[]>();
  for (const run of failed) reasons.set(run.why, [...(reasons.get(run.why) ?? []), run]);
  const told = [...reasons].slice(0, LISTED).map(([why, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    return `${runName(first!)}${more}: ${why}`;
  });
  const message = `${failed.length} of ${total} runs did not happen. ${told.join("; ")}.`;
  return new SpoorError("run.failed", message, {
    consequence: "A run that did not happen says nothing about the agent, so nothing was judged.",
    hint: `Mend the cause and go on with the others: ${again}`,
  });
}

/** `damaged-item (run 2 of the base)` */
export function runName({ scenario, run, side }: PlannedRun): string {
  return `${scenario} (run ${run}${side === "baseline" ? " of the base" : ""})`;
}
