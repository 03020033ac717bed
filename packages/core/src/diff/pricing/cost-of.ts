import { type JsonObject, member, numberMember, stringMember } from "../../trace/json.ts";
import { type Price, type PriceList, priceOf } from "./price.ts";

/**
 * What one response cost, in US dollars. `input_tokens` is taken as the uncached count. Undefined when the model or its tokens
 * were not recorded; 0 when the model has no price.
 */
export function costOf(response: JsonObject, prices: PriceList): number | undefined {
  const model = stringMember(response, "model");
  const usage = member(response, "usage");
  if (model === undefined || numberMember(usage, "input_tokens") === undefined) return undefined;
  if (numberMember(usage, "output_tokens") === undefined) return undefined;
  const price = priceOf(prices, model);
  return price === undefined ? 0 : costAt(response, price);
}

/** What a response's tokens cost at the prices of any model; a token count that is missing adds nothing. */
export function costAt(response: JsonObject, price: Price): number {
  const usage = member(response, "usage");
  const tokens = (key: string) => numberMember(usage, key) ?? 0;
  const cost =
    tokens("input_tokens") * price.input +
    tokens("cached_input_tokens") * (price.cachedInput || price.input) +
    tokens("cached_write_5m_tokens") * (price.cachedWrite5m || price.input) +
    tokens("cached_write_1h_tokens") * (price.cachedWrite1h || price.input) +
    tokens("output_tokens") * price.output +
    tokens("thinking_tokens") * (price.reasoning || price.output);
  return member(response, "batch") === true && price.batchDiscount > 0 ? cost * price.batchDiscount : cost;
}
