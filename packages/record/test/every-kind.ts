/** A rule, or several, of every kind that a guard can judge, about the tools `a`, `b` and `Bash` and what `takeStep` makes of them. */
import type { JsonObject } from "@spoor/core/internal/trace/json";
import type { GuardSession } from "../src/index.ts";

const when = [{ path: "model", op: "==", value: "m" }];

/** Kind, parameters, and what else the rule says. */
export const everyKind: readonly [string, JsonObject, JsonObject?][] = [
  ["forbidden_text", { text: "bad" }],
  ["ltl_formula", { formula: "G (tool_call:a -> X tool_call:b)" }],
  ["ltl_formula", { formula: "(!tool_call:b W tool_call:a) & F text_contains:fine" }],
  ["max_calls", { tool: "a", limit: 2 }],
  ["max_calls", { limit: 1, same_args: true }],
  ["max_calls", { tool: "a", limit: 1 }, { when }],
  ["max_calls", { tool: "a", limit: 1 }, { scope: "session" }],
  ["max_calls", { tool: "a", limit: 1, per: "minute" }],
  ["max_cost", { limit: 0.00001, prices: { m: [0.000001, 0.000002], n: [0.000001, 0.000002] } }],
  ["max_total_tokens", { limit: 5 }],
  ["max_turns", { limit: 2 }],
  ["must_be_grounded", { retrieval_path: "request.metadata.chunks" }],
  ["must_call_all", { tools: ["a", "b"] }],
  ["must_call_before", { first: "a", second: "b" }],
  ["must_call_before", { first: "a", second: "b", each: true }],
  ["must_call_before", { first: "a", second: "b", same: "value", each: true }],
  ["must_call_before", { first: "a", second: "b", within: { turns: 1 } }],
  ["must_call_once", { tool: "a" }],
  ["must_call_one_of", { tools: ["a", "b"] }],
  [
    "must_followup",
    { trigger: [{ path: "stop_reason", op: "==", value: "tool_use" }], must: { kind: "tool_call", tool_name: "b" } },
  ],
  ["must_include_text", { text: "fine" }],
  ["must_include_text_each", { text: "fine" }],
  ["must_match_json_schema", { schema: { type: "object" } }],
  ["must_remain_consistent", { path: "request.model" }],
  ["no_blind_retry", {}],
  ["no_blind_retry", { tool: "a" }, { when }],
  ["no_call", { tool: "a" }],
  ["no_call", { tool: "a" }, { agent: "main" }],
  ["no_command", { commands: [{ program: "rm", paths: ["/", "/home/ada"] }] }],
  ["no_failed_call", {}],
  ["no_flow", { from: ["a"], to: ["b"] }],
  ["no_result", { tool: ["a"], matching: "x" }],
  ["no_parallel", { tools: ["a", "b"] }],
  ["only_calls", { tools: ["a"] }],
  ["required_stop_reason", { allowed: ["end_turn"] }],
];

export type Step =
  | { readonly turn: string; readonly model: string; readonly calls: readonly string[] }
  | { readonly call: string; readonly value: string; readonly ends: "ok" | "error" | "later" };

/** Shows a session one step and says what it answered. */
export function takeStep(session: GuardSession, step: Step, index: number): unknown {
  if ("turn" in step) {
    const content = [
      { type: "text", text: step.turn },
      ...step.calls.map((name, call) => ({ type: "tool_use", id: `${index}-${call}`, name, input: {} })),
    ];
    const stop_reason = step.calls.length > 0 ? "tool_use" : "end_turn";
    const response = { content, stop_reason, usage: { input_tokens: 1, output_tokens: 1 } };
    return session.turn({ model: step.model, messages: [], metadata: { chunks: ["fine words"] } }, response);
  }
  const verdict = session.judgeCall(step.call, { value: step.value, command: step.value }, `call-${index}`);
  if (step.ends === "ok") verdict.settle({ output: { found: step.value } });
  if (step.ends === "error") verdict.settle({ error: "no" });
  return [verdict.allowed, verdict.violations];
}
