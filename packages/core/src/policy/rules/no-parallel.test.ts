import { describe, expect, it } from "vitest";
import { rule, traceOfRecords, turn, turnsOf } from "../../../test/policy.ts";

describe("no_parallel", () => {
  it("reports calls side by side, not one after the other", () => {
    const together = traceOfRecords(turn({ calls: ["refund", "lookup", "refund"] }));
    const apart = traceOfRecords(turn({ calls: ["refund", "lookup"] }), turn({ calls: ["refund", "lookup"] }));
    expect(turnsOf(rule("no_parallel", { tools: "refund" }), together)).toEqual([0]);
    expect(turnsOf(rule("no_parallel", { tools: "refund" }), apart)).toEqual([]);
  });
});
