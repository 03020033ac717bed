/**
 * Where a difference in price comes from: another model, more or fewer tokens, or a mix of both that cannot be told apart.
 * Per session: swap = candidate's tokens at its own prices minus the same tokens at the baseline model's prices; movement = candidate's
 * tokens minus baseline's, both at the baseline model's prices; the rest is the residual. The same prices as the cost axis.
 */
import { type Billed, costAt } from "../../pricing/cost-of.ts";
import { type Price, type PriceList, priceOf } from "../../pricing/price.ts";

export interface CostAttribution {
  readonly sessions: readonly SessionCost[];
  readonly baselineUsd: number;
  readonly candidateUsd: number;
  readonly deltaUsd: number;
  readonly modelSwapUsd: number;
  readonly tokenMovementUsd: number;
  readonly mixResidualUsd: number;
  /** The residual is more than a tenth of the difference: the split says little. */
  readonly noisy: boolean;
}

export interface SessionCost {
  readonly sessionIndex: number;
  readonly baselineUsd: number;
  readonly candidateUsd: number;
  readonly deltaUsd: number;
  /** Null when the baseline cost nothing. */
  readonly deltaPercent: number | null;
  readonly modelSwapUsd: number;
  readonly tokenMovementUsd: number;
  readonly mixResidualUsd: number;
  /** The model of more than half of the responses, else `mixed`; empty without responses. */
  readonly baselineModel: string;
  readonly candidateModel: string;
  readonly responses: number;
}

const NOISY_SHARE = 0.1;
const ZERO = 1e-12;

/** Sessions are compared by position; a side that has fewer is padded with nothing. */
export function attributeCost(
  baseline: readonly (readonly Billed[])[],
  candidate: readonly (readonly Billed[])[],
  prices: PriceList,
): CostAttribution {
  const sessions = Array.from({ length: Math.max(baseline.length, candidate.length) }, (_, index) =>
    attributeSession(index, baseline[index] ?? [], candidate[index] ?? [], prices),
  );
  const total = (
    key: "baselineUsd" | "candidateUsd" | "deltaUsd" | "modelSwapUsd" | "tokenMovementUsd" | "mixResidualUsd",
  ) => sessions.reduce((sum, session) => sum + session[key], 0);
  const deltaUsd = total("deltaUsd");
  const mixResidualUsd = total("mixResidualUsd");
  return {
    sessions,
    baselineUsd: total("baselineUsd"),
    candidateUsd: total("candidateUsd"),
    deltaUsd,
    modelSwapUsd: total("modelSwapUsd"),
    tokenMovementUsd: total("tokenMovementUsd"),
    mixResidualUsd,
    noisy: Math.abs(deltaUsd) > ZERO && Math.abs(mixResidualUsd) > NOISY_SHARE * Math.abs(deltaUsd),
  };
}

function attributeSession(
  sessionIndex: number,
  baseline: readonly Billed[],
  candidate: readonly Billed[],
  prices: PriceList,
): SessionCost {
  const baselineModel = mainModel(baseline);
  const candidateModel = mainModel(candidate);
  const basePrice = priceOf(prices, baselineModel);
  const baselineUsd = sumCost(baseline, (response) => ownPrice(response, prices));
  const candidateUsd = sumCost(candidate, (response) => ownPrice(response, prices));
  const candidateAtBase = sumCost(candidate, () => basePrice);
  const baselineAtBase = sumCost(baseline, () => basePrice);
  const deltaUsd = candidateUsd - baselineUsd;
  const modelSwapUsd = candidateUsd - candidateAtBase;
  const tokenMovementUsd = candidateAtBase - baselineAtBase;
  return {
    sessionIndex,
    baselineUsd,
    candidateUsd,
    deltaUsd,
    deltaPercent: baselineUsd > 0 ? (100 * deltaUsd) / baselineUsd : deltaUsd === 0 ? 0 : null,
    modelSwapUsd,
    tokenMovementUsd,
    mixResidualUsd: deltaUsd - modelSwapUsd - tokenMovementUsd,
    baselineModel,
    candidateModel,
    responses: baseline.length + candidate.length,
  };
}

function mainModel(responses: readonly Billed[]): string {
  if (responses.length === 0) return "";
  const counts = new Map<string, number>();
  for (const response of responses) {
    const model = response.model ?? "";
    counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  for (const [model, count] of counts) if (2 * count > responses.length) return model;
  return "mixed";
}

function ownPrice({ model }: Billed, prices: PriceList): Price | undefined {
  return model === undefined ? undefined : priceOf(prices, model);
}

function sumCost(responses: readonly Billed[], priceFor: (response: Billed) => Price | undefined): number {
  return responses.reduce((sum, response) => sum + costAtKnown(response, priceFor(response)), 0);
}

function costAtKnown(response: Billed, price: Price | undefined): number {
  return price === undefined ? 0 : costAt(response, price);
}
