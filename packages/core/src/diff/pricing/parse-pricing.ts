/** A pricing file: model → `[input, output]` or an object of rates, US dollars per token. Keys that begin with `_` are notes. */
import { type Problem, SpoorError } from "../../errors.ts";
import { isObject, type Json, numberMember } from "../../trace/json.ts";
import type { Price, PriceList } from "./price.ts";

const RATES = ["input", "output", "cached_input", "cached_write_5m", "cached_write_1h", "reasoning", "batch_discount"];

/** Every problem of the file is reported at once. */
export function parsePricing(document: Json, file?: string): PriceList {
  const name = file ?? "The price list";
  if (!isObject(document)) {
    throw new SpoorError("pricing.not-object", `${name} must be an object of model names.`, {
      ...(file === undefined ? {} : { at: { file } }),
      consequence: "Nothing was compared.",
      hint: 'Write it as {"model": [input, output]} in US dollars per token.',
    });
  }
  const problems: Problem[] = [];
  const prices = new Map<string, Price>();
  for (const [model, value] of Object.entries(document)) {
    if (model.startsWith("_")) continue;
    const price = Array.isArray(value) ? priceOfPair(value) : isObject(value) ? priceOfObject(value) : undefined;
    if (typeof price === "object") prices.set(model, price);
    else
      problems.push({
        at: { path: model },
        message: `${model}: ${price ?? "expected [input, output] or an object of rates"}.`,
      });
  }
  if (problems.length > 0) {
    throw new SpoorError(
      "pricing.bad-price",
      `${name} has ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}.`,
      {
        ...(file === undefined ? {} : { at: { file } }),
        problems,
        consequence: "Nothing was compared.",
        hint: `Rates are US dollars per token: [input, output], or an object with ${RATES.join(", ")}.`,
      },
    );
  }
  return prices;
}

function priceOfPair(value: readonly Json[]): Price | string {
  const [input, output] = value;
  if (value.length !== 2 || !isRate(input) || !isRate(output)) return "expected two numbers, [input, output]";
  return { ...FREE, input, output };
}

function priceOfObject(value: { readonly [key: string]: Json }): Price | string {
  const unknown = Object.keys(value).find((key) => !RATES.includes(key) && !key.startsWith("_"));
  if (unknown !== undefined) return `unknown rate "${unknown}"`;
  const bad = RATES.find((rate) => Object.hasOwn(value, rate) && !isRate(value[rate]));
  if (bad !== undefined) return `"${bad}" must be a number, 0 or more`;
  const missing = ["input", "output"].find((rate) => !Object.hasOwn(value, rate));
  if (missing !== undefined) return `"${missing}" is missing`;
  const rate = (key: string) => numberMember(value, key) ?? 0;
  return {
    input: rate("input"),
    output: rate("output"),
    cachedInput: rate("cached_input"),
    cachedWrite5m: rate("cached_write_5m"),
    cachedWrite1h: rate("cached_write_1h"),
    reasoning: rate("reasoning"),
    batchDiscount: rate("batch_discount"),
  };
}

function isRate(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

const FREE: Price = {
  input: 0,
  output: 0,
  cachedInput: 0,
  cachedWrite5m: 0,
  cachedWrite1h: 0,
  reasoning: 0,
  batchDiscount: 0,
};
