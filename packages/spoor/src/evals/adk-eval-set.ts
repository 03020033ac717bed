/**
 * ADK eval sets (`.evalset.json`, and the older `.test.json` lists) → evaluators per case. ADK compares the tool uses of a
 * case by name and arguments, in order, nothing added: that is `exact` with exact arguments. Both spellings of its keys
 * (snake_case and camelCase) are read.
 */
import type { Json, JsonObject } from "@spoor/core";
import type { EvaluationTask, EvaluatorConfig } from "@spoor/core/evaluators/evaluation";
import type { YamlPath } from "@spoor/core/read/parse-yaml";
import { isObject, member, stringMember } from "@spoor/core/trace/json";
import type { ExpectedStep, TrajectorySpec } from "@spoor/core/trajectory/trajectory";
import type { ProblemList } from "@spoor/core/yaml/problem-list";

export interface AdkCase {
  readonly id: string;
  readonly evaluators: readonly EvaluatorConfig[];
  readonly task: EvaluationTask;
}

/** True for a document that only ADK writes. */
export function isAdkEvalSet(document: Json): boolean {
  if (Array.isArray(document))
    return (
      document.length > 0 &&
      document.every((item: Json) => either(item, "expected_tool_use", "expectedToolUse") !== undefined)
    );
  const cases = either(document, "eval_cases", "evalCases");
  return Array.isArray(cases) && cases.some((item: Json) => Array.isArray(member(item, "conversation")));
}

export function parseAdkEvalSet(document: Json, problems: ProblemList): AdkCase[] {
  if (Array.isArray(document)) return [legacyCase(document as readonly Json[], problems)];
  const key = member(document, "eval_cases") === undefined ? "evalCases" : "eval_cases";
  const cases = member(document, key) as readonly Json[];
  return cases.flatMap((raw, index) => {
    const conversation = member(raw, "conversation");
    const path = [key, index];
    if (!Array.isArray(conversation)) {
      problems.add(path, 'a case needs "conversation", the list of its invocations.');
      return [];
    }
    const invocations = conversation as readonly Json[];
    const steps = invocations.flatMap((invocation, at) =>
      toolUses(invocation, [...path, "conversation", at], problems),
    );
    return [
      adkCase(
        stringMember(raw, "eval_id") ?? stringMember(raw, "evalId") ?? `case-${index + 1}`,
        steps,
        taskOf(invocations),
      ),
    ];
  });
}

function adkCase(id: string, expected: readonly ExpectedStep[], task: EvaluationTask): AdkCase {
  const params: TrajectorySpec = { mode: "exact", argsMatch: "exact", expected };
  const evaluator: EvaluatorConfig<TrajectorySpec> = {
    name: "tool_trajectory",
    type: "tool_trajectory",
    weight: 1,
    required: false,
    negate: false,
    params,
  };
  return { id, evaluators: [evaluator], task: { id, ...task } };
}

/** `intermediate_data.tool_uses`, or the function calls among its `invocation_events`. */
function toolUses(invocation: Json, path: YamlPath, problems: ProblemList): ExpectedStep[] {
  const data = either(invocation, "intermediate_data", "intermediateData");
  const uses = either(data, "tool_uses", "toolUses");
  if (Array.isArray(uses))
    return (uses as readonly Json[]).flatMap((use, index) => stepOf(use, [...path, "tool_uses", index], problems));
  const events = either(data, "invocation_events", "invocationEvents");
  if (!Array.isArray(events)) return [];
  return (events as readonly Json[]).flatMap((event) => {
    const parts = member(member(event, "content"), "parts");
    return (Array.isArray(parts) ? (parts as readonly Json[]) : []).flatMap((part) => {
      const call = either(part, "function_call", "functionCall");
      return call === undefined ? [] : stepOf(call, path, problems);
    });
  });
}

function stepOf(use: Json, path: YamlPath, problems: ProblemList): ExpectedStep[] {
  const tool = stringMember(use, "name") ?? stringMember(use, "tool_name");
  const args = either(use, "args", "tool_input");
  if (tool === undefined) {
    problems.add(path, 'a tool use needs "name".');
    return [];
  }
  // Arguments are data here: a key that begins with $ is no matcher.
  return [isObject(args) ? { tool, args: literal(args) } : { tool }];
}

function literal(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === "object" && value !== null ? { $literal: value } : value,
    ]),
  );
}

function taskOf(invocations: readonly Json[]): EvaluationTask {
  const question = invocations
    .map((invocation) => contentText(either(invocation, "user_content", "userContent")))
    .filter(Boolean);
  const answer = contentText(either(invocations.at(-1), "final_response", "finalResponse"));
  return {
    ...(question.length === 0 ? {} : { question: question.join("\n") }),
    ...(answer === "" ? {} : { referenceAnswer: answer }),
  };
}

function contentText(content: Json | undefined): string {
  const parts = member(content, "parts");
  return Array.isArray(parts)
    ? (parts as readonly Json[]).flatMap((part) => stringMember(part, "text") ?? []).join("\n")
    : "";
}

function legacyCase(list: readonly Json[], problems: ProblemList): AdkCase {
  const steps = list.flatMap((turn, index) => {
    const uses = either(turn, "expected_tool_use", "expectedToolUse");
    return (Array.isArray(uses) ? (uses as readonly Json[]) : []).flatMap((use, at) =>
      stepOf(use, [index, at], problems),
    );
  });
  const question = list.flatMap((turn) => stringMember(turn, "query") ?? []).join("\n");
  const answer = stringMember(list.at(-1), "reference");
  return adkCase("conversation", steps, { question, ...(answer === undefined ? {} : { referenceAnswer: answer }) });
}

function either(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  for (const key of keys) {
    const found = member(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
