import { describe, expect, it } from "vitest";
import { rule, traceOfRecords, turn, turnsOf } from "../../../test/policy.ts";

describe("must_call_one_of", () => {
  it.each([
    [["b"], []],
    [["c"], [null]],
  ])("with calls %j", (calls, expected) => {
    expect(turnsOf(rule("must_call_one_of", { tools: ["a", "b"] }), traceOfRecords(turn({ calls })))).toEqual(expected);
  });
});
