/** What an evaluator found, in one line. */
import type { EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import type { TrajectoryResult } from "@spoor/core/internal/trajectory/trajectory";
import type { Text } from "../../document/document.ts";
import { joined, name, say } from "../../document/text.ts";
import { count } from "../../document/words.ts";

/** `1 of 3 steps`, `lookup_order 1 call, at most 2`. */
export function evaluatorSummary(evaluator: EvaluatorResult): Text {
  const { trajectory, checks, negated, status, notChecked = [] } = evaluator;
  if (status === "not_evaluated") return [`not evaluated: ${notChecked.join("; ")}`];
  const words = trajectory === undefined ? checkSummary(evaluator) : trajectorySummary(trajectory);
  if (negated) return say`${words} (expected not to hold)`;
  return checks.length === 0 && words.length === 0 ? ["no lines"] : words;
}

/** One line that held speaks for itself; the others are listed below. */
function checkSummary({ checks, parts, status }: EvaluatorResult): Text {
  if (parts !== undefined)
    return [`${parts.filter((part) => part.status === "passed").length} of ${count(parts.length, "part")} pass`];
  if (checks.length === 1 && status === "passed") return [checks[0]!.text];
  return [`${checks.filter((check) => check.passed).length} of ${count(checks.length, "check")}`];
}

export function trajectorySummary(result: TrajectoryResult): Text {
  if (result.noTrace) return ["no trace: the run has no messages"];
  switch (result.mode) {
    case "any_order":
      return result.counts.length === 0 ? ["nothing asked"] : joined(result.counts.map(countWords), "; ");
    case "subset":
      if (result.callCount === 0) return ["no calls"];
      return [`${result.allowedCalls} of ${count(result.callCount, "call")} allowed`];
    default:
      return [sequenceWords(result)];
  }
}

function sequenceWords(result: TrajectoryResult): string {
  const matched = result.steps.filter((step) => step.passed).length;
  const limits = result.steps.filter((step) => step.limit !== undefined && step.limit.outcome !== "skipped");
  const kept = limits.filter((step) => step.limit!.outcome === "within").length;
  const parts = [`${matched} of ${count(result.expectedCount, "step")}`];
  if (limits.length > 0) parts.push(`${kept} of ${count(limits.length, "limit")}`);
  if (result.groups.length > 0) {
    const together = result.groups.filter((group) => group.passed).length;
    parts.push(`${together} of ${count(result.groups.length, "group")} in one turn`);
  }
  if (result.extras.length > 0) parts.push(count(result.extras.length, "extra call"));
  return parts.join(", ");
}

function countWords({ tool, kind, called, limit }: TrajectoryResult["counts"][number]): Text {
  return say`${name(tool)} ${count(called, "call")}, at ${kind === "minimum" ? "least" : "most"} ${limit}`;
}
