/** `toFollowTrajectory`: the trajectory evaluator as a matcher, with the CLI's own explanation as its message. */

import type { JsonObject } from "@spoor/core";
import type { EvaluatorConfig, EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import { resultOf } from "@spoor/core/internal/evaluators/run-evaluators";
import { evaluateTrajectory } from "@spoor/core/internal/evaluators/trajectory-evaluator";
import { makeTrajectory, trajectoryFields } from "@spoor/core/internal/evaluators/trajectory-fields";
import { Problems } from "@spoor/core/internal/read/located";
import { mapping } from "@spoor/core/internal/read/mapping";
import { valueSource } from "@spoor/core/internal/read/source";
import type { TrajectorySpec } from "@spoor/core/internal/trajectory/trajectory";
import { ruledOutText } from "../describe/score/ruled-out.ts";
import { trajectorySummary } from "../describe/score/summary.ts";
import { trajectoryBlocks } from "../describe/score/trajectory.ts";
import { say } from "../document/text.ts";
import { wordsOf } from "../write/terminal/inline.ts";
import { createTerminalStyle } from "../write/terminal/terminal-style.ts";
import { blockLines } from "../write/terminal/write-terminal.ts";
import { subjectOf } from "./received.ts";

/** A list of steps, or an entry as in an evaluators file (`mode`, `expected`, `minimums`, …) with an optional pass line. */
export type TrajectoryExpectation =
  | readonly unknown[]
  | { readonly mode: string; readonly minScore?: number; readonly [key: string]: unknown };

export function toFollowTrajectory(
  received: unknown,
  expected: TrajectoryExpectation,
): { pass: boolean; message: () => string } {
  const { spec, minScore } = parseExpectation(expected);
  const config: EvaluatorConfig = {
    name: "trajectory",
    type: "tool_trajectory",
    weight: 1,
    required: false,
    minScore,
    negate: false,
    params: spec,
  };
  const result = resultOf(config, evaluateTrajectory(subjectOf(received), spec));
  const pass = result.status === "passed";
  return {
    pass,
    message: () => (pass ? "Expected the calls not to follow the trajectory, but they do." : failureMessage(result)),
  };
}

const expectation = mapping("the expectation", trajectoryFields, { alsoCamelCase: true });

/** A test asks for everything: without `minScore` the pass line is 1. */
function parseExpectation(expected: TrajectoryExpectation): { spec: TrajectorySpec; minScore: number } {
  const { minScore = 1, ...entry } = (
    Array.isArray(expected) ? { mode: "in_order", expected } : expected
  ) as JsonObject & { minScore?: number };
  const problems = new Problems(valueSource(JSON.parse(JSON.stringify(entry)) as JsonObject, "the expectation"));
  const at = problems.root();
  const values = expectation.read(at);
  const spec = values === undefined ? undefined : makeTrajectory(values, at);
  if (spec !== undefined) return { spec, minScore };
  throw new TypeError(problems.errors.map(({ message }) => message).join("\n"));
}

function failureMessage(result: EvaluatorResult): string {
  const style = createTerminalStyle();
  const trajectory = result.trajectory!;
  const head = say`Expected the calls to follow the trajectory (${trajectory.mode}): ${trajectorySummary(trajectory)}, score ${result.score.toFixed(2)}, needed ${result.passLine.toFixed(2)}.`;
  const made = trajectory.callCount === 0 ? ["No tool was called."] : [];
  const steps = trajectoryBlocks(trajectory).flatMap((block) => blockLines(block, 4, style));
  const ruledOut = result.reason === "ruled_out" ? [`    ${wordsOf(ruledOutText(result), style)}`] : [];
  return [wordsOf(head, style), ...made, ...steps, ...ruledOut].join("\n");
}
