import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { readPricing } from "@spoor/core/internal/pricing/parse-pricing";
import type { PriceList } from "@spoor/core/internal/pricing/price";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import { parseJsonSource } from "@spoor/core/internal/read/parse-json-source";
import { readText } from "./read-text.ts";

/** A price list: the file's prices over the built-in ones. */
export function loadPricing(file: string, cwd: string): PriceList {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("pricing.unreadable", `The price list ${file} ${why}.`, {
      at: { file },
      consequence: "Nothing was compared.",
      hint: "Check the path and the permissions.",
      cause,
    });
  const text = readText(resolve(cwd, file), fail);
  const source = parseJsonSource(text, file, {
    code: "pricing.not-json",
    consequence: "Nothing was compared.",
    hint: 'Write it as {"model": [input, output]} in US dollars per token.',
  });
  return new Map([...listPrices, ...readPricing(source)]);
}
