import { expect, it } from "vitest";
import { priceOf } from "./price.ts";
import { listPrices } from "./prices.ts";

it("finds a model with a date behind its name", () => {
  expect(priceOf(listPrices, "gpt-4.1-2025-04-14")).toMatchObject({ input: 2e-6, output: 8e-6 });
  expect(priceOf(listPrices, "gpt-4.1-20250414")).toBeDefined();
  expect(priceOf(listPrices, "gpt-4.1-preview")).toBeUndefined();
});
