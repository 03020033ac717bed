import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { traceOf } from "../../../core/test/build.ts";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import "./vitest.ts";
import { behaviourText } from "./to-match-behaviour.ts";

const refund = { order_id: "A-7731", refund: { amount: 89, currency: "EUR" }, reason: "customer upset" };
const ticket = traceOf([
  { user: "refund!", calls: [{ name: "lookup_order", input: { order_id: "A-7731" }, output: "found" }] },
  { calls: [{ name: "issue_refund", input: refund, output: "ok" }] },
  { text: "I am so sorry." },
]);

function messageOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it passed");
}

describe("toFollowTrajectory", () => {
  it("passes on a trace, on messages, on names and on calls of an SDK", () => {
    expect(ticket).toFollowTrajectory(["lookup_order", { tool: "issue_refund", args: { order_id: "A-7731" } }]);
    expect([{ role: "assistant", tool_calls: [{ tool: "a" }] }]).toFollowTrajectory({ mode: "exact", expected: ["a"] });
    expect({ output_messages: [{ role: "assistant", tool_calls: [{ tool: "a" }] }] }).toFollowTrajectory(["a"]);
    expect(["a", "b"]).toFollowTrajectory({ mode: "any_order", minimums: { a: 1 }, maximums: { b: 1 } });
    expect([{ toolName: "a", input: { x: 1 } }]).toFollowTrajectory([{ tool: "a", args: { x: { $type: "integer" } } }]);
  });

  it("reads what the SDKs return", () => {
    const call = { id: "c1", type: "function", function: { name: "a", arguments: '{"x":1}' } };
    const step = [{ tool: "a", args: { x: 1 } }];
    expect({ choices: [{ message: { role: "assistant", content: null, tool_calls: [call] } }] }).toFollowTrajectory(
      step,
    );
    expect([
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "a", input: { x: 1 } }] },
    ]).toFollowTrajectory(step);
    expect({
      steps: [{ content: [{ type: "tool-call", toolName: "a", input: { x: 1 } }], finishReason: "stop" }],
    }).toFollowTrajectory(step);
    expect([{ role: "model", parts: [{ functionCall: { name: "a", args: { x: 1 } } }] }]).toFollowTrajectory(step);
  });

  it("asks for everything unless a lower pass line is given", () => {
    expect(["a"]).not.toFollowTrajectory(["a", "b"]);
    expect(["a"]).toFollowTrajectory({ mode: "in_order", expected: ["a", "b"], minScore: 0.5 });
  });

  it("exact admits neither a gap nor an extra call, whatever pass line is given", () => {
    const expected = { mode: "exact", expected: ["a", "b"], minScore: 0.1 };
    expect(["a", "b"]).toFollowTrajectory(expected);
    expect(["a", "b", "rm"]).toFollowTrajectory({ ...expected, extra: "allow" });
    expect(messageOf(() => expect(["a", "rm", "b"]).toFollowTrajectory(expected))).toMatchInlineSnapshot(`
      "Expected the calls to follow the trajectory (exact): 1 of 2 steps, 1 extra call, score 0.33, needed 0.10.
          ✓ 1  a  turn 1
          ✗ 2  b  rm stands there instead
              closest: turn 1
          + 1 call that no step asks for: rm (turn 1)
          0.33 is no pass: exact admits no missing step and no extra call."
    `);
  });

  it("explains a miss as the command line does", () => {
    const message = messageOf(() =>
      expect(ticket).toFollowTrajectory([
        "lookup_order",
        "confirm_refund_amount",
        { tool: "issue_refund", args: { order_id: "A-7731", refund: { amount: 40, currency: "EUR" } } },
      ]),
    );
    expect(message).toMatchInlineSnapshot(`
      "Expected the calls to follow the trajectory (in_order): 1 of 3 steps, score 0.33, needed 1.00.
          ✓ 1  lookup_order           turn 1
          ✗ 2  confirm_refund_amount  never called
          ✗ 3  issue_refund           the search for step 2 had used up the rest
              closest: turn 2, where one argument differs
                order_id         "A-7731"   as expected
                refund.amount    89         expected 40
                refund.currency  "EUR"      as expected
              reason is not part of the expectation and was not compared"
    `);
  });

  it("refuses an expectation or a subject it does not understand", () => {
    expect(() => expect(ticket).toFollowTrajectory({ mode: "inorder", expected: [] })).toThrow(
      "Did you mean in_order?",
    );
    expect(() => expect(ticket).toFollowTrajectory([{ tool: "a", arg: {} }])).toThrow("Did you mean args?");
    expect(() => expect(3).toFollowTrajectory(["a"])).toThrow(
      "No trace can be made of a number. Nothing was read. Accepted are a trace, messages or responses of OpenAI",
    );
    expect(() => expect([]).not.toFollowTrajectory({ mode: "in_order", expected: [] })).not.toThrow();
  });
});

describe("toSatisfyPolicy", () => {
  const policy =
    "apiVersion: spoor.dev/v1\nrules:\n  - id: confirm-before-refund\n    kind: must_call_before\n    params: {first: confirm_refund_amount, then: issue_refund}\n";

  it("names the rule, the turn and what was broken", () => {
    const file = join(temporaryFolder(), "refunds.yaml");
    writeFileSync(file, policy);
    expect(["confirm_refund_amount", "issue_refund"]).toSatisfyPolicy(file);
    expect(messageOf(() => expect(ticket).toSatisfyPolicy(file))).toContain(
      "✗ confirm-before-refund, turn 2: issue_refund was called without",
    );
    expect(ticket).not.toSatisfyPolicy(file);
  });

  it("never passes with a policy that does not load", () => {
    const file = join(temporaryFolder(), "refunds.yaml");
    writeFileSync(file, policy.replace("must_call_before", "must_call_befor"));
    expect(() => expect(ticket).not.toSatisfyPolicy(file)).toThrow("problem");
  });
});

describe("toMatchBehaviour", () => {
  it("keeps the path of a run, not its words", () => {
    const other = traceOf([
      { user: "other words", calls: [{ name: "lookup_order", input: { order_id: "B" }, output: "found" }] },
      { calls: [{ name: "issue_refund", input: {}, output: "ok" }] },
      { text: "Bye." },
    ]);
    expect(behaviourText(other, "sequence")).toBe(behaviourText(ticket, "sequence"));
    expect(ticket).toMatchBehaviour();
    expect(ticket).toMatchBehaviour({ mode: "structural", hint: "structural" });
  });

  it("writes another text for another path, and the same one for another order when only the structure counts", () => {
    const skipping = traceOf([{ calls: [{ name: "issue_refund", output: "ok" }] }, { text: "Done." }]);
    expect(behaviourText(skipping, "sequence")).not.toBe(behaviourText(ticket, "sequence"));
    expect(behaviourText(["confirm", "issue_refund"], "sequence")).not.toBe(
      behaviourText(["issue_refund", "confirm"], "sequence"),
    );
    expect(behaviourText(["a", "b"], "structural")).toBe(behaviourText(["b", "a"], "structural"));
    expect(behaviourText(["a", "b"], "sequence")).not.toBe(behaviourText(["a", "b", "b"], "sequence"));
  });
});
