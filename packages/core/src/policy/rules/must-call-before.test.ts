import { describe, expect, it } from "vitest";
import {
  offering,
  policyOf,
  problemsOf,
  rule,
  traceOfRecords,
  turn,
  turnsOf,
  violationsOf,
} from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";

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
