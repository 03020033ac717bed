import { describe, expect, it } from "vitest";
import { rule, traceOfRecords, turn, violationsOf } from "../../../test/policy.ts";

describe("must_call_all", () => {
  const both = rule("must_call_all", { tools: ["a", "b"] });
  it.each([
    [["b", "a"], []],
    [["a"], ["b was never called."]],
    [["c"], ["a and b were never called."]],
  ])("with calls %j", (calls, messages) => {
    const violations = violationsOf([both], traceOfRecords(turn({ calls })));
    expect(violations.map((violation) => violation.message)).toEqual(messages);
  });
  it("counts calls of different turns together, and each session on its own", () => {
    const trace = traceOfRecords(
      ...["a", "b"].map((name) =>
        turn({ calls: [name], stop: "end_turn", request: { messages: [{ role: "user", content: name }] } }),
      ),
    );
    expect(violationsOf([both], trace)).toEqual([]);
    expect(violationsOf([{ ...both, scope: "session" }], trace).map(({ facts }) => facts["tools"])).toEqual([
      ["b"],
      ["a"],
    ]);
  });
});
