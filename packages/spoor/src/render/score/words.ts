/** Words that every format of the score report uses. */
import type { EvaluatorResult } from "@spoor/core/evaluators/evaluation";
import type { TrajectoryResult } from "@spoor/core/trajectory/trajectory";
import { printable } from "../../document/printable.ts";
import { count } from "../../document/words.ts";
import { columnsOf, padEnd } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";

/** The symbol of a verdict, as wide as its opposite, so that columns stay level in ASCII too. */
export function mark(passed: boolean, style: TerminalStyle): string {
  const { symbols, paint } = style;
  const width = Math.max(columnsOf(symbols.passed), columnsOf(symbols.failed));
  return padEnd(passed ? paint.good(symbols.passed) : paint.bad(symbols.failed), width);
}

/** What an evaluator found, in one line: `1 of 3 steps`, `lookup_order 1 call, at most 2`. */
export function evaluatorSummary(evaluator: EvaluatorResult): string {
  const { trajectory, checks, negated, verdict, notChecked } = evaluator;
  if (verdict === "skip") return `not evaluated: ${(notChecked ?? []).map(printable).join("; ")}`;
  const words = trajectory === undefined ? checkSummary(evaluator) : trajectorySummary(trajectory);
  return negated ? `${words} (expected not to hold)` : checks.length === 0 && words === "" ? "no lines" : words;
}

/** One line that held speaks for itself; the others are listed below. */
function checkSummary({ checks, parts, verdict }: EvaluatorResult): string {
  if (parts !== undefined)
    return `${parts.filter((part) => part.verdict === "pass").length} of ${count(parts.length, "part")} pass`;
  const passed = checks.filter((check) => check.passed);
  if (checks.length === 1 && verdict === "pass") return printable(checks[0]!.text);
  return `${passed.length} of ${count(checks.length, "check")}`;
}

export function trajectorySummary(result: TrajectoryResult): string {
  if (result.noTrace) return "no trace: the run has no messages";
  switch (result.mode) {
    case "any_order":
      return result.counts.length === 0 ? "nothing asked" : result.counts.map(countWords).join("; ");
    case "subset":
      if (result.callCount === 0) return "no calls";
      return `${result.allowedCalls} of ${count(result.callCount, "call")} allowed`;
    default:
      return sequenceWords(result);
  }
}

function sequenceWords(result: TrajectoryResult): string {
  const matched = result.steps.filter((step) => step.passed).length;
  const limits = result.steps.filter((step) => step.limit !== undefined && step.limit.outcome !== "skipped");
  const kept = limits.filter((step) => step.limit!.outcome === "within").length;
  const parts = [`${matched} of ${count(result.expectedCount, "step")}`];
  if (limits.length > 0) parts.push(`${kept} of ${count(limits.length, "limit")}`);
  if (result.groups.length > 0) {
    parts.push(
      `${result.groups.filter((group) => group.passed).length} of ${count(result.groups.length, "group")} in one turn`,
    );
  }
  if (result.extras.length > 0) parts.push(count(result.extras.length, "extra call"));
  return parts.join(", ");
}

function countWords({ tool, kind, called, limit }: TrajectoryResult["counts"][number]): string {
  return `${printable(tool)} ${count(called, "call")}, at ${kind === "minimum" ? "least" : "most"} ${limit}`;
}
