import { costAt } from "../../pricing/cost-of.ts";
import { pricingFile } from "../../pricing/parse-pricing.ts";
import { type Price, type PriceList, priceOf } from "../../pricing/price.ts";
import { listPrices } from "../../pricing/prices.ts";
import { preset, required } from "../../read/field.ts";
import { number } from "../../read/scalars.ts";
import type { TurnEvent } from "../events.ts";
import { perField, rateWords } from "../rate.ts";
import { defineRule } from "../rule.ts";
import {
  afterBudgetTurn,
  type BudgetParams,
  type BudgetState,
  type BudgetWords,
  endBudget,
  settleBudget,
  startBudget,
  type Used,
} from "./budget.ts";

/**
 * What all responses cost together stays within a budget, in US dollars: as the recording says (`cost_usd`), else by the list of
 * prices. A response whose model has no price, or that does not say its tokens, cost something that nobody knows.
 */
export const maxCost = defineRule({
  kind: "max_cost",
  summary: "what all responses cost together must stay within a budget",
  params: {
    limit: required(number({ min: 0 }), "the budget in US dollars", { alias: "usd" }),
    per: perField,
    prices: preset(
      pricingFile,
      {} as Readonly<Record<string, Price>>,
      "models and what they cost, US dollars per token, as in a price list: `{my-model: [0.000001, 0.000002]}`; others as in the list of `spoor diff`",
    ),
  },
  explain: ({ limit, per }) => `Responses may cost at most ${dollars(limit)} in total${rateWords(per)}.`,
  judgesBlind: () => true,
  headline: ({ limit, per }) => ({
    subject: "the agent",
    predicate: `costs more than ${dollars(limit)}${rateWords(per)}`,
  }),
  needsClock: ({ per }) => per?.seconds !== undefined,
  perUser: ({ per }) => per?.user === true,
  perSession: ({ per }) => per?.session === true,
  start: (): BudgetState => startBudget(),
  onTurn: (state, turn, context) =>
    afterBudgetTurn(state, turn, costOfTurn(turn, pricesOf(context.params.prices)), context, words),
  atEnd: (state, end, context) => endBudget(state, end, context, words),
  settle: settleBudget,
  seen: ({ counted }) => ({ amount: counted, noun: "turn with a price" }),
});

const words: BudgetWords = { told: ["what it cost", "what they cost"], describe };

function costOfTurn({ turn }: TurnEvent, prices: PriceList): Used {
  const { costUsd, usage } = turn;
  if (costUsd !== undefined)
    return costUsd >= 0 ? costUsd : { why: "the response says that it cost less than nothing" };
  const model = turn.model ?? turn.requestedModel;
  if (model === undefined) return { why: "the response does not say which model it is from" };
  const price = priceOf(prices, model);
  if (price === undefined) return { why: `no price is known for ${model}: name it under prices` };
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined)
    return { why: "the response does not say how many tokens it used" };
  const isSound = Object.values(usage).every((count: number) => count >= 0);
  return isSound ? costAt(turn, price) : { why: "the response counts fewer than no tokens" };
}

const known = new WeakMap<Readonly<Record<string, Price>>, PriceList>();

/** The built-in list with the rule's own prices over it; asked at every turn, so made once. */
function pricesOf(own: Readonly<Record<string, Price>>): PriceList {
  let prices = known.get(own);
  if (prices === undefined) {
    prices = new Map([...listPrices, ...Object.entries(own)]);
    known.set(own, prices);
  }
  return prices;
}

function describe(total: number, { limit, per }: BudgetParams) {
  return {
    code: "over_cost",
    message: `${dollars(total)}${rateWords(per)}, allowed are ${dollars(limit)}.`,
    facts: { total, limit },
    measure: total,
  };
}

/** `$2.00`, and of small amounts as many digits as say something. */
function dollars(amount: number): string {
  if (amount === 0 || amount >= 0.1) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(3)).toFixed(12).replace(/0+$/, "")}`;
}
