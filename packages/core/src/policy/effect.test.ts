import { describe, expect, it } from "vitest";
import { following, policyOf, problemsOf, result, rule, standalone, traceOfRecords, turn } from "../../test/policy.ts";
import { approvalRecord } from "../trace/approval.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkTraces } from "./check-report.ts";
import { gatePolicy } from "./diff-policy.ts";

const large = (then: string, rest: JsonObject = {}) =>
  rule("no_call", { tool: "pay", args: [{ path: "amount", op: ">", value: 75 }] }, { then, ...rest });
const paid = (amount: Json, id = "c1") => standalone("pay", { tool_call_id: id, arguments: { amount } });
const approved = (rules: readonly string[], amount: Json, id = "c1", name = "pay") =>
  approvalRecord({ id, name, input: { amount }, rules });
const messages = (one: JsonObject, ...records: Parameters<typeof traceOfRecords>) =>
  checkPolicy(traceOfRecords(...records), policyOf([one])).violations.map(({ message }) => message);

describe("then: warn", () => {
  it("is reported as a warning and trips no gate, whatever the threshold", () => {
    const { violations } = checkPolicy(traceOfRecords(paid(89)), policyOf([large("warn", { severity: "error" })]));
    expect(violations.map(({ severity, effect }) => [severity, effect])).toEqual([["moderate", "warn"]]);
    expect(gatePolicy(violations, "minor").tripped).toBe(false);
    const report = checkTraces([traceOfRecords(paid(89))], policyOf([large("warn")]), {
      tool: { name: "spoor", version: "0" },
      inputs: [],
      failOn: "minor",
    });
    expect([report.rules[0]!.status, report.rules[0]!.effect, report.gate.tripped]).toEqual(["failed", "warn", false]);
  });

  it("does not hide a rule beside it", () => {
    const both = [large("warn"), { ...large("deny"), id: "strict" }];
    const { violations } = checkPolicy(traceOfRecords(paid(89)), policyOf(both));
    expect(gatePolicy(violations, "minor").reasons.map(({ subject }) => subject)).toEqual(["strict"]);
  });
});

describe("then: ask, in a recording", () => {
  it.each([
    { name: "no approval", records: [paid(89)], broken: 1 },
    { name: "the approval of this very call", records: [paid(89), approved(["r"], 89)], broken: 0 },
    { name: "that of other arguments", records: [paid(89), approved(["r"], 80)], broken: 1 },
    { name: "that of another call", records: [paid(89), approved(["r"], 89, "c2")], broken: 1 },
    { name: "that of another tool", records: [paid(89), approved(["r"], 89, "c1", "refund")], broken: 1 },
    { name: "that of another rule", records: [paid(89), approved(["other"], 89)], broken: 1 },
    { name: "one approval for two calls", records: [paid(89), approved(["r"], 89), paid(89, "c2")], broken: 1 },
    { name: "a call that nobody need be asked about", records: [paid(5)], broken: 0 },
  ])("$name: $broken broken", ({ records, broken }) => {
    expect(messages(large("ask"), ...records)).toHaveLength(broken);
  });

  it("says what is missing", () => {
    expect(messages(large("ask"), paid(89))).toEqual(["amount is 89, allowed up to 75, and no approval was recorded."]);
    expect(messages(rule("no_call", { tool: "pay" }, following("ask")), paid(1))).toEqual([
      "pay was called, and no approval was recorded.",
    ]);
  });

  it("holds for calls in responses, orders and counts too", () => {
    const call = (name: string, id: string) => turn({ calls: [{ name, id, input: {} }] });
    const order = rule("must_call_before", { first: "ask", second: "pay" }, following("ask"));
    const yes = approvalRecord({ id: "c1", name: "pay", input: {}, rules: ["r"] });
    expect(messages(order, call("pay", "c1"), result("c1", "ok"))).toHaveLength(1);
    expect(messages(order, call("pay", "c1"), yes, result("c1", "ok"))).toEqual([]);
    const count = rule("max_calls", { tool: "pay", limit: 0 }, following("ask"));
    expect(messages(count, call("pay", "c1"), yes, call("pay", "c2"))).toHaveLength(1);
  });

  it("is not evaluated, approved or not, where the arguments say nothing", () => {
    const trace = traceOfRecords(paid("89"), approved(["r"], "89"));
    expect(checkPolicy(trace, policyOf([large("ask")])).notEvaluated).toHaveLength(1);
  });
});

describe("what a kind cannot do", () => {
  it.each([
    ["ask", rule("forbidden_text", { text: "x" }, following("ask"))],
    ["ask", rule("max_turns", { limit: 1 }, following("ask"))],
    ["ask", rule("no_failed_call", {}, following("ask"))],
    ["redact", rule("no_call", { tool: "pay" }, following("redact"))],
    ["redact", rule("max_calls", { limit: 1 }, following("redact"))],
    ["allow", rule("no_call", { tool: "pay" }, following("allow"))],
  ])("%s is a problem when the file is loaded", (_then, one) => {
    expect(problemsOf([one])).toHaveLength(1);
  });
  it("is said", () => {
    expect(problemsOf([rule("max_turns", { limit: 1 }, following("ask"))])).toEqual([
      "[0].then: max_turns does not judge calls before they run, so there is nothing a person could be asked. It can deny or warn.",
    ]);
  });
});
