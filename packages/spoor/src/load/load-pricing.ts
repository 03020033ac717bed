import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parsePricing } from "@spoor/core/internal/diff/pricing/parse-pricing";
import type { PriceList } from "@spoor/core/internal/diff/pricing/price";
import { listPrices } from "@spoor/core/internal/diff/pricing/prices";
import { SpoorError } from "@spoor/core/internal/errors";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";

/** A price list: the file's prices over the built-in ones. */
export function loadPricing(file: string, cwd: string): PriceList {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw new SpoorError("pricing.unreadable", `The price list ${file} cannot be read.`, {
      at: { file },
      consequence: "Nothing was compared.",
      hint: "Check the path and the permissions.",
      cause,
    });
  }
  try {
    return new Map([...listPrices, ...parsePricing(parseJson(text), file)]);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new SpoorError("pricing.not-json", `The price list ${file} is not valid JSON: ${error.message}`, {
      at: { file },
      consequence: "Nothing was compared.",
      hint: 'Write it as {"model": [input, output]} in US dollars per token.',
      cause: error,
    });
  }
}
