import { describe, expect, it } from "vitest";
import {
  offering,
  policyOf,
  problemsOf,
  result,
  rule,
  standalone,
  traceOfRecords,
  turn,
  turnsOf,
  violationsOf,
} from "../../../test/policy.ts";
import type { Json, JsonObject } from "../../trace/json.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { checkPolicy } from "../check-policy.ts";

describe("must_call_before without its first tool", () => {
  const trace = traceOfRecords(turn({ calls: ["refund"] }));
  it("violates by default", () => {
    expect(turnsOf(rule("must_call_before", { first: "confirm", second: "refund" }), trace)).toEqual([0]);
  });
  it("is silent when read literally", () => {
    expect(
      turnsOf(rule("must_call_before", { first: "confirm", second: "refund", require_first: false }), trace),
    ).toEqual([]);
  });
  it("still violates literally when the first tool comes too late", () => {
    const late = traceOfRecords(turn({ calls: ["refund"] }), turn({ calls: ["confirm"] }));
    expect(
      turnsOf(rule("must_call_before", { first: "confirm", second: "refund", require_first: false }), late),
    ).toEqual([0]);
  });
});

describe("both spellings of its second tool", () => {
  it.each<JsonObject>([
    { first: "a", second: "b" },
    { first: "a", ["then" as string]: "b" },
    { first: "a", second: "b", ["then" as string]: "b" },
  ])("loads with %j", (params) => {
    expect(policyOf([rule("must_call_before", params)]).rules).toHaveLength(1);
  });
  it("refuses two spellings that differ", () => {
    expect(problemsOf([rule("must_call_before", { first: "a", second: "b", ["then" as string]: "c" })])).toEqual([
      "[0].params.then: then is another name for second, and the two differ. Keep one.",
    ]);
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
    expect(turnsOf(each, traceOfRecords(turn({ calls })))).toHaveLength(times);
  });
});

it("tells how often the missing tool was offered", () => {
  const trace = traceOfRecords(
    turn({ text: "x", request: offering("confirm") }),
    turn({ calls: ["refund"], request: offering("confirm") }),
  );
  const [violation] = violationsOf([rule("must_call_before", { first: "confirm", second: "refund" })], trace);
  expect(violation!.note).toBe("Expected confirm earlier. It was offered to the model in every turn and never called.");
});

describe("a first that did not succeed", () => {
  const order = rule("must_call_before", { first: "confirm", second: "refund" });
  const confirm = { name: "confirm", id: "c1" };
  const refund = { name: "refund", id: "r1" };
  const judge = (one: JsonObject, ...records: Parameters<typeof traceOfRecords>) => {
    const check = checkPolicy(traceOfRecords(...records), policyOf([one]));
    return [...check.violations.map(({ code }) => code), ...check.notEvaluated.map(({ why }) => why)];
  };
  it("failed", () => {
    expect(
      judge(order, turn({ calls: [confirm] }), result("c1", "customer said no", true), turn({ calls: [refund] })),
    ).toEqual(["first_failed"]);
  });
  it("succeeded at the second try", () => {
    const again = { name: "confirm", id: "c2" };
    expect(
      judge(
        order,
        turn({ calls: [confirm] }),
        result("c1", "busy", true),
        turn({ calls: [again] }),
        result("c2", "yes"),
        turn({ calls: [refund] }),
      ),
    ).toEqual([]);
  });
  it("had not ended: both are asked for in one response", () => {
    expect(judge(order, turn({ calls: [confirm, refund] }), result("c1", "yes"), result("r1", "done"))).toEqual([
      "first_not_ended",
    ]);
  });
  it("ran one after the other inside one turn", () => {
    const [a, b] = [standalone("confirm", { tool_call_id: "c1" }), standalone("refund", { tool_call_id: "r1" })];
    expect(judge(order, turn({ text: "x" }), a, result("c1", "yes"), b, result("r1", "done"))).toEqual([]);
  });
  it("has no recorded result although others have", () => {
    expect(judge(order, turn({ calls: [confirm] }), turn({ calls: [refund] }), result("r1", "done"))).toEqual([
      "whether confirm succeeded before refund was not recorded",
    ]);
  });
  it("counts where a trace records no results at all", () => {
    expect(judge(order, turn({ calls: [confirm, refund] }))).toEqual([]);
  });
  it("counts where the rule says so", () => {
    const any = rule("must_call_before", { first: "confirm", second: "refund", first_succeeded: false });
    expect(
      judge(any, turn({ calls: [confirm] }), result("c1", "no", true), turn({ calls: [refund] }), result("r1", "x")),
    ).toEqual([]);
  });
  it("uses up none with each", () => {
    const each = rule("must_call_before", { first: "confirm", second: "refund", each: true });
    const again = { name: "refund", id: "r2" };
    expect(
      judge(
        each,
        turn({ calls: [confirm] }),
        result("c1", "no", true),
        turn({ calls: [{ name: "confirm", id: "c2" }] }),
        result("c2", "yes"),
        turn({ calls: [refund] }),
        turn({ calls: [again] }),
      ),
    ).toEqual(["never_called"]);
  });
});

describe("same", () => {
  const same = rule("must_call_before", { first: "confirm", second: "refund", same: "order_id" });
  const call = (name: string, order: Json) => turn({ calls: [{ name, input: { order_id: order } }] });
  const judge = (...records: Parameters<typeof traceOfRecords>) => {
    const check = checkPolicy(traceOfRecords(...records), policyOf([same]));
    return [...check.violations.map(({ turnIndex }) => turnIndex), ...check.notEvaluated.map(({ why }) => why)];
  };
  it.each<[string, Parameters<typeof traceOfRecords>, Json[]]>([
    ["the same order", [call("confirm", "A"), call("refund", "A")], []],
    ["another order", [call("confirm", "A"), call("refund", "B")], [1]],
    ["every refund is looked at", [call("confirm", "A"), call("refund", "A"), call("refund", "B")], [2]],
    ["a number and its text", [call("confirm", 7), call("refund", "7")], []],
    ["two orders at once", [call("confirm", "A"), call("confirm", "B"), call("refund", "B"), call("refund", "A")], []],
    ["confirmed only afterwards", [call("refund", "A"), call("confirm", "A")], [0]],
    [
      "a refund that does not say",
      [call("confirm", "A"), turn({ calls: ["refund"] })],
      ["a call of refund does not say its order_id"],
    ],
    [
      "a confirmation that does not say",
      [turn({ calls: ["confirm"] }), call("refund", "A")],
      ["a call of confirm does not say its order_id"],
    ],
    [
      "what was redacted",
      [call("confirm", "[REDACTED:id]"), call("refund", "A")],
      ["a call of confirm does not say its order_id"],
    ],
  ])("%s", (_name, records, expected) => {
    expect(judge(...records)).toEqual(expected);
  });
});

describe("within", () => {
  const turns = rule("must_call_before", { first: "confirm", second: "refund", within: { turns: 2 } });
  const text = turn({ text: "x" });
  it.each<[string, Parameters<typeof traceOfRecords>, number[]]>([
    ["two turns before", [turn({ calls: ["confirm"] }), text, turn({ calls: ["refund"] })], []],
    ["three turns before", [turn({ calls: ["confirm"] }), text, text, turn({ calls: ["refund"] })], [3]],
    [
      "the latest counts",
      [turn({ calls: ["confirm"] }), text, turn({ calls: ["confirm"] }), text, turn({ calls: ["refund"] })],
      [],
    ],
  ])("%s", (_name, records, expected) => {
    expect(turnsOf(turns, traceOfRecords(...records))).toEqual(expected);
  });

  const seconds = rule("must_call_before", { first: "confirm", second: "refund", within: { seconds: 60 } });
  const at = (name: string, ts: string): TraceRecord => ({ ...standalone(name), ts });
  it.each([
    ["a minute", "2026-01-01T10:01:00Z", []],
    ["a second more", "2026-01-01T10:01:01Z", [0]],
  ])("%s before", (_name, ts, expected) => {
    expect(turnsOf(seconds, traceOfRecords(at("confirm", "2026-01-01T10:00:00Z"), at("refund", ts)))).toEqual(expected);
  });
  it("is not evaluated without times", () => {
    const check = checkPolicy(traceOfRecords(turn({ calls: ["confirm", "refund"] })), policyOf([seconds]));
    expect(check.notEvaluated).toEqual([{ what: "r", why: "the calls of confirm and refund have no times" }]);
  });
});
