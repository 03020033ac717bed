import { describe, expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { parsePricing } from "../../pricing/parse-pricing.ts";
import { diffTraces } from "../diff-traces.ts";

// Dollars per token.
const prices = parsePricing({ cheap: [0.01, 0.02], dear: [0.1, 0.2] });
const asking = (...models: string[]) =>
  traceOf(models.map((model) => ({ text: "x", model, usage: { input_tokens: 10, output_tokens: 5 } })));
const cost = (before: string[], after: string[]) =>
  diffTraces(asking(...before), asking(...after), { prices, pairing: "index" }).rows.find(
    ({ axis }) => axis === "cost",
  )!;

describe("cost", () => {
  it("is tokens times price: 10 × 0.01 + 5 × 0.02 against ten times as much", () => {
    const row = cost(["cheap"], ["dear"]);
    expect(row).toMatchObject({ n: 1, measured: 1, direction: "worse" });
    expect(row.delta).toBeCloseTo(1.8, 12);
  });
  it.each([
    { after: ["cheap", "cheap", "other"], measured: 2, flagged: false },
    { after: ["cheap", "other", "other"], measured: 1, flagged: true },
  ])("$after: $measured pairs have a price", ({ after, measured, flagged }) => {
    const row = cost(["cheap", "cheap", "cheap"], after);
    expect(row.measured).toBe(measured);
    expect(row.flags.includes("no_pricing")).toBe(flagged);
  });
});
