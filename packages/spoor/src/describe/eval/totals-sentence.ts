/** What all runs came to, in one sentence: how many, how long, what they used, how they ended, who was asked beside the agent. */
import type { EvalReport } from "@spoor/core/internal/evals/eval-report";
import type { AskedTotals } from "@spoor/core/internal/evals/eval-totals";
import { count, dollars, duration, integer, tokens } from "../../document/words.ts";

/** "8 cases, 40 runs, 37 s, $0.29. Retries 2 (rate limit), timeouts 0, not run 0." */
export function totalsSentence(report: EvalReport): string {
  const { totals } = report;
  const retries = Object.entries(totals.retries);
  const retryCount = retries.reduce((sum, [, amount]) => sum + amount, 0);
  const kinds = retryCount === 0 ? "" : ` (${retries.map(([kind]) => kind.replace("-", " ")).join(", ")})`;
  const cost =
    totals.costUsd === undefined
      ? ""
      : `, ${dollars(totals.costUsd)}${totals.runsWithoutCost > 0 ? ` (${count(totals.runsWithoutCost, "run")} without a price)` : ""}`;
  const used =
    totals.tokens === undefined ? "" : `, ${tokens(totals.tokens.input + totals.tokens.output + totals.tokens.cached)}`;
  return `${count(totals.cases, "case")}, ${count(totals.runs, "run")}, ${duration(totals.durationMs)}${used}${cost}. Retries ${retryCount}${kinds}, timeouts ${totals.timeouts}${endingTotals(totals)}, not run ${totals.notRun}.${judgeSentence(totals)}`;
}

/** " Judges: 40 questions, 12,000 tokens, $0.02; they disagreed on 3 of 20 runs. Simulated users: 12 messages, $0.01." */
function judgeSentence({ judges, users, fromCache }: EvalReport["totals"]): string {
  const cached = fromCache === undefined ? "" : ` From the cache: ${count(fromCache, "answer")}.`;
  const votes =
    judges === undefined || judges.disagreements === 0
      ? ""
      : `; they disagreed on ${integer(judges.disagreements)} of ${count(judges.panels, "run")}`;
  return [
    judges === undefined ? "" : ` Judges: ${askedWords(judges, "question")}${votes}.`,
    users === undefined ? "" : ` Simulated users: ${askedWords(users, "message")}.`,
    cached,
  ].join("");
}

function askedWords({ questions, tokens: used, costUsd, unpriced }: AskedTotals, noun: string): string {
  const cost = costUsd === undefined ? "" : `, ${dollars(costUsd)}`;
  const blind =
    unpriced === 0 ? "" : `${cost === "" ? ", " : " ("}${unpriced} without a price${cost === "" ? "" : ")"}`;
  return `${count(questions, noun)}${used === undefined ? "" : `, ${tokens(used)}`}${cost}${blind}`;
}

/** How many runs ended otherwise than by an answer: ", ended at a limit 2 (turns), broke down 1, outages 3". */
function endingTotals({ limits, brokeDown, outages }: EvalReport["totals"]): string {
  const reached = Object.entries(limits).filter(([kind]) => kind !== "timeout");
  const limited = reached.reduce((sum, [, amount]) => sum + amount, 0);
  return [
    limited === 0 ? "" : `, ended at other limits ${limited} (${reached.map(([kind]) => kind).join(", ")})`,
    brokeDown === 0 ? "" : `, broke down ${brokeDown}`,
    outages === 0 ? "" : `, outages ${outages}`,
  ].join("");
}
