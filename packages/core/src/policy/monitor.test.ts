/** The promises the guard builds on: a probe changes nothing, and judging step by step finds what the batch check finds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyOf, rule, standalone, traceOfRecords, turn } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import type { ToolCall, Turn } from "../trace/trace.ts";
import { checkPolicy } from "./check-policy.ts";
import { TurnEvent } from "./events.ts";
import { createMonitor } from "./monitor.ts";
import type { RuleOutcome } from "./rule-outcome.ts";

const RULES: JsonObject[] = [
  rule("must_call_before", { first: "a", second: "b" }),
  rule("must_call_before", { first: "a", second: "b", each: true }),
  rule("must_call_once", { tool: "a" }),
  rule("must_call_one_of", { tools: ["c"] }),
  rule("no_call", { tool: "b" }),
  rule("max_calls", { tool: ["a", "b"], limit: 2 }),
  rule("max_calls", { limit: 1, same_args: true }),
  rule("no_parallel", { tools: ["a", "b"] }),
  rule("no_failed_call", {}),
  rule("no_blind_retry", {}),
  rule("no_flow", { from: "a", to: "b" }),
  rule("max_turns", { limit: 2 }),
  rule("must_call_all", { tools: ["a", "b"] }),
  rule("max_total_tokens", { limit: 20 }),
  rule("required_stop_reason", { allowed: "end_turn" }),
  rule("must_include_text", { text: "x\ny" }),
  rule("must_include_text_each", { text: "x" }),
  rule("forbidden_text", { text: "y" }),
  rule("must_match_json_schema", { schema: { type: "number" } }),
  rule("must_remain_consistent", { path: "request.model" }),
  rule("must_followup", { must: { kind: "tool_call", tool_name: "a" } }),
  rule("must_be_grounded", { retrieval_path: "request.c" }),
  rule("ltl_formula", { formula: "G (tool_call:a -> F tool_call:b) & G !text_contains:y" }),
].flatMap((one, index) => [
  { ...one, id: `trace-${index}` },
  { ...one, id: `session-${index}`, scope: "session" },
  { ...one, id: `gated-${index}`, when: [{ path: "model", op: "==", value: "m" }] },
]);
const policy = policyOf(RULES);

const anyTurn = fc
  .record({
    text: fc.constantFrom("x", "y", "1", ""),
    calls: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
    model: fc.constantFrom("m", "n"),
    after: fc.array(fc.constantFrom("a", "b"), { maxLength: 1 }),
  })
  .map(({ text, calls, model, after }) => [
    ...turn({
      text,
      calls,
      request: { model, messages: [{ role: "user", content: text }], c: ["x"] },
      response: { usage: { output_tokens: 9 } },
    }),
    ...after.map((name) => standalone(name)),
  ]);
const anyTrace = fc.array(anyTurn, { maxLength: 5 }).map((turns) => traceOfRecords(...turns));

describe("a judgement that is thrown away leaves no trace", () => {
  it("whatever was probed in between", () => {
    fc.assert(
      fc.property(anyTrace, anyTrace, (trace, probes) => {
        const plain = createMonitor(policy);
        const probed = createMonitor(policy);
        for (const one of trace.turns) {
          for (const probe of probes.turns) {
            const index = one.index;
            probed.judgeTurn(new TurnEvent({ ...probe, index }), 0, blocks({ ...probe, index }));
            for (const call of probe.toolCalls)
              probed.judgeCall({ call: { ...call, standalone: true }, turn: undefined });
          }
          for (const monitor of [plain, probed]) {
            monitor.judgeTurn(new TurnEvent(one), one.sessionIndex, blocks(one)).commit();
            for (const call of alone(one)) monitor.judgeCall({ call, turn: new TurnEvent(one) }).commit();
          }
        }
        expect(summary(probed.close())).toEqual(summary(plain.close()));
      }),
      { numRuns: 150 },
    );
  });

  it("and judging step by step ends where the batch check ends", () => {
    fc.assert(
      fc.property(anyTrace, (trace) => {
        // As for a finished trace: a running agent holds it against a call that nobody has reported its end.
        const monitor = createMonitor(policy, { live: false });
        for (const one of trace.turns) {
          const event = new TurnEvent(one);
          monitor.judgeTurn(event, one.sessionIndex, blocks(one)).commit();
          for (const call of alone(one)) monitor.judgeCall({ call, turn: event }).commit();
        }
        expect(summary(monitor.close())).toEqual(summary(checkPolicy(trace, policy).outcomes));
      }),
      { numRuns: 150 },
    );
  });
});

function blocks(one: Turn) {
  const event = new TurnEvent(one);
  return one.toolCalls.filter((call) => !call.standalone).map((call) => ({ call, turn: event }));
}

function alone(one: Turn): ToolCall[] {
  return one.toolCalls.filter((call) => call.standalone);
}

function summary(outcomes: readonly RuleOutcome[]) {
  return outcomes.map(({ rule: { id }, violations, notEvaluated, applied }) => ({
    id,
    applied,
    notEvaluated,
    violations: violations.map(({ turnIndex, sessionIndex, message }) => [turnIndex, sessionIndex, message]),
  }));
}

it("a request that tells what calls returned ends them", () => {
  const order = policyOf([rule("must_call_before", { first: "confirm", second: "refund" })]);
  const judge = (failed: boolean) => {
    const monitor = createMonitor(order);
    const trace = traceOfRecords(
      turn({ calls: [{ name: "confirm", id: "c1" }] }),
      turn({
        calls: [{ name: "refund", id: "c2" }],
        request: { messages: [{ role: "tool", tool_call_id: "c1", content: "no", is_error: failed }] },
      }),
    );
    const [first, second] = trace.turns.map((one) => new TurnEvent(one));
    monitor.judgeTurn(first!, 0, [{ call: { ...trace.toolCalls[0]!, status: "unknown" }, turn: first }]).commit();
    return monitor
      .judgeTurn(second!, 0, [{ call: trace.toolCalls[1]!, turn: second }])
      .violations.map(({ code }) => code);
  };
  expect(judge(false)).toEqual([]);
  expect(judge(true)).toEqual(["first_failed"]);
});
