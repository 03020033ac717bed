/** What tokens cost, as targets and judges write it; else by the list of prices where the model is asked at its maker's own address. */
import type { TokenUsage } from "@spoor/core/internal/evaluators/evaluation";
import { priceOf } from "@spoor/core/internal/pricing/price";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import { optional, required } from "@spoor/core/internal/read/field";
import { mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { settingNumber } from "./target-shapes.ts";

const rate = settingNumber({ min: 0 });

export const pricing = mapping(
  "pricing",
  {
    input: required(rate, "US dollars per million tokens of input"),
    output: required(rate, "US dollars per million tokens of output"),
    cached: optional(rate, "US dollars per million tokens of cached input; without it, as input"),
  },
  { emptyIsAbsent: true },
);

export type TokenPrices = ValuesOf<typeof pricing.fields>;

const MILLION = 1e6;

export function priceTokens({ input, output, cached = 0 }: TokenUsage, prices: TokenPrices): number {
  return (input * prices.input + output * prices.output + cached * (prices.cached ?? prices.input)) / MILLION;
}

/** The published price of a model. */
export function listPriceOf(model: string): TokenPrices | undefined {
  const price = priceOf(listPrices, model);
  if (price === undefined) return undefined;
  return {
    input: price.input * MILLION,
    output: price.output * MILLION,
    ...(price.cachedInput > 0 ? { cached: price.cachedInput * MILLION } : {}),
  };
}
