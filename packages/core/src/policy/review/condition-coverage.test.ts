import { expect, it } from "vitest";
import { buildTrace } from "../../trace/build-trace.ts";
import { parsePolicy } from "../parse-policy.ts";
import { coverConditions } from "./condition-coverage.ts";

const coverage = (yaml: string) =>
  coverConditions(parsePolicy(yaml, { file: "p.yaml" }), ({ records }) => buildTrace(records!)).map(
    ({ ruleId, place, condition, holds, fails }) => `${ruleId} ${place} ${condition}: ${holds} ${fails}`,
  );

it("counts in how many examples of its rule a condition held, and in how many it did not", () => {
  const text = `rules:
  - id: large
    kind: no_call
    params: { tool: refund, args: [{ path: amount, op: ">", value: 75 }, { path: currency, op: "==", value: EUR }] }
    when: [{ path: model, op: "==", value: big }]
  - { id: other, kind: no_call, params: { tool: refund, args: [{ path: amount, op: "<", value: 0 }] } }
  - id: next
    kind: must_followup
    params: { trigger: { path: stop_reason, op: "==", value: tool_use }, must: { kind: text_includes, text: done } }
examples:
  - { fails: large, turns: [{ model: big, calls: [{ name: refund, args: { amount: 80, currency: EUR } }] }] }
  - { passes: large, turns: [{ model: big, calls: [{ name: refund, args: { amount: 5, currency: EUR } }] }] }
  - { passes: next, turns: [{ calls: x }, { text: done }] }
  - { passes: other, turns: [{ calls: [{ name: lookup, args: { amount: -5 } }] }] }
`;
  expect(coverage(text)).toEqual([
    'large when model is "big": 2 0',
    "large args amount > 75: 1 1",
    'large args currency is "EUR": 2 0',
    // The only call is of another tool.
    "other args amount < 0: 0 0",
    'next trigger stop_reason is "tool_use": 1 1',
  ]);
});

it("counts neither way what cannot be told", () => {
  const text = `rules: [{ id: r, kind: no_call, params: { tool: refund, args: [{ path: amount, op: ">", value: 75 }] } }]
examples: [{ fails: r, turns: [{ calls: [{ name: refund, args: { amount: "80" } }, { name: refund, args: {} }] }] }]
`;
  expect(coverage(text)).toEqual(["r args amount > 75: 0 0"]);
});
