import { describe, expect, it } from "vitest";
import { pairsOf, rule, traceOfRecords, turn } from "../../../test/policy.ts";

describe("must_call_one_of", () => {
  it.each([
    [["b"], []],
    [["c"], [null]],
  ])("with calls %j", (calls, expected) => {
    expect(pairsOf(rule("must_call_one_of", { tools: ["a", "b"] }), traceOfRecords(turn({ calls })))).toEqual(expected);
  });
});
