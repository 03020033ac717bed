import { expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";

it("a baseline of 0 is gated by the floor, while the row keeps its own grade", () => {
  const thinking = (tokens: number) =>
    traceOf(Array.from({ length: 6 }, () => ({ text: "Hm.", usage: { thinking_tokens: tokens } })));
  const row = (tokens: number) =>
    diffTraces(thinking(0), thinking(tokens)).rows.find((one) => one.axis === "reasoning");
  expect(row(49)).toMatchObject({ severity: "minor", gateSeverity: "minor" });
  expect(row(50)).toMatchObject({ severity: "minor", gateSeverity: "moderate" });
  expect(row(500)).toMatchObject({ severity: "minor", gateSeverity: "severe" });
});
