import { describe, expect, it } from "vitest";
import { offering, policyOf, rule, traceOfRecords, turn } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import { checkTraces } from "./check-report.ts";

const report = (rules: readonly JsonObject[], ...traces: Trace[]) =>
  checkTraces(traces, policyOf(rules as JsonObject[]), {
    tool: { name: "spoor", version: "0" },
    inputs: [],
    failOn: "severe",
  });
const paying = traceOfRecords(turn({ text: "x", calls: [{ name: "pay", input: { amount: 5 } }] }));
const chat = traceOfRecords(turn({ text: "hello" }));

describe("a rule that found nothing to look at is neither kept nor broken", () => {
  const must = { kind: "text_includes", text: "y" };
  it.each<[string, JsonObject, Trace]>([
    ["an order whose second tool is never called", rule("must_call_before", { first: "a", second: "b" }), paying],
    ["a limit on a tool that is never called", rule("max_calls", { tool: "b", limit: 2 }), paying],
    [
      "no_call with arguments, without such a call",
      rule("no_call", { tool: "b", args: { path: "x", op: ">", value: 1 } }),
      paying,
    ],
    ["no_call where nothing was called or offered", rule("no_call", { tool: "b" }), chat],
    ["a gate that never opens", rule("max_turns", { n: 0 }, { when: { path: "model", op: "==", value: "z" } }), chat],
    ["no trigger", rule("must_followup", { trigger: { path: "stop_reason", op: "==", value: "z" }, must }), chat],
    ["nothing retrieved", rule("must_be_grounded", { retrieval_path: "request.c" }), chat],
    ["nothing observed", rule("must_remain_consistent", { path: "request.c" }), chat],
    ["no such call that could fail", rule("no_failed_call", { tool: "b" }), paying],
    ["nothing to flow", rule("no_flow", { from: "a", to: "b" }), paying],
    ["no parallel calls of others", rule("no_parallel", { tools: ["b"] }), paying],
    ["no response", rule("forbidden_text", { text: "x" }), traceOfRecords({ kind: "metadata", payload: {} })],
  ])("%s", (_name, one, trace) => {
    const { rules, totals } = report([one], trace);
    expect(rules[0]).toMatchObject({ status: "not_evaluated", reason: "not_applicable", tracesApplied: 0 });
    expect(totals).toMatchObject({ passed: 0, notApplicable: 1, notEvaluated: 0 });
  });

  it.each<[string, JsonObject, Trace]>([
    ["no_call in a run that calls something else", rule("no_call", { tool: "delete" }), paying],
    [
      "no_call in a run that could have called it",
      rule("no_call", { tool: "pay" }),
      traceOfRecords(turn({ text: "x", request: offering("pay") })),
    ],
    ["a limit of none", rule("max_calls", { tool: "delete", limit: 0 }), paying],
    ["a text that is not there", rule("forbidden_text", { text: "z" }), chat],
    [
      "a budget of which nothing was used",
      rule("max_total_tokens", { n: 5 }),
      traceOfRecords(turn({ text: "x", response: { usage: { input_tokens: 0 } } })),
    ],
  ])("but kept is %s", (_name, one, trace) => {
    expect(report([one], trace).rules[0]).toMatchObject({ status: "passed", tracesApplied: 1 });
  });

  it("counts traces apart in which it saw nothing", () => {
    const { rules, totals } = report([rule("max_calls", { tool: "pay", limit: 1 })], paying, chat, chat);
    expect(rules[0]).toMatchObject({ status: "passed", tracesApplied: 1 });
    expect(totals).toMatchObject({ evaluations: 3, passed: 1, notApplicable: 2 });
  });
});

describe("min_seen", () => {
  const limit = (minSeen: number) => rule("max_calls", { tool: "pay", limit: 5 }, { min_seen: minSeen });
  it("is reached over all traces together", () => {
    expect(report([limit(2)], paying, paying).rules[0]).toMatchObject({ status: "passed", minSeen: 2 });
  });
  it("makes a rule that saw less not evaluated, with the reason", () => {
    const { rules, totals, coverage } = report([limit(3)], paying, paying);
    expect(rules[0]).toMatchObject({ status: "not_evaluated", reason: "too_little" });
    expect(totals).toMatchObject({ passed: 0, notEvaluated: 2 });
    expect(coverage.notEvaluated).toEqual([{ what: "r", why: "it saw 2 pay calls, and min_seen asks for 3" }]);
  });
  it("does not hide what is broken", () => {
    const broken = rule("no_call", { tool: "pay" }, { min_seen: 9 });
    expect(report([broken], paying).rules[0]!.status).toBe("failed");
  });
});

describe("names that no trace has", () => {
  const trace = traceOfRecords(
    turn({
      calls: [{ name: "issue_refund", input: { refund: { amount: 5 } } }],
      request: { ...offering("confirm_refund_amount"), params: { amount: 7 } },
    }),
  );
  it.each<[string, JsonObject, unknown]>([
    [
      "a tool that is called",
      rule("no_call", { tool: "issue_refnd" }),
      { code: "unknown_tool", what: "issue_refnd", nearest: "issue_refund" },
    ],
    [
      "a tool that is offered",
      rule("must_call_before", { first: "confirm_refund_amont", second: "issue_refund" }),
      { code: "unknown_tool", what: "confirm_refund_amont", nearest: "confirm_refund_amount" },
    ],
    [
      "a tool of a formula",
      rule("ltl_formula", { formula: "G !tool_call:isue_refund" }),
      { code: "unknown_tool", what: "isue_refund", nearest: "issue_refund" },
    ],
    ["nothing like it", rule("no_call", { tool: "zebra" }), { code: "unknown_tool", what: "zebra" }],
    [
      "a path of when",
      rule("max_turns", { n: 9 }, { when: { path: "request.param.amount", op: ">", value: 1 } }),
      { code: "unknown_path", what: "request.param.amount", nearest: "request.params.amount" },
    ],
    [
      "a path of its own",
      rule("must_remain_consistent", { path: "request.params.amout" }),
      { code: "unknown_path", what: "request.params.amout", nearest: "request.params.amount" },
    ],
    [
      "an argument",
      rule("no_call", { tool: "issue_refund", args: { path: "refund.amont", op: ">", value: 1 } }),
      { code: "unknown_argument", what: "refund.amont", nearest: "refund.amount" },
    ],
  ])("%s", (_name, one, expected) => {
    expect(report([one], trace).rules[0]!.doubts).toEqual([expected]);
  });

  it.each<[string, JsonObject]>([
    ["a glob", rule("no_call", { tool: "issue_*" })],
    ["a path that leads somewhere", rule("must_remain_consistent", { path: "request.params.*" })],
  ])("no doubt about %s", (_name, one) => {
    expect(report([one], trace).rules[0]!.doubts).toEqual([]);
  });
});
