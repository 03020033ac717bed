import type { Exchange } from "../trace/trace.ts";
import { type Price, type PriceList, priceOf } from "./price.ts";

/** What the price of a response depends on. */
export type Billed = Pick<Exchange, "model" | "usage" | "batch">;

/**
 * What one response cost, in US dollars. Input tokens are taken as the uncached count. Undefined when the model or its tokens
 * were not recorded; 0 when the model has no price.
 */
export function costOf(response: Billed, prices: PriceList): number | undefined {
  const { model, usage } = response;
  if (model === undefined || usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  const price = priceOf(prices, model);
  return price === undefined ? 0 : costAt(response, price);
}

/** What a response's tokens cost at the prices of any model; a token count that is missing adds nothing. */
export function costAt({ usage = {}, batch }: Billed, price: Price): number {
  const cost =
    (usage.inputTokens ?? 0) * price.input +
    (usage.cachedInputTokens ?? 0) * (price.cachedInput || price.input) +
    (usage.cachedWrite5mTokens ?? 0) * (price.cachedWrite5m || price.input) +
    (usage.cachedWrite1hTokens ?? 0) * (price.cachedWrite1h || price.input) +
    (usage.outputTokens ?? 0) * price.output +
    (usage.thinkingTokens ?? 0) * (price.reasoning || price.output);
  return batch && price.batchDiscount > 0 ? cost * price.batchDiscount : cost;
}
