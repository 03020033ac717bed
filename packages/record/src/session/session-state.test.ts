/** A session that is saved and restored between any two steps behaves like one that never was. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuard, type GuardSession } from "../index.ts";

const when = [{ path: "model", op: "==", value: "m" }];
const kinds: [string, JsonObject, JsonObject?][] = [
  ["forbidden_text", { text: "bad" }],
  ["ltl_formula", { formula: "G (tool_call:a -> X tool_call:b)" }],
  ["ltl_formula", { formula: "(!tool_call:b W tool_call:a) & F text_contains:fine" }],
  ["max_calls", { tool: "a", limit: 2 }],
  ["max_calls", { limit: 1, same_args: true }],
  ["max_calls", { tool: "a", limit: 1 }, { when }],
  ["max_calls", { tool: "a", limit: 1 }, { scope: "session" }],
  ["max_total_tokens", { limit: 5 }],
  ["max_turns", { limit: 2 }],
  ["must_call_all", { tools: ["a", "b"] }],
  ["must_call_before", { first: "a", second: "b" }],
  ["must_call_before", { first: "a", second: "b", each: true }],
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
  ["no_call", { tool: "a" }],
  ["no_failed_call", {}],
  ["no_flow", { from: ["a"], to: ["b"] }],
  ["no_parallel", { tools: ["a", "b"] }],
  ["only_calls", { tools: ["a"] }],
  ["must_call_before", { first: "a", second: "b", same: "value", each: true }],
  ["required_stop_reason", { allowed: ["end_turn"] }],
];

type Step =
  | { readonly turn: string; readonly model: string; readonly calls: readonly string[] }
  | { readonly call: string; readonly value: string; readonly ends: "ok" | "error" | "later" };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      turn: fc.constantFrom("fine", "bad", "{}"),
      model: fc.constantFrom("m", "n"),
      calls: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
    }),
    fc.record({
      call: fc.constantFrom("a", "b"),
      value: fc.constantFrom("order_123456", "order_654321"),
      ends: fc.constantFrom("ok", "error", "later"),
    }),
  ),
  { maxLength: 12 },
);

function take(session: GuardSession, step: Step, index: number): unknown {
  if ("turn" in step) {
    const content = [
      { type: "text", text: step.turn },
      ...step.calls.map((name, call) => ({ type: "tool_use", id: `${index}-${call}`, name, input: {} })),
    ];
    const stop_reason = step.calls.length > 0 ? "tool_use" : "end_turn";
    const response = { content, stop_reason, usage: { input_tokens: 1, output_tokens: 1 } };
    return session.turn({ model: step.model, messages: [] }, response);
  }
  const verdict = session.judgeCall(step.call, { value: step.value }, `call-${index}`);
  if (step.ends === "ok") verdict.settle({ output: { found: step.value } });
  if (step.ends === "error") verdict.settle({ error: "no" });
  return [verdict.allowed, verdict.violations];
}

describe.each(kinds)("%s %j", (kind, params, extra) => {
  const policy = parsePolicy(JSON.stringify([{ id: "r", kind, params, ...extra }]), { file: "p.json" });
  it.each(["replace", "warn"] as const)("goes on as if nothing had happened, in mode %s", (mode) => {
    fc.assert(
      fc.property(steps, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (all, saves) => {
        const whole = createGuard(policy, { turns: true, mode }).session("s");
        let parts = createGuard(policy, { turns: true, mode }).session("s");
        for (const [index, step] of all.entries()) {
          if (saves[index]) parts = createGuard(policy, { turns: true, mode }).restore("s", parts.save());
          expect(take(parts, step, index)).toEqual(take(whole, step, index));
        }
        expect(parts.close()).toEqual(whole.close());
      }),
      { numRuns: 60 },
    );
  });
});

describe("what cannot be gone on with is refused", () => {
  const policyOf = (limit: number) =>
    parsePolicy(JSON.stringify([{ id: "r", kind: "max_calls", params: { tool: "a", limit } }]), { file: "p.json" });
  const saved = createGuard(policyOf(1)).session("s").save();
  it.each([
    ["another policy", saved, policyOf(2)],
    ["no JSON", saved.slice(0, 40), policyOf(1)],
    ["something else", '{"a":1}', policyOf(1)],
    ["a later version", saved.replace('"spoorSession":1', '"spoorSession":99'), policyOf(1)],
    ["parts missing", saved.replace('"rules":[', '"rules":[null,'), policyOf(1)],
  ])("%s", (_name, text, policy) => {
    expect(() => createGuard(policy).restore("s", text)).toThrow(expect.objectContaining({ code: "guard.state" }));
  });
  it("and so is a session that is open", () => {
    const guard = createGuard(policyOf(1));
    guard.session("s");
    expect(() => guard.restore("s", saved)).toThrow(/is open/);
  });
});
