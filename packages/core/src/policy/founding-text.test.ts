/** What the words of a rule promise, where engines have been seen to do otherwise: one test per promise. */
import { describe, expect, it } from "vitest";
import { pairsOf, policyOf, problemsOf, rule, standalone, traceOfRecords, turn } from "../../test/policy.ts";
import { checkPolicy } from "./check-policy.ts";
import { diffPolicy, gatePolicy } from "./diff-policy.ts";
import { ruleKinds } from "./rules.ts";

describe("L1: required_stop_reason asks every response", () => {
  const trace = traceOfRecords(
    turn({ text: "a", stop: "end_turn" }),
    turn({ text: "b", stop: "max_tokens" }),
    turn({ text: "c", stop: "end_turn" }),
  );
  it("reports the offending response at its own index", () => {
    expect(pairsOf(rule("required_stop_reason", { allowed: ["end_turn"] }), trace)).toEqual([1]);
  });
  it("takes a text as a list of one", () => {
    expect(pairsOf(rule("required_stop_reason", { allowed: "end_turn" }), trace)).toEqual([1]);
  });
  it("looks at the last response alone with last_only", () => {
    expect(pairsOf(rule("required_stop_reason", { allowed: "end_turn", last_only: true }), trace)).toEqual([]);
  });
  it("violates as a whole without any response", () => {
    expect(pairsOf(rule("required_stop_reason", { allowed: "end_turn" }), traceOfRecords())).toEqual([null]);
  });
  it("refuses every reason when the list is empty", () => {
    expect(pairsOf(rule("required_stop_reason", { allowed: [] }), trace)).toEqual([0, 1, 2]);
  });
});

describe("L2: must_call_before without its first tool", () => {
  const trace = traceOfRecords(turn({ calls: ["refund"] }));
  it("violates by default", () => {
    expect(pairsOf(rule("must_call_before", { first: "confirm", second: "refund" }), trace)).toEqual([0]);
  });
  it("is silent when read literally", () => {
    expect(
      pairsOf(rule("must_call_before", { first: "confirm", second: "refund", require_first: false }), trace),
    ).toEqual([]);
  });
  it("still violates literally when the first tool comes too late", () => {
    const late = traceOfRecords(turn({ calls: ["refund"] }), turn({ calls: ["confirm"] }));
    expect(
      pairsOf(rule("must_call_before", { first: "confirm", second: "refund", require_first: false }), late),
    ).toEqual([0]);
  });
});

describe("L3 and L4: both spellings of parameters", () => {
  it.each([
    ["must_call_before", { first: "a", second: "b" }],
    ["must_call_before", { first: "a", ["then" as string]: "b" }],
    ["must_call_before", { first: "a", second: "b", ["then" as string]: "b" }],
    ["max_total_tokens", { n: 4000 }],
    ["max_total_tokens", { limit: 4000 }],
    ["max_turns", { n: 4 }],
  ])("%s loads with %j", (kind, params) => {
    expect(policyOf([rule(kind, params)]).rules).toHaveLength(1);
  });
  it("refuses two spellings that differ", () => {
    expect(problemsOf([rule("must_call_before", { first: "a", second: "b", ["then" as string]: "c" })])).toEqual([
      "[0].params.then: then is another name for second, and the two differ. Keep one.",
    ]);
  });
});

describe("L5: a missing path matches nothing", () => {
  const trace = traceOfRecords(turn({ text: "x", request: { params: { v: null } } }), turn({ text: "x", request: {} }));
  it.each([
    ["!=", 5],
    ["not_in", [5]],
    ["not_contains", "b"],
    ["==", null],
    ["in", [null]],
  ])("with %s", (op, value) => {
    const when = [{ path: "request.params.v", op, value }];
    expect(pairsOf(rule("forbidden_text", { text: "" }, { when }), trace)).toEqual([]);
  });
  it("finds != and not_in where the value is there", () => {
    const present = traceOfRecords(turn({ text: "x", request: { params: { v: 6 } } }));
    for (const [op, value] of [
      ["!=", 5],
      ["not_in", [5]],
    ] as const) {
      expect(
        pairsOf(rule("forbidden_text", { text: "" }, { when: [{ path: "request.params.v", op, value }] }), present),
      ).toEqual([0]);
    }
  });
});

describe("L6: response.content contains a word", () => {
  const followup = rule("must_followup", {
    trigger: [{ path: "response.content", op: "contains", value: "quote_total" }],
    must: { kind: "tool_call", tool_name: "confirm" },
  });
  it.each([
    ["named by a call", { calls: ["quote_total"] }],
    ["inside a text", { text: "the quote_total is 5" }],
  ])("%s", (_name, reply) => {
    expect(pairsOf(followup, traceOfRecords(turn(reply), turn({ text: "done" })))).toEqual([1]);
    expect(
      pairsOf(followup, traceOfRecords(turn(reply), turn({ calls: ["confirm"] }), turn({ text: "done" }))),
    ).toEqual([]);
  });
  it("does not trigger on part of a tool's name", () => {
    expect(pairsOf(followup, traceOfRecords(turn({ calls: ["quote_total_v2"] }), turn({ text: "done" })))).toEqual([]);
  });
});

describe("L7: every kind can be gated by when", () => {
  const big = { model: "big" };
  const small = { model: "small" };
  const when = [{ path: "model", op: "==", value: "big" }];
  it("must_remain_consistent takes its anchor from matching turns", () => {
    const trace = traceOfRecords(
      turn({ text: "a", request: { ...small, params: { amount: 1 } } }),
      turn({ text: "b", request: { ...big, params: { amount: 2 } } }),
      turn({ text: "c", request: { ...small, params: { amount: 3 } } }),
      turn({ text: "d", request: { ...big, params: { amount: 4 } } }),
    );
    expect(pairsOf(rule("must_remain_consistent", { path: "request.params.amount" }, { when }), trace)).toEqual([3]);
  });
  it("must_followup takes the obligation from matching turns, and the next turn as it comes", () => {
    const trace = traceOfRecords(
      turn({ calls: ["x"], request: small }),
      turn({ calls: ["x"], request: big }),
      turn({ text: "no", request: small }),
    );
    const must = { kind: "text_includes", text: "yes" };
    const trigger = [{ path: "stop_reason", op: "==", value: "tool_use" }];
    expect(pairsOf(rule("must_followup", { trigger, must }, { when }), trace)).toEqual([2]);
  });
  it("must_be_grounded looks at matching turns only", () => {
    const trace = traceOfRecords(
      turn({ text: "unrelated words", request: { ...small, c: ["known text"] } }),
      turn({ text: "unrelated words", request: { ...big, c: ["known text"] } }),
    );
    expect(pairsOf(rule("must_be_grounded", { retrieval_path: "request.c" }, { when }), trace)).toEqual([1]);
  });
  it("ltl_formula reads the matching turns as its trace", () => {
    const trace = traceOfRecords(
      turn({ calls: ["refund"], request: small }),
      turn({ text: "a", request: big }),
      turn({ calls: ["refund"], request: big }),
    );
    expect(pairsOf(rule("ltl_formula", { formula: "G !tool_call:refund" }, { when }), trace)).toEqual([1, 2]);
  });
});

describe("L8: every kind can be scoped to a session", () => {
  // Two conversations of two turns: each new user message opens one.
  const first = { messages: [{ role: "user", content: "one" }] };
  const second = { messages: [{ role: "user", content: "two" }] };
  const more = (base: typeof first) => ({ messages: [...base.messages, { role: "tool", content: "ok" }] });
  const trace = traceOfRecords(
    turn({ calls: ["x"], request: { ...first, params: { a: 1 }, c: ["alpha beta"] } }),
    turn({ text: "alpha beta", request: { ...more(first), params: { a: 1 }, c: ["alpha beta"] } }),
    turn({ calls: ["x"], request: { ...second, params: { a: 2 }, c: ["alpha beta"] } }),
    turn({ text: "other things", request: { ...more(second), params: { a: 3 }, c: ["alpha beta"] } }),
  );
  const scope = "session";
  it("must_remain_consistent anchors anew in each session", () => {
    expect(pairsOf(rule("must_remain_consistent", { path: "request.params.a" }, { scope }), trace)).toEqual([3]);
    expect(pairsOf(rule("must_remain_consistent", { path: "request.params.a" }), trace)).toEqual([2, 3]);
  });
  it("must_followup ends with the session", () => {
    const params = { must: { kind: "text_includes", text: "alpha" } };
    expect(pairsOf(rule("must_followup", params, { scope }), trace)).toEqual([1, 3, 3]);
  });
  it("must_be_grounded is evaluated inside sessions", () => {
    expect(pairsOf(rule("must_be_grounded", { retrieval_path: "request.c" }, { scope }), trace)).toEqual([3]);
  });
  it("ltl_formula is evaluated inside sessions", () => {
    expect(pairsOf(rule("ltl_formula", { formula: "F text_contains:alpha" }, { scope }), trace)).toEqual([2, 3]);
  });
});

describe("L9 and L10: levels of the gate and severities", () => {
  const bad = traceOfRecords(turn({ text: "bad" }));
  const violations = (severity: string) =>
    checkPolicy(bad, policyOf([rule("forbidden_text", { text: "bad" }, { severity })])).violations;
  it.each([
    ["info", [true, false, false]],
    ["warning", [true, true, false]],
    ["error", [true, true, true]],
    ["critical", [true, true, true]],
  ])("%s trips minor, moderate, severe: %j; none never", (severity, tripped) => {
    const levels = (["minor", "moderate", "severe"] as const).map(
      (level) => gatePolicy(violations(severity), level).tripped,
    );
    expect(levels).toEqual(tripped);
    expect(gatePolicy(violations(severity), "none").tripped).toBe(false);
  });
});

it("L11: the fourteen oldest kinds are there", () => {
  const known = ruleKinds.map((kind) => kind.kind);
  expect(known).toEqual(
    expect.arrayContaining([
      "must_call_before",
      "must_call_once",
      "no_call",
      "max_turns",
      "required_stop_reason",
      "max_total_tokens",
      "must_include_text",
      "forbidden_text",
      "must_match_json_schema",
      "must_remain_consistent",
      "must_followup",
      "must_be_grounded",
      "must_include_text_each",
      "ltl_formula",
    ]),
  );
});

describe("L12: words are runs of letters and digits of any script", () => {
  const grounded = rule("must_be_grounded", { retrieval_path: "request.c" });
  it.each([
    ["Cyrillic, grounded", "гарантия два года", ["Гарантия два года с доставки"], []],
    // Of the three words only one stands in the chunk: 1/3 < 0.5.
    ["Cyrillic, not grounded", "магазин открыт два", ["Гарантия два года"], [0]],
    ["Chinese, grounded by pairs of characters", "保修两年", ["保修两年从交货起"], []],
    ["Chinese, not grounded", "我们卖面包", ["保修两年"], [0]],
    // "café" is one word here; ASCII tokenising would have seen "caf".
    ["accents stay inside words", "café olé", ["caf ol"], [0]],
  ])("%s", (_name, text, chunks, expected) => {
    expect(pairsOf(grounded, traceOfRecords(turn({ text, request: { c: chunks } })))).toEqual(expected);
  });
});

it("L13: the gate maps regressions by default and can map all violations", () => {
  const policy = policyOf([rule("forbidden_text", { text: "bad" })]);
  const check = checkPolicy(traceOfRecords(turn({ text: "bad" })), policy);
  const diff = diffPolicy(check, check);
  expect(gatePolicy(diff.regressions, "minor").tripped).toBe(false);
  expect(gatePolicy(diff.candidateViolations, "minor").tripped).toBe(true);
});

it("a call recorded on its own before any response counts in pair 0", () => {
  expect(pairsOf(rule("no_call", { tool: "del" }), traceOfRecords(standalone("del"), turn({ text: "x" })))).toEqual([
    0,
  ]);
});
