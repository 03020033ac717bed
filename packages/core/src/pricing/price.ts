import type { Exchange } from "../trace/trace.ts";

/** US dollars per token of one model. A rate of 0 (or none) means: charged like plain input or output. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cachedWrite5m: number;
  readonly cachedWrite1h: number;
  readonly reasoning: number;
  /** Factor on batch calls; 0 means no discount. */
  readonly batchDiscount: number;
}

/** Model name → price. */
export type PriceList = ReadonlyMap<string, Price>;

const DATE_SUFFIX = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/** The price of a model: by its exact name, else without a trailing date. */
export function priceOf(prices: PriceList, model: string): Price | undefined {
  return prices.get(model) ?? prices.get(model.replace(DATE_SUFFIX, ""));
}

/** True when the model that answered has a price. */
export function hasPrice(prices: PriceList, { model }: Pick<Exchange, "model">): boolean {
  return model !== undefined && priceOf(prices, model) !== undefined;
}
