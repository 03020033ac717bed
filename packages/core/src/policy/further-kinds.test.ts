/** Kinds and parameters that no other policy language has. */
import { describe, expect, it } from "vitest";
import {
  pairsOf,
  policyOf,
  problemsOf,
  result,
  rule,
  standalone,
  traceOfRecords,
  turn,
  violationsOf,
} from "../../test/policy.ts";
import { checkPolicy } from "./check-policy.ts";

const refund = (amount: number, id?: string) => ({
  name: "issue_refund",
  input: { refund: { amount } },
  ...(id === undefined ? {} : { id }),
});
const offering = (...names: string[]) => ({ tools: names.map((name) => ({ name })) });

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
    expect(pairsOf(rule("no_call", { tool: ["a", "b"] }), traceOfRecords(turn({ calls: ["b", "c", "a"] })))).toEqual([
      0, 0,
    ]);
  });
});

describe("max_calls", () => {
  const trace = traceOfRecords(turn({ calls: ["t", "t"] }), turn({ calls: ["u"] }), turn({ calls: ["t"] }));
  it("reports each call too many where it is made", () => {
    expect(pairsOf(rule("max_calls", { tool: "t", limit: 1 }), trace)).toEqual([0, 2]);
    expect(pairsOf(rule("max_calls", { tool: "t", n: 3 }), trace)).toEqual([]);
  });
  it("counts all tools when none is named", () => {
    expect(pairsOf(rule("max_calls", { limit: 2 }), trace)).toEqual([1, 2]);
  });
  it("counts equal arguments on their own with same_args, whatever the order of keys", () => {
    const call = (input: object) => ({ name: "t", input: input as never });
    const repeated = traceOfRecords(
      turn({ calls: [call({ a: 1, b: 2 }), call({ a: 1 })] }),
      turn({ calls: [call({ b: 2, a: 1 })] }),
    );
    expect(pairsOf(rule("max_calls", { tool: "t", limit: 1, same_args: true }), repeated)).toEqual([1]);
  });
  it("counts anew in each session", () => {
    const user = { messages: [{ role: "user", content: "x" }] };
    const sessions = traceOfRecords(
      turn({ calls: ["t"], stop: "end_turn", request: user }),
      turn({ calls: ["t"], request: user }),
    );
    expect(pairsOf(rule("max_calls", { tool: "t", limit: 1 }, { scope: "session" }), sessions)).toEqual([]);
  });
});

describe("must_call_one_of", () => {
  it.each([
    [["b"], []],
    [["c"], [null]],
  ])("with calls %j", (calls, expected) => {
    expect(pairsOf(rule("must_call_one_of", { tools: ["a", "b"] }), traceOfRecords(turn({ calls })))).toEqual(expected);
  });
});

describe("if_offered", () => {
  const once = rule("must_call_once", { tool: "login", if_offered: true });
  it("holds a missing call against the agent only if it could make it", () => {
    expect(pairsOf(once, traceOfRecords(turn({ text: "x", request: offering("login") })))).toEqual([null]);
    expect(pairsOf(once, traceOfRecords(turn({ text: "x", request: offering("other") })))).toEqual([]);
  });
  it("says so when no request lists its tools", () => {
    const check = checkPolicy(traceOfRecords(turn({ text: "x" })), policyOf([once]));
    expect(check.violations).toEqual([]);
    expect(check.notEvaluated).toEqual([
      { what: "r", why: "no request says which tools were offered, so a missing call of login cannot be judged" },
    ]);
  });
  it("understands OpenAI's shape of tools", () => {
    const request = { tools: [{ type: "function", function: { name: "login" } }] };
    expect(pairsOf(once, traceOfRecords(turn({ text: "x", request })))).toEqual([null]);
  });
  it("tells how often the missing tool was offered", () => {
    const trace = traceOfRecords(
      turn({ text: "x", request: offering("confirm") }),
      turn({ calls: ["refund"], request: offering("confirm") }),
    );
    const [violation] = violationsOf([rule("must_call_before", { first: "confirm", second: "refund" })], trace);
    expect(violation!.note).toBe(
      "Expected confirm earlier. It was offered to the model in every turn and never called.",
    );
  });
});

describe("must_call_before with each", () => {
  const each = rule("must_call_before", { first: "confirm", second: "refund", each: true });
  it.each<[string[], number]>([
    [["confirm", "refund"], 0],
    [["confirm", "refund", "refund"], 1],
    [["confirm", "confirm", "refund", "refund"], 0],
    [["refund", "confirm", "refund"], 1],
    [["refund", "refund"], 2],
  ])("%j breaks it %i times", (calls, times) => {
    expect(pairsOf(each, traceOfRecords(turn({ calls })))).toHaveLength(times);
  });
});

describe("step status", () => {
  const failing = traceOfRecords(
    turn({ calls: [refund(5, "1")] }),
    result("1", "timeout", true),
    turn({ calls: [refund(5, "2")] }),
    result("2", "timeout", true),
    turn({ calls: [refund(6, "3")] }),
    result("3", "ok"),
    turn({ calls: [refund(6, "4")] }),
    result("4", "ok"),
  );
  it("no_failed_call reports each failure with its message", () => {
    const violations = violationsOf([rule("no_failed_call", { tool: "issue_refund" })], failing);
    expect(violations.map((violation) => violation.turnIndex)).toEqual([0, 1]);
    expect(violations[0]!.message).toBe('issue_refund failed: "timeout".');
  });
  it("no_blind_retry reports the same call after a failure, not another one and not a repeat of success", () => {
    expect(pairsOf(rule("no_blind_retry", {}), failing)).toEqual([1]);
  });
});

describe("no_parallel", () => {
  it("reports calls side by side, not one after the other", () => {
    const together = traceOfRecords(turn({ calls: ["refund", "lookup", "refund"] }));
    const apart = traceOfRecords(turn({ calls: ["refund", "lookup"] }), turn({ calls: ["refund", "lookup"] }));
    expect(pairsOf(rule("no_parallel", { tools: "refund" }), together)).toEqual([0]);
    expect(pairsOf(rule("no_parallel", { tools: "refund" }), apart)).toEqual([]);
  });
});

describe("no_flow", () => {
  const flow = (params: object = {}) => rule("no_flow", { from: "read_mail", to: "pay", ...params });
  const mail = (text: string, iban: string) =>
    traceOfRecords(
      turn({ calls: [{ name: "read_mail", id: "1" }] }),
      result("1", text),
      turn({ calls: [{ name: "pay", input: { iban } }] }),
    );
  it.each([
    ["a number inside a sentence", "Please pay DE89370400440532013000.", "DE89370400440532013000", [1]],
    ["the whole output", "hunter-secret", "hunter-secret", [1]],
    ["another value", "Please pay DE89370400440532013000.", "FR7630006000011234567890189", []],
    ["an ordinary word", "Please transfer something", "something", []],
    ["a value too short to follow", "Pay 4711", "4711", []],
  ])("%s", (_name, text, iban, expected) => {
    expect(pairsOf(flow(), mail(text, iban))).toEqual(expected);
  });
  it("lets allowed values pass", () => {
    const trace = mail("Pay DE89370400440532013000", "DE89370400440532013000");
    expect(pairsOf(flow({ allow: ["DE89370400440532013000"] }), trace)).toEqual([]);
    expect(pairsOf(flow({ allow_pattern: "^DE89" }), trace)).toEqual([]);
    expect(pairsOf(flow({ path: "note" }), trace)).toEqual([]);
  });
  it("does not follow a value that came only later, nor from a call side by side", () => {
    const later = traceOfRecords(
      turn({ calls: [{ name: "pay", input: { iban: "DE89370400440532013000" } }] }),
      turn({ calls: [{ name: "read_mail", id: "1" }] }),
      result("1", "DE89370400440532013000"),
    );
    expect(pairsOf(flow(), later)).toEqual([]);
  });
  it("follows values between calls recorded on their own", () => {
    const trace = traceOfRecords(
      turn({ text: "x" }),
      standalone("read_mail", { tool_call_id: "1" }),
      result("1", "Pay DE89370400440532013000"),
      standalone("pay", { tool_call_id: "2", arguments: { iban: "DE89370400440532013000" } }),
    );
    expect(violationsOf([flow()], trace)).toMatchObject([
      { turnIndex: 0, pairIndex: 1, facts: { value: "DE89370400440532013000", fromTurn: 0 } },
    ]);
  });
});

describe("patterns", () => {
  it("search with RE2 and point at what they found", () => {
    const [violation] = violationsOf(
      [rule("forbidden_text", { pattern: "[0-9]{4}-[0-9]{4}" })],
      traceOfRecords(turn({ text: "card 1234-5678." })),
    );
    expect(violation!.evidence.span).toEqual({ start: 5, end: 14, text: "1234-5678" });
  });
  it("stay linear where a backtracking engine would hang", () => {
    const trace = traceOfRecords(turn({ text: `${"a".repeat(5000)}!` }));
    expect(pairsOf(rule("forbidden_text", { pattern: "^(a+)+$" }), trace)).toEqual([]);
  });
});

describe("sub-agents", () => {
  const trace = traceOfRecords(turn({ calls: ["Bash"], agent: "explorer" }), turn({ calls: ["Bash"] }));
  it.each([
    ["explorer", [0]],
    ["main", [1]],
    [
      ["explorer", "main"],
      [0, 1],
    ],
    ["reviewer", []],
  ])("agent: %j", (agent, expected) => {
    expect(pairsOf(rule("no_call", { tool: "Bash" }, { agent }), trace)).toEqual(expected);
  });
});

describe("exceptions", () => {
  const until = "2026-11-30";
  const excepted = (exception: object) => [
    rule("no_call", { tool: "t" }, { exceptions: [{ until, reason: "migration", ...exception }] }),
  ];
  const trace = traceOfRecords(
    turn({ calls: ["t"], request: { model: "a" } }),
    turn({ calls: ["t"], request: { model: "b" } }),
  );
  it("hold up to their last day, and are reported", () => {
    const check = checkPolicy(trace, policyOf(excepted({})), { today: "2026-11-30" });
    expect(check.violations).toEqual([]);
    expect(check.excused.map(({ reason, until: day }) => [reason, day])).toEqual([
      ["migration", until],
      ["migration", until],
    ]);
  });
  it("end the day after, and never hold without a clock", () => {
    expect(violationsOf(excepted({}), trace, "2026-12-01")).toHaveLength(2);
    expect(violationsOf(excepted({}), trace)).toHaveLength(2);
  });
  it("can be limited to turns and to traces", () => {
    const when = [{ path: "model", op: "==", value: "a" }];
    expect(violationsOf(excepted({ when }), trace, "2026-11-15").map((violation) => violation.turnIndex)).toEqual([1]);
    expect(violationsOf(excepted({ trace: "another" }), trace, "2026-11-15")).toHaveLength(2);
    const named = { ...trace, source: { format: "agentlog", path: "runs/ticket-7.agentlog" } };
    expect(violationsOf(excepted({ trace: "ticket-7" }), named, "2026-11-15")).toEqual([]);
  });
  it("need a day and a reason", () => {
    expect(problemsOf([rule("no_call", { tool: "t" }, { exceptions: [{ until: "2026-02-30" }] })])).toEqual([
      "[0].exceptions[0]: an exception needs reason: someone will ask why it is there.",
      '[0].exceptions[0].until: until must be a day as YYYY-MM-DD, found "2026-02-30".',
    ]);
  });
});
