import { describe, expect, it } from "vitest";
import { policyOf, rule, standalone, traceOfRecords, turn, turnsOf, violationsOf } from "../../../test/policy.ts";
import type { Json } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";

const refund = (amount: number) => ({ name: "issue_refund", input: { refund: { amount } } });

describe("no_call with args", () => {
  const large = rule("no_call", { tool: "issue_refund", args: [{ path: "refund.amount", op: ">", value: 75 }] });
  it("reports only calls whose arguments match, with the value", () => {
    const violations = violationsOf(
      [large],
      traceOfRecords(turn({ calls: [refund(40)] }), turn({ calls: [refund(89)] })),
    );
    expect(violations).toMatchObject([
      {
        turnIndex: 1,
        message: "refund.amount is 89, allowed up to 75.",
        evidence: { path: "refund.amount", tool: "issue_refund", blockIndex: 0 },
      },
    ]);
  });
  it("cannot judge a call without recorded arguments", () => {
    const trace = traceOfRecords({
      kind: "chat_response",
      payload: { content: [{ type: "tool_use", name: "issue_refund" }] },
    });
    expect(checkPolicy(trace, policyOf([large])).notEvaluated).toEqual([
      { what: "r", why: "a call of issue_refund was recorded without its arguments" },
    ]);
  });
  it("takes a list of tools", () => {
    expect(turnsOf(rule("no_call", { tool: ["a", "b"] }), traceOfRecords(turn({ calls: ["b", "c", "a"] })))).toEqual([
      0, 0,
    ]);
  });
});

it("a call recorded on its own before any response counts in pair 0", () => {
  expect(turnsOf(rule("no_call", { tool: "del" }), traceOfRecords(standalone("del"), turn({ text: "x" })))).toEqual([
    0,
  ]);
});

it.each<[string, Json]>([
  ["a list", [1]],
  ["a text", "rm"],
  ["nothing", null],
])("is broken by a call whose input is %s", (_name, input) => {
  expect(
    turnsOf(
      rule("no_call", { tool: "delete_user" }),
      traceOfRecords(turn({ calls: [{ name: "delete_user", input }] })),
    ),
  ).toEqual([0]);
});
