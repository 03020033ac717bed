/** `toFollowTrajectory`: the trajectory evaluator as a matcher, with the CLI's own explanation as its message. */
import type { Json, JsonObject } from "@spoor/core";
import { EntryReader } from "@spoor/core/evaluators/entry-reader";
import type { EvaluatorConfig, EvaluatorResult } from "@spoor/core/evaluators/evaluation";
import { parseTrajectory } from "@spoor/core/evaluators/parse-trajectory";
import { resultOf } from "@spoor/core/evaluators/run-evaluators";
import { evaluateTrajectory } from "@spoor/core/evaluators/trajectory-evaluator";
import type { TrajectorySpec } from "@spoor/core/trajectory/trajectory";
import { ProblemList } from "@spoor/core/yaml/problem-list";
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
  const pass = result.verdict === "pass";
  return {
    pass,
    message: () => (pass ? "Expected the calls not to follow the trajectory, but they do." : failureMessage(result)),
  };
}

/** A test asks for everything: without `minScore` the pass line is 1. */
function parseExpectation(expected: TrajectoryExpectation): { spec: TrajectorySpec; minScore: number } {
  const { minScore = 1, ...entry } = (
    Array.isArray(expected) ? { mode: "in_order", expected } : expected
  ) as JsonObject & { minScore?: number };
  const raw = JSON.parse(JSON.stringify(entry)) as JsonObject;
  const problems = new ProblemList({
    file: "the expectation",
    value: raw as Json,
    locate: () => ({}),
    excerpt: () => "",
  });
  const reader = new EntryReader(raw, [], problems, "the expectation");
  const spec = parseTrajectory(reader);
  reader.refuseUnknown();
  if (problems.problems.length > 0) throw new TypeError(problems.problems.map(({ message }) => message).join("\n"));
  return { spec, minScore };
}

function failureMessage(result: EvaluatorResult): string {
  const style = createTerminalStyle();
  const trajectory = result.trajectory!;
  const head = say`Expected the calls to follow the trajectory (${trajectory.mode}): ${trajectorySummary(trajectory)}, score ${result.score.toFixed(2)}, needed ${result.passLine.toFixed(2)}.`;
  const made = trajectory.callCount === 0 ? ["No tool was called."] : [];
  const steps = trajectoryBlocks(trajectory).flatMap((block) => blockLines(block, 4, style));
  return [wordsOf(head, style), ...made, ...steps].join("\n");
}
