/** Why nothing was judged, in words. `again` is the command that goes on. */
import { SpoorError } from "@spoor/core/internal/errors";
import { count, dollars, integer, list } from "../document/words.ts";
import type { Budget } from "./budget.ts";
import type { PlannedRun } from "./plan-scenario-runs.ts";
import type { FailedRun } from "./run-scenarios.ts";

const LISTED = 3;

export function runsFailed(failed: readonly FailedRun[], total: number, again: string): SpoorError {
  return new SpoorError("run.failed", `${failed.length} of ${total} runs did not happen. ${reasonsOf(failed)}.`, {
    consequence: "A run that did not happen says nothing about the agent, so nothing was judged.",
    hint: `Mend the cause and go on with the others: ${again}`,
  });
}

/** Runs that failed for one reason are told once. */
function reasonsOf(failed: readonly FailedRun[]): string {
  const reasons = new Map<string, FailedRun[]>();
  for (const run of failed) reasons.set(run.why, [...(reasons.get(run.why) ?? []), run]);
  const told = [...reasons].slice(0, LISTED).map(([why, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    return `${runName(first!)}${more}: ${why}`;
  });
  return told.join("; ");
}

/** `recorded` of `total` runs are there. */
export function budgetSpent(
  budget: Budget,
  {
    recorded,
    total,
    failed,
  }: { readonly recorded: number; readonly total: number; readonly failed: readonly FailedRun[] },
  again: string,
): SpoorError {
  const there = `${recorded} of ${total} runs ${recorded === 1 ? "is" : "are"} recorded.`;
  const others = failed.length === 0 ? "" : ` ${count(failed.length, "run")} did not happen: ${reasonsOf(failed)}.`;
  const unknown = whyUnknown(budget);
  const message =
    unknown === undefined
      ? `${spentSentence(budget)} ${there}${others}`
      : `The budget of ${limitWords(budget)} cannot be kept: ${unknown}. ${there}${others}`;
  return new SpoorError("run.budget", message, {
    consequence: "What was recorded is kept, and nothing was judged.",
    hint:
      unknown === undefined
        ? `Allow more, and go on with the others: ${again}`
        : `Give its price in diff.pricing, or limit tokens instead (--max-tokens), and go on: ${again}`,
  });
}

function spentSentence(budget: Budget): string {
  const { usd, tokens } = budget.spent();
  const spent = budget.limits.usd === undefined ? count(tokens, "token") : dollars(usd);
  const both =
    budget.limits.usd !== undefined && budget.limits.tokens !== undefined ? ` and ${count(tokens, "token")}` : "";
  const mean =
    budget.runs() === 0
      ? ""
      : ` in ${count(budget.runs(), "run")}; another would go over the budget of ${limitWords(budget)}`;
  return `${spent}${both} ${both === "" && tokens === 1 ? "is" : "are"} spent${mean}.`;
}

function limitWords({ limits: { usd, tokens } }: Budget): string {
  return list([
    ...(usd === undefined ? [] : [dollars(usd)]),
    ...(tokens === undefined ? [] : [`${integer(tokens)} tokens`]),
  ]);
}

function whyUnknown(budget: Budget): string | undefined {
  const { unpriced, uncounted } = budget.spent();
  if (budget.limits.usd !== undefined && unpriced.length > 0) return `nobody has told what ${list(unpriced)} costs`;
  if (uncounted > 0) return `${count(uncounted, "answer")} did not say how many tokens it took`;
  return undefined;
}

export function interrupted(recorded: number, total: number, again: string): SpoorError {
  return new SpoorError("run.interrupted", `Interrupted: ${recorded} of ${total} runs are recorded.`, {
    consequence: "They are kept, and nothing was judged.",
    hint: `Go on with the others: ${again}`,
  });
}

/** `damaged-item (run 2 of the base)` */
export function runName({ scenario, run, side }: PlannedRun): string {
  return `${scenario} (run ${run}${side === "baseline" ? " of the base" : ""})`;
}
