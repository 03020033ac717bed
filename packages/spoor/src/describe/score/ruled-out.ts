/** Why a run does not pass although its score would do. */
import type { EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import type { TrajectoryFault, TrajectoryResult } from "@spoor/core/internal/trajectory/trajectory";
import type { Text } from "../../document/document.ts";
import { listed, name, say } from "../../document/text.ts";

/** "ruled out by pipeline-check", of a case. */
export function ruledOutBy(evaluators: readonly string[]): Text {
  return say`ruled out by ${listed(evaluators.map((one) => [name(one)]))}`;
}

/** One sentence below an evaluator whose score reaches its line; nothing below any other. */
export function ruledOutText({ reason, trajectory, parts, score }: EvaluatorResult): Text {
  if (reason !== "ruled_out") return [];
  const scored = score.toFixed(2);
  if (trajectory !== undefined) return [`${scored} is no pass: ${faultWords(trajectory)}.`];
  const members = (parts ?? []).filter((part) => part.ruledOut);
  if (members.length > 0) return say`${scored} is no pass: ${ruledOutBy(members.map((part) => part.name))}.`;
  return [`${scored} is no pass: what failed is not made good by the rest.`];
}

function faultWords({ mode, faults }: TrajectoryResult): string {
  return `${mode} admits no ${faults.map((fault) => faultName[fault]).join(" and no ")}`;
}

const faultName: Readonly<Record<TrajectoryFault, string>> = {
  missing_step: "missing step",
  extra_call: "extra call",
  over_maximum: "call beyond a maximum",
};
