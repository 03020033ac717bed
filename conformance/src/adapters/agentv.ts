/**
 * Tool trajectories and the other deterministic evaluators, as AgentV computed them. Scores, verdicts, the number of
 * aspects and the number of lines are compared; the wording is ours. Entries go through our own parser.
 */

import type { Json, JsonObject, Trace } from "@spoor/core";
import { agentvVerdict } from "@spoor/core/internal/evals/agentv-verdict";
import {
  type EvaluationSubject,
  type EvaluatorConfig,
  type EvaluatorResult,
  hitsOf,
  missesOf,
  PASS_LINE,
  statusOfScore,
} from "@spoor/core/internal/evaluators/evaluation";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import { pureEvaluators } from "@spoor/core/internal/evaluators/evaluators";
import { runEvaluatorsWith } from "@spoor/core/internal/evaluators/run-evaluators";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { isObject, member, numberMember } from "@spoor/core/internal/trace/json";
import { agentv } from "spoor/internal/formats/agentv";
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
    const counts = member(member(testCase, "trace_summary"), "tool_calls_by_name");
    const document = Array.isArray(messages) ? { output_messages: messages.map(withoutEnds) } : undefined;
    const subject = subjectOf(document, counts);
    const result = await evaluate(member(testCase, "config")!, subject);
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
      verdict: isThreeWay ? agentvVerdict(statusOfScore(score)) : binaryVerdict(score),
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
    const result = await evaluate(member(testCase, "config")!, subjectOfGiven(given));
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
        ...(verdict === undefined ? {} : { verdict: isThreeWay ? agentvVerdict(result) : binaryVerdict(result.score) }),
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

async function evaluate(config: Json, subject: EvaluationSubject): Promise<EvaluatorResult | string> {
  const problems = new Problems(valueSource([config], "vector"));
  const configs = evaluatorList(pureEvaluators).read(problems.root());
  if (configs === undefined) return problems.errors.map((entry) => entry.message).join(" ");
  const context = {
    evaluateAll: (members: readonly EvaluatorConfig[]) => runEvaluatorsWith(members, subject, pureEvaluators, context),
  };
  const results = await runEvaluatorsWith(configs, subject, pureEvaluators, context);
  return results[0]!;
}

/** What a run gave, read as a result of AgentV's that holds the same. */
function subjectOfGiven(given: JsonObject): EvaluationSubject {
  const candidate = member(given, "candidate");
  const llmCalls = numberMember(given, "llm_call_count");
  const assistant = { role: "assistant", content: typeof candidate === "string" ? candidate : "" };
  const hasMessages = candidate !== undefined || llmCalls !== undefined;
  const document: Record<string, Json> = { output_messages: hasMessages ? Array(llmCalls ?? 1).fill(assistant) : [] };
  for (const key of ["token_usage", "cost_usd", "duration_ms"]) {
    const value = member(given, key);
    if (value !== undefined) document[key] = value;
  }
  const expectedMessages = member(given, "expected_messages");
  const subject = subjectOf(document, member(given, "tool_calls_by_name"));
  return Array.isArray(expectedMessages) ? { ...subject, task: { expectedMessages } } : subject;
}

/** The reference takes only `duration_ms` for a duration; we also take the time between the start and the end of a call. */
function withoutEnds(message: Json): Json {
  const calls = member(message, "tool_calls");
  if (!isObject(message) || !Array.isArray(calls)) return message;
  const cut = (call: Json) => {
    if (!isObject(call)) return call;
    const { end_time: _end, ...rest } = call;
    return rest;
  };
  return { ...message, tool_calls: calls.map(cut) };
}

function subjectOf(document: Json | undefined, counts: Json | undefined): EvaluationSubject {
  const subject = subjectOfTrace(document === undefined ? undefined : traceOf(document));
  const toolCounts = countsOf(counts);
  return toolCounts === undefined ? subject : { ...subject, hasTrace: true, toolCounts };
}

function traceOf(document: Json): Trace {
  const context = {
    file: "vector",
    lenient: false,
    fail: (message: string) => {
      throw new Error(message);
    },
  };
  return buildTrace(agentv.readDocument!(document, context)[0]!.records);
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
