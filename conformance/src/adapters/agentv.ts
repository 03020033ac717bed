/**
 * Tool trajectories and the other deterministic evaluators, as AgentV computed them. Scores, verdicts, the number of
 * aspects and the number of lines are compared; the wording is ours. Entries go through our own parser.
 */
import type { Json, JsonObject } from "@spoor/core";
import {
  type EvaluatorConfig,
  type EvaluatorResult,
  hitsOf,
  missesOf,
  PASS_LINE,
  verdictOf,
} from "@spoor/core/evaluators/evaluation";
import { pureEvaluators } from "@spoor/core/evaluators/evaluators";
import { parseEvaluatorsWith } from "@spoor/core/evaluators/parse-evaluators";
import { runEvaluatorsWith } from "@spoor/core/evaluators/run-evaluators";
import { type ProviderOutput, subjectOfMessages } from "@spoor/core/evaluators/subject";
import { isObject, member, numberMember } from "@spoor/core/trace/json";
import { ProblemList } from "@spoor/core/yaml/problem-list";
import type { Adapter, Outcome } from "../adapter.ts";
import { compare } from "../compare.ts";

const TOLERANCE = { absolute: 1e-12 };

/** A config of type tool_trajectory and what came out of it. */
export const agentvTrajectoryAdapter: Adapter = {
  name: "agentv trajectory",
  matches: (testCase) =>
    isObject(member(testCase, "config")) &&
    Object.hasOwn(testCase, "output_messages") &&
    isObject(member(testCase, "expected")),
  async run(testCase) {
    const expected = member(testCase, "expected") as JsonObject;
    const messages = member(testCase, "output_messages");
    const toolCounts = countsOf(member(member(testCase, "trace_summary"), "tool_calls_by_name"));
    const output: ProviderOutput = {
      ...(Array.isArray(messages) ? { messages: messages as readonly Json[] } : {}),
      ...(toolCounts === undefined ? {} : { toolCounts }),
      trace: noTrace,
    };
    const result = await evaluate(member(testCase, "config")!, output);
    if (typeof result === "string") return problem(result);
    return compareTrajectory(expected, result);
  },
};

/** In `exact` the reference ignores extra calls: its score is the one we keep beside ours. */
function compareTrajectory(expected: JsonObject, result: EvaluatorResult): Outcome {
  const trajectory = result.trajectory!;
  const score = trajectory.scoreIgnoringExtras ?? result.score;
  // The reference has no length line when nothing is expected.
  const unexpectedLine = trajectory.mode === "exact" && trajectory.expectedCount === 0 && trajectory.extras.length > 0;
  const isThreeWay = member(expected, "verdict_binary") !== undefined;
  const hits = hitsOf(result).length + (unexpectedLine ? 1 : 0);
  const misses = missesOf(result).length - (unexpectedLine ? 1 : 0);
  return compare(
    { ...wanted(expected), verdict: member(expected, "verdict")! },
    {
      score,
      verdict: isThreeWay ? verdictOf(score) : binaryVerdict(score),
      aspects: trajectory.aspectsIgnoringExtras ?? result.aspects,
      hits,
      misses,
    },
    TOLERANCE,
  );
}

/** Evaluators around the trajectory: a config, what the run gave, and what one or two releases answered. */
export const agentvEvaluatorAdapter: Adapter = {
  name: "agentv evaluator",
  matches: (testCase) => isObject(member(testCase, "config")) && isObject(member(testCase, "given")),
  async run(testCase) {
    const expected = releaseToCompare(testCase);
    if (expected === undefined) return problem("no release is given");
    const given = member(testCase, "given") as JsonObject;
    const result = await evaluate(member(testCase, "config")!, outputOf(given), given);
    if (member(expected, "error") !== undefined)
      return typeof result === "string" ? { status: "passed" } : problem("accepted");
    if (typeof result === "string") return problem(result);
    const isThreeWay = expected === member(testCase, "seed_release");
    const verdict = member(expected, "verdict");
    const aspects = member(expected, "expected_aspect_count");
    return compare(
      { ...wanted(expected), ...(verdict === undefined ? {} : { verdict }) },
      {
        score: result.score,
        hits: hitsOf(result).length,
        misses: missesOf(result).length,
        ...(aspects === undefined ? {} : { aspects: result.aspects }),
        ...(verdict === undefined ? {} : { verdict: isThreeWay ? result.verdict : binaryVerdict(result.score) }),
      },
      TOLERANCE,
    );
  },
};

/** The first release, except where it cut its lists at four. */
function releaseToCompare(testCase: JsonObject): JsonObject | undefined {
  const seed = member(testCase, "seed_release");
  const latest = member(testCase, "latest");
  if (!isObject(seed)) return isObject(latest) ? latest : undefined;
  const isCut = ["hits", "misses"].some(
    (key) => lengthOf(member(seed, key)) === 4 && lengthOf(member(latest, key)) > 4,
  );
  return isCut && isObject(latest) ? latest : seed;
}

async function evaluate(
  config: Json,
  output: ProviderOutput,
  given: JsonObject = {},
): Promise<EvaluatorResult | string> {
  const problems = new ProblemList({
    file: "vector",
    value: config,
    locate: () => ({ file: "vector" }),
    excerpt: () => "",
  });
  const configs = parseEvaluatorsWith([config], { problems, path: [], registry: pureEvaluators });
  if (problems.problems.length > 0) return problems.problems.map((entry) => entry.message).join(" ");
  const expectedMessages = member(given, "expected_messages");
  const subject = subjectOfMessages(output, Array.isArray(expectedMessages) ? { expectedMessages } : {});
  const context = {
    evaluateAll: (members: readonly EvaluatorConfig[]) => runEvaluatorsWith(members, subject, pureEvaluators, context),
  };
  const results = await runEvaluatorsWith(configs, subject, pureEvaluators, context);
  return results[0]!;
}

function outputOf(given: JsonObject): ProviderOutput {
  const candidate = member(given, "candidate");
  const llmCalls = numberMember(given, "llm_call_count");
  const usage = member(given, "token_usage");
  const toolCounts = countsOf(member(given, "tool_calls_by_name"));
  const assistant = { role: "assistant", content: typeof candidate === "string" ? candidate : "" };
  const durationMs = numberMember(given, "duration_ms");
  const costUsd = numberMember(given, "cost_usd");
  return {
    ...(candidate === undefined && llmCalls === undefined
      ? {}
      : { messages: Array(llmCalls ?? 1).fill(assistant) as Json[] }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(isObject(usage) ? { tokenUsage: usage as unknown as NonNullable<ProviderOutput["tokenUsage"]> } : {}),
    ...(toolCounts === undefined ? {} : { toolCounts }),
    trace: noTrace,
  };
}

function countsOf(counts: Json | undefined): Map<string, number> | undefined {
  if (!isObject(counts)) return undefined;
  return new Map(Object.entries(counts).map(([tool, count]) => [tool, Number(count)]));
}

function wanted(expected: JsonObject): JsonObject {
  const aspects = member(expected, "expected_aspect_count");
  return {
    score: member(expected, "score")!,
    ...(aspects === undefined ? {} : { aspects }),
    hits: lengthOf(member(expected, "hits")),
    misses: lengthOf(member(expected, "misses")),
  };
}

function binaryVerdict(score: number): string {
  return score >= PASS_LINE ? "pass" : "fail";
}

function lengthOf(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

function problem(message: string): Outcome {
  return { status: "failed", mismatches: [{ path: "", expected: undefined, actual: message }] };
}

function noTrace(): never {
  throw new Error("none of these evaluators reads turns");
}
