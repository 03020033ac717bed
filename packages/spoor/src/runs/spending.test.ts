import { listPrices } from "@spoor/core/internal/pricing/prices";
import { describe, expect, it } from "vitest";
import { traceOf } from "../../../core/test/build.ts";
import { addSpending, NOTHING, spendingOf } from "./spending.ts";

const turn = (model: string | undefined, usage: { input_tokens: number; output_tokens: number } | undefined) => ({
  text: "Done.",
  ...(model === undefined ? {} : { model }),
  ...(usage === undefined ? {} : { usage }),
});

describe("what runs cost", () => {
  it("is priced by the model that answered", () => {
    const trace = traceOf([turn("gpt-4.1", { input_tokens: 1000, output_tokens: 500 })]);
    // 1,000 × $2 and 500 × $8 per million.
    expect(spendingOf([trace], listPrices)).toEqual({
      ...NOTHING,
      tokens: 1500,
      usd: expect.closeTo(0.006, 9) as number,
    });
  });

  it("names a model without a price, and counts answers without tokens", () => {
    const trace = traceOf([
      turn("m-1", { input_tokens: 10, output_tokens: 5 }),
      turn("gpt-4.1", undefined),
      turn("a-model", { input_tokens: 1, output_tokens: 1 }),
    ]);
    expect(spendingOf([trace], listPrices)).toEqual({
      ...NOTHING,
      tokens: 17,
      uncounted: 1,
      unpriced: ["a-model", "m-1"],
    });
  });

  it("adds up", () => {
    const one = { tokens: 1, usd: 0.5, uncounted: 1, cutOff: 0, unpriced: ["b"] };
    const other = { tokens: 2, usd: 0.25, uncounted: 0, cutOff: 2, unpriced: ["a", "b"] };
    expect(addSpending([one, other])).toEqual({ tokens: 3, usd: 0.75, uncounted: 1, cutOff: 2, unpriced: ["a", "b"] });
    expect(addSpending([])).toEqual(NOTHING);
  });
});
