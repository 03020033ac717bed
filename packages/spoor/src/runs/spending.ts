/** What runs cost: tokens as the providers counted them, dollars where the prices are known, and what could be neither counted nor priced. */
import type { Trace } from "@spoor/core";
import { costOf } from "@spoor/core/internal/pricing/cost-of";
import { hasPrice, type PriceList } from "@spoor/core/internal/pricing/price";
import type { Usage } from "@spoor/core/internal/trace/trace";

export interface Spending {
  readonly tokens: number;
  /** Of the answers that could be priced. */
  readonly usd: number;
  /** Answers that do not say how many tokens they took. */
  readonly uncounted: number;
  /** Requests that were paid for in part: cut off before their answer ended. */
  readonly cutOff: number;
  /** Models that answered and have no price, in code point order. */
  readonly unpriced: readonly string[];
}

export const NOTHING: Spending = { tokens: 0, usd: 0, uncounted: 0, cutOff: 0, unpriced: [] };

export function spendingOf(traces: readonly Trace[], prices: PriceList): Spending {
  let { tokens, usd, uncounted, cutOff } = NOTHING;
  const unpriced = new Set<string>();
  for (const { turns, recording } of traces) {
    cutOff += recording?.unanswered ?? 0;
    for (const turn of turns) {
      const model = turn.model ?? turn.requestedModel;
      const cost = model === undefined ? undefined : costOf({ ...turn, model }, prices);
      tokens += tokensOf(turn.usage ?? {});
      if (cost === undefined) uncounted++;
      else if (hasPrice(prices, { model: model! })) usd += cost;
      else unpriced.add(model!);
    }
  }
  return { tokens, usd, uncounted, cutOff, unpriced: [...unpriced].sort() };
}

function tokensOf(usage: Usage): number {
  return Object.values(usage).reduce((sum: number, part: number | undefined) => sum + (part ?? 0), 0);
}

export function addSpending(all: readonly Spending[]): Spending {
  const sum = (of: (one: Spending) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    tokens: sum(({ tokens }) => tokens),
    usd: sum(({ usd }) => usd),
    uncounted: sum(({ uncounted }) => uncounted),
    cutOff: sum(({ cutOff }) => cutOff),
    unpriced: [...new Set(all.flatMap(({ unpriced }) => unpriced))].sort(),
  };
}
