/**
 * ADK eval sets (`.evalset.json`, and the older `.test.json` lists) → evaluators per case. ADK compares the tool uses of a
 * case by name and arguments, in order, nothing added: that is `exact` with exact arguments. Both spellings of its keys
 * (snake_case and camelCase) are read.
 */

import type { Json } from "@spoor/core";
import type { EvaluationTask, EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import type { Located } from "@spoor/core/internal/read/located";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import type { ExpectedStep, TrajectorySpec } from "@spoor/core/internal/trajectory/trajectory";
import { literalArgs } from "./literal-args.ts";

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

export function parseAdkEvalSet(root: Located): AdkCase[] {
  const document = root.value;
  if (Array.isArray(document)) return [legacyCase(root)];
  const key = member(document, "eval_cases") === undefined ? "evalCases" : "eval_cases";
  return root
    .get(key)!
    .items()
    .flatMap((at, index) => {
      const conversation = at.get("conversation");
      if (!Array.isArray(conversation?.value)) {
        at.problem("a case needs conversation: the list of its invocations.");
        return [];
      }
      const id = stringMember(at.value, "eval_id") ?? stringMember(at.value, "evalId") ?? `case-${index + 1}`;
      return [adkCase(id, conversation.items().flatMap(toolUses), taskOf(conversation.value as readonly Json[]))];
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
function toolUses(invocation: Located): ExpectedStep[] {
  const data = inside(invocation, "intermediate_data", "intermediateData");
  const uses = inside(data, "tool_uses", "toolUses");
  if (Array.isArray(uses?.value)) return uses.items().flatMap(stepOf);
  const events = inside(data, "invocation_events", "invocationEvents")?.items() ?? [];
  return events.flatMap((event) =>
    (event.get("content")?.get("parts")?.items() ?? []).flatMap((part) => {
      const call = inside(part, "function_call", "functionCall");
      return call === undefined ? [] : stepOf(call);
    }),
  );
}

function stepOf(use: Located): ExpectedStep[] {
  const tool = stringMember(use.value, "name") ?? stringMember(use.value, "tool_name");
  const args = either(use.value, "args", "tool_input");
  if (tool === undefined) {
    use.problem("a tool use needs name.");
    return [];
  }
  return [isObject(args) ? { tool, args: literalArgs(args) } : { tool }];
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

function legacyCase(root: Located): AdkCase {
  const turns = root.items();
  const steps = turns.flatMap((turn) =>
    (inside(turn, "expected_tool_use", "expectedToolUse")?.items() ?? []).flatMap(stepOf),
  );
  const question = turns.flatMap(({ value }) => stringMember(value, "query") ?? []).join("\n");
  const answer = stringMember(turns.at(-1)?.value, "reference");
  return adkCase("conversation", steps, { question, ...(answer === undefined ? {} : { referenceAnswer: answer }) });
}

function inside(at: Located | undefined, ...keys: readonly string[]): Located | undefined {
  for (const key of keys) {
    const found = at?.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function either(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  for (const key of keys) {
    const found = member(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
