/** A pricing file: model → `[input, output]` or a mapping of rates, US dollars per token. Keys that begin with `_` are remarks. */
import { custom, list, oneOf, record } from "../read/collections.ts";
import { preset, required } from "../read/field.ts";
import { buildSchema } from "../read/json-schema.ts";
import { Problems } from "../read/located.ts";
import { mapping } from "../read/mapping.ts";
import { number } from "../read/scalars.ts";
import { type Source, valueSource } from "../read/source.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { Price, PriceList } from "./price.ts";

export function parsePricing(document: Json, file = "The price list"): PriceList {
  return readPricing(valueSource(document, file));
}

/** Every problem of the file is reported at once, with its place. */
export function readPricing(source: Source): PriceList {
  const problems = new Problems(source);
  const prices = pricingFile.read(problems.root());
  problems.throwIfAny("pricing.invalid", "Nothing was compared.", {
    hint: "Rates are US dollars per token: [input, output], or a mapping. All keys: spoor schema pricing",
  });
  return new Map(Object.entries(prices!));
}

const rate = number({ min: 0 });
const LIKE_PLAIN = "0 means: like plain";

const rates = mapping(
  "a price",
  {
    input: required(rate, "plain input"),
    output: required(rate, "plain output"),
    cachedInput: preset(rate, 0, `input from a cache; ${LIKE_PLAIN} input`),
    cachedWrite5m: preset(rate, 0, `input written to a cache for five minutes; ${LIKE_PLAIN} input`, {
      key: "cached_write_5m",
    }),
    cachedWrite1h: preset(rate, 0, `input written to a cache for an hour; ${LIKE_PLAIN} input`, {
      key: "cached_write_1h",
    }),
    reasoning: preset(rate, 0, `thinking; ${LIKE_PLAIN} output`),
    batchDiscount: preset(rate, 0, "factor on batch calls; 0 means no discount"),
  },
  { remarks: true },
);

const FREE = { cachedInput: 0, cachedWrite5m: 0, cachedWrite1h: 0, reasoning: 0, batchDiscount: 0 };

const pair = custom(
  list(rate),
  (numbers, at): Price | undefined => {
    const [input, output] = numbers;
    if (input === undefined || output === undefined || numbers.length > 2)
      return at.misshapen(`${at.name} must be two numbers, [input, output], found ${numbers.length}.`);
    return { ...FREE, input, output };
  },
  { schema: { minItems: 2, maxItems: 2 }, wants: "[input, output]" },
);

export const pricingFile = record<Price, unknown>(oneOf(pair, { ...rates, wants: "a mapping of rates" }), {
  remarks: true,
});

export function buildPricingSchema(): JsonObject {
  return buildSchema(pricingFile, {
    id: "pricing.schema.json",
    title: "Spoor price list",
    description: "Models and what they cost, US dollars per token. Read by spoor diff --pricing and diff.pricing.",
  });
}
