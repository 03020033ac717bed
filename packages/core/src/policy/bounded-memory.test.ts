/** What a rule has to tell apart is remembered up to a limit; what comes beyond it is not let through, and nothing grows. */
import { describe, expect, it } from "vitest";
import { policyOf, rule } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { MAX_REMEMBERED } from "./layered-map.ts";
import { createMonitor } from "./monitor.ts";

function callOf(name: string, value: string, position: number): ToolCall {
  return { id: `c${position}`, name, input: { value }, status: "unknown", turnIndex: -1, position, standalone: true };
}

describe.each<[string, JsonObject, { readonly again: string; readonly ends: "ok" | "error" }]>([
  ["max_calls of the same arguments", rule("max_calls", { limit: 2, same_args: true }), { again: "a", ends: "ok" }],
  [
    "an order by the same value",
    rule("must_call_before", { first: "a", second: "b", same: "value" }),
    { again: "a", ends: "ok" },
  ],
  ["failed calls", rule("no_blind_retry", {}), { again: "get_a", ends: "error" }],
  ["values that must not flow", rule("no_flow", { from: "a", to: "b" }), { again: "b", ends: "ok" }],
])("%s", (_name, one, { again, ends }) => {
  const policy = policyOf([one]);
  const monitor = createMonitor(policy);
  let position = 0;
  const judge = (name: string, value: string) => {
    const call = callOf(name, value, position++);
    const judgement = monitor.judgeCall({ call, turn: undefined });
    if (judgement.violations.length + judgement.notEvaluated.length > 0) return judgement;
    judgement.commit();
    monitor.result({ call: { ...call, status: ends, output: value }, turn: undefined });
    return judgement;
  };
  const fill = ends === "error" ? "get_a" : "a";
  for (let value = 0; value <= MAX_REMEMBERED; value++) judge(fill, `order_${value}`);
  const size = JSON.stringify(monitor.save()).length;

  it("refuses what it could not remember, and says why", () => {
    for (let value = 0; value < 50; value++) {
      const { notEvaluated } = judge(again, `another_${value}`);
      expect(notEvaluated).toMatchObject([
        {
          ruleId: expect.any(String),
          effect: "deny",
          why: expect.stringContaining(`more than ${MAX_REMEMBERED} different`),
        },
      ]);
    }
  });

  it("and remembers no more", () => {
    // Numbers of calls have digits, nothing else is new.
    expect(Math.abs(JSON.stringify(monitor.save()).length - size)).toBeLessThan(100);
  });
});

it("what waits for the first response is kept once, however often it is told", () => {
  const one = rule("must_call_before", { first: "a", second: "b", same: "value" });
  const monitor = createMonitor(policyOf([{ ...one, when: [{ path: "model", op: "==", value: "m" }] }]));
  const sizeAfter = (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const call = callOf("a", `order_${round % 5}`, 7);
      monitor.judgeCall({ call, turn: undefined }).commit();
      monitor.result({ call: { ...call, status: "ok" }, turn: undefined });
    }
    return JSON.stringify(monitor.save()).length;
  };
  const once = sizeAfter(100);
  expect(Math.abs(sizeAfter(100) - once)).toBeLessThan(100);
});
