/**
 * Cost axis: what one model call costs, in US dollars, from recorded tokens and a price list.
 *
 * Sees dearer models, longer prompts and lost caching. Blind to models without a price (they count as 0, the row is flagged when
 * they are the majority, and the gate ignores it), to tools that cost money, and to discounts that are not in the price list.
 */

import { costOf } from "../../pricing/cost-of.ts";
import { hasPrice } from "../../pricing/price.ts";
import type { Axis, Counts } from "../axis.ts";
import { MORE_IS_WORSE } from "../direction.ts";
import { recordedNumbers } from "./recorded-number.ts";

export const costAxis = {
  name: "cost",
  unit: "usd",
  grading: "value",
  statistic: "median",
  floor: 0.0001,
  largeMove: 0.01,
  meaning: MORE_IS_WORSE,
  words: {
    is: "price per reply",
    more: "Replies cost{share} more",
    less: "Replies cost{share} less",
    noData: whyUnpriced,
  },
  measure(pairs, { prices }) {
    const values = recordedNumbers(pairs, (turn) => costOf(turn, prices));
    let priced = 0;
    let measured = 0;
    let computable = 0;
    pairs.forEach((pair, index) => {
      const bothPriced = hasPrice(prices, pair.baseline.turn) && hasPrice(prices, pair.candidate.turn);
      const bothCounted = !Number.isNaN(values.baseline[index]!) && !Number.isNaN(values.candidate[index]!);
      if (bothPriced) priced++;
      if (bothCounted) computable++;
      if (bothPriced && bothCounted) measured++;
    });
    const unpriced = pairs.length > 0 && (2 * priced < pairs.length || computable === 0);
    return { ...values, measured, flags: unpriced ? ["no_pricing"] : [] };
  },
} as const satisfies Axis;

function whyUnpriced({ n, measured, flags }: Counts): string {
  if (n === 0 || !flags.includes("no_pricing")) return "no price or no tokens for these models";
  return measured === 0 ? "no price is known for these models" : `only ${measured} of ${n} pairs have a price`;
}
