import { describe, expect, it } from "vitest";
import { rule, traceOfRecords, turn, turnsOf } from "../../../test/policy.ts";

describe("required_stop_reason asks every response", () => {
  const trace = traceOfRecords(
    turn({ text: "a", stop: "end_turn" }),
    turn({ text: "b", stop: "max_tokens" }),
    turn({ text: "c", stop: "end_turn" }),
  );
  it("reports the offending response at its own index", () => {
    expect(turnsOf(rule("required_stop_reason", { allowed: ["end_turn"] }), trace)).toEqual([1]);
  });
  it("takes a text as a list of one", () => {
    expect(turnsOf(rule("required_stop_reason", { allowed: "end_turn" }), trace)).toEqual([1]);
  });
  it("looks at the last response alone with last_only", () => {
    expect(turnsOf(rule("required_stop_reason", { allowed: "end_turn", last_only: true }), trace)).toEqual([]);
  });
  it("violates as a whole without any response", () => {
    expect(turnsOf(rule("required_stop_reason", { allowed: "end_turn" }), traceOfRecords())).toEqual([null]);
  });
  it("refuses every reason when the list is empty", () => {
    expect(turnsOf(rule("required_stop_reason", { allowed: [] }), trace)).toEqual([0, 1, 2]);
  });
});
