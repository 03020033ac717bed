/** Whatever stands in a trace: a check never throws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyOf } from "../../test/policy.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { checkPolicy } from "./check-policy.ts";
import { ruleKinds } from "./rules.ts";

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

describe("checking", () => {
  const sound: Record<string, Json> = {
    must_call_before: { first: "a", second: "b", each: true },
    must_call_once: { tool: "a", if_offered: true },
    must_call_one_of: { tools: ["a"] },
    only_calls: { tools: ["a", "b*"] },
    no_command: { commands: [{ program: "a", options: ["-f"], paths: ["/*"] }], tool: ["a", ""] },
    no_call: { tool: ["a", ""], args: [{ path: "x.*", op: "!=", value: 1 }] },
    max_calls: { limit: 0, same_args: true },
    no_parallel: { tools: ["a", "b"] },
    no_failed_call: {},
    no_blind_retry: {},
    no_flow: { from: "a", to: "b", min_length: 1 },
    max_turns: { n: 0 },
    must_call_all: { tools: ["a", "b"] },
    no_drift: { signal: "token_usage_spike" },
    known_path: {},
    max_total_tokens: { n: 0 },
    no_result: { matching: "a+", where: [{ path: "a", op: ">", value: 1 }], longer_than: 3 },
    max_cost: { limit: 1, per: { seconds: 60 } },
    required_stop_reason: { allowed: ["x", null] },
    must_include_text: { text: "x\ny" },
    must_include_text_each: { pattern: "x+" },
    forbidden_text: { text: "" },
    must_match_json_schema: { schema: { type: "object" } },
    must_remain_consistent: { path: "response.*" },
    must_followup: {
      trigger: [{ path: "request.messages.*.role", op: "contains", value: "u" }],
      must: { kind: "tool_call", tool_name: "a" },
    },
    must_be_grounded: { retrieval_path: "request.*" },
    ltl_formula: { formula: "G (tool_call:a -> X !text_contains:x) | F extra:k=v" },
  };
  const policy = policyOf(
    Object.entries(sound).flatMap(([kind, params]) => [
      { id: kind, kind, params },
      // Whole runs have neither sessions nor turns to choose from.
      ...(ruleKinds.some((one) => one.kind === kind && one.needsBaseline)
        ? []
        : [
            { id: `${kind}-session`, kind, params, scope: "session", when: [{ path: "response", op: "!=", value: 0 }] },
          ]),
    ]),
  );
  const content = fc.oneof(
    anyJson,
    fc.array(
      fc.oneof(
        anyJson,
        fc.record(
          {
            type: fc.constantFrom("text", "tool_use"),
            text: anyJson,
            name: fc.constantFrom("a", "b", 7, null),
            id: anyJson,
            input: anyJson,
          },
          { requiredKeys: ["type"] },
        ),
      ),
      { maxLength: 4 },
    ),
  );
  const payload = fc.oneof(
    anyJson,
    fc.record(
      {
        content,
        stop_reason: anyJson,
        usage: anyJson,
        messages: anyJson,
        tools: anyJson,
        metadata: anyJson,
        tool_name: anyJson,
        tool_call_id: fc.constantFrom("1", "2", 3),
        arguments: anyJson,
        output: anyJson,
        is_error: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  );
  const anyRecord = fc.record({
    kind: fc.constantFrom("metadata", "chat_request", "chat_response", "tool_call", "tool_result"),
    payload,
  });

  it("covers every kind", () => {
    expect(Object.keys(sound).sort()).toEqual(ruleKinds.map((kind) => kind.kind).sort());
  });

  it("never throws, and every violation points at a turn of the trace", () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 12 }), (records) => {
        const trace = buildTrace(records as unknown as TraceRecord[]);
        const { violations } = checkPolicy(trace, policy);
        for (const { turnIndex } of violations) {
          if (turnIndex === null) continue;
          expect(turnIndex).toBeGreaterThanOrEqual(0);
          expect(turnIndex).toBeLessThan(Math.max(1, trace.turns.length));
        }
      }),
      { numRuns: 500 },
    );
  });
});
