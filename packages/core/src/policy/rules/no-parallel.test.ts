import { describe, expect, it } from "vitest";
import { pairsOf, rule, traceOfRecords, turn } from "../../../test/policy.ts";

describe("no_parallel", () => {
  it("reports calls side by side, not one after the other", () => {
    const together = traceOfRecords(turn({ calls: ["refund", "lookup", "refund"] }));
    const apart = traceOfRecords(turn({ calls: ["refund", "lookup"] }), turn({ calls: ["refund", "lookup"] }));
    expect(pairsOf(rule("no_parallel", { tools: "refund" }), together)).toEqual([0]);
    expect(pairsOf(rule("no_parallel", { tools: "refund" }), apart)).toEqual([]);
  });
});
