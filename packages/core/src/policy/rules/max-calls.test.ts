import { describe, expect, it } from "vitest";
import { rule, traceOfRecords, turn, turnsOf } from "../../../test/policy.ts";

describe("max_calls", () => {
  const trace = traceOfRecords(turn({ calls: ["t", "t"] }), turn({ calls: ["u"] }), turn({ calls: ["t"] }));
  it("reports each call too many where it is made", () => {
    expect(turnsOf(rule("max_calls", { tool: "t", limit: 1 }), trace)).toEqual([0, 2]);
    expect(turnsOf(rule("max_calls", { tool: "t", n: 3 }), trace)).toEqual([]);
  });
  it("counts all tools when none is named", () => {
    expect(turnsOf(rule("max_calls", { limit: 2 }), trace)).toEqual([1, 2]);
  });
  it("counts equal arguments on their own with same_args, whatever the order of keys", () => {
    const call = (input: object) => ({ name: "t", input: input as never });
    const repeated = traceOfRecords(
      turn({ calls: [call({ a: 1, b: 2 }), call({ a: 1 })] }),
      turn({ calls: [call({ b: 2, a: 1 })] }),
    );
    expect(turnsOf(rule("max_calls", { tool: "t", limit: 1, same_args: true }), repeated)).toEqual([1]);
  });
  it("counts anew in each session", () => {
    const user = { messages: [{ role: "user", content: "x" }] };
    const sessions = traceOfRecords(
      turn({ calls: ["t"], stop: "end_turn", request: user }),
      turn({ calls: ["t"], request: user }),
    );
    expect(turnsOf(rule("max_calls", { tool: "t", limit: 1 }, { scope: "session" }), sessions)).toEqual([]);
  });
});
