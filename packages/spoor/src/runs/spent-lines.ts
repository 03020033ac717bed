/** What the runs took, in a line or two on standard error: what could not be counted is named, never taken for nothing. */
import type { EarlyStop } from "@spoor/core/internal/cohort/sequential-cohort";
import { count, list } from "../document/words.ts";
import type { Budget } from "./budget.ts";
import { spendingWords } from "./runs-progress.ts";

export function spentLines(
  budget: Budget,
  recorded: number,
  total: number,
  earlyStop: EarlyStop | undefined,
): string[] {
  const spent = budget.spent();
  const words = spendingWords(spent);
  const runs = recorded === total ? count(total, "run") : `${recorded} of ${count(total, "run")}`;
  const lines = words.length === 0 ? [] : [`${runs} recorded: ${words.join(", ")}.`];
  const missing = [
    ...(spent.unpriced.length === 0 ? [] : [`the price of ${list(spent.unpriced)} is not known`]),
    ...(spent.uncounted === 0 ? [] : [`${count(spent.uncounted, "answer")} did not say how many tokens it took`]),
    ...(spent.cutOff === 0 ? [] : [`${count(spent.cutOff, "request")} had no answer`]),
  ];
  if (missing.length > 0 && words.length > 0) lines.push(`Not counted: ${missing.join("; ")}.`);
  if (earlyStop !== undefined)
    lines.push(
      `Stopped early after ${earlyStop.stoppedAfter} of ${count(earlyStop.plannedPairs, "pair")}: a change is certain.`,
    );
  return lines;
}
