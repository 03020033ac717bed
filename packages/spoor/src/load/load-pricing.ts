import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { readPricing } from "@spoor/core/internal/pricing/parse-pricing";
import type { PriceList } from "@spoor/core/internal/pricing/price";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import { parseJsonSource } from "@spoor/core/internal/read/parse-json-source";

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
  const source = parseJsonSource(text, file, {
    code: "pricing.not-json",
    consequence: "Nothing was compared.",
    hint: 'Write it as {"model": [input, output]} in US dollars per token.',
  });
  return new Map([...listPrices, ...readPricing(source)]);
}
