/** Tokens in, out and thought, over all responses of each side, and the pairs in which they moved most. */
import { medianOfSorted } from "../../stats/median.ts";
import { quantileOfSorted } from "../../stats/quantile.ts";
import type { Turn } from "../../trace/trace.ts";

export const tokenDimensions = ["inputTokens", "outputTokens", "thinkingTokens"] as const;
export type TokenDimension = (typeof tokenDimensions)[number];

export interface TokenSummary {
  /** Responses that recorded this count; the others add 0 to the rest of the numbers. */
  readonly recorded: number;
  readonly median: number;
  readonly p25: number;
  readonly p75: number;
  readonly p95: number;
  readonly maximum: number;
  readonly total: number;
}

type PerDimension<T> = Readonly<Record<TokenDimension, T>>;

export interface TokenDiff {
  readonly baseline: PerDimension<TokenSummary>;
  readonly candidate: PerDimension<TokenSummary>;
  readonly pairCount: number;
  /** Shift of the median over the baseline's; null where the baseline is 0 and the candidate is not. */
  readonly normalisedShift: PerDimension<number | null>;
  readonly worstPairs: readonly TokenPair[];
}

export interface TokenPair {
  readonly pairIndex: number;
  readonly baseline: PerDimension<number>;
  readonly candidate: PerDimension<number>;
  readonly delta: PerDimension<number>;
}

const WORST_PAIRS = 10;

/** Missing counts are taken as 0 here: totals are sums of what was recorded. */
export function diffTokens(
  baseline: readonly Turn[],
  candidate: readonly Turn[],
  pairs: readonly { readonly baseline: Turn; readonly candidate: Turn }[],
): TokenDiff {
  const before = perDimension((dimension) => summarise(baseline, dimension));
  const after = perDimension((dimension) => summarise(candidate, dimension));
  return {
    baseline: before,
    candidate: after,
    pairCount: pairs.length,
    normalisedShift: perDimension((dimension) => relativeShift(before[dimension].median, after[dimension].median)),
    worstPairs: pairs
      .map((pair, pairIndex) => tokenPair(pair.baseline, pair.candidate, pairIndex))
      .sort((one, other) => moved(other) - moved(one))
      .slice(0, WORST_PAIRS),
  };
}

function perDimension<T>(of: (dimension: TokenDimension) => T): PerDimension<T> {
  return { inputTokens: of("inputTokens"), outputTokens: of("outputTokens"), thinkingTokens: of("thinkingTokens") };
}

function summarise(turns: readonly Turn[], dimension: TokenDimension): TokenSummary {
  const sorted = Float64Array.from(turns, (turn) => tokensOf(turn, dimension)).sort();
  return {
    recorded: turns.filter((turn) => turn.usage?.[dimension] !== undefined).length,
    median: medianOfSorted(sorted),
    p25: quantileOfSorted(sorted, 0.25),
    p75: quantileOfSorted(sorted, 0.75),
    p95: quantileOfSorted(sorted, 0.95),
    maximum: sorted[sorted.length - 1] ?? 0,
    total: sorted.reduce((sum, value) => sum + value, 0),
  };
}

function tokensOf(turn: Turn, dimension: TokenDimension): number {
  return Math.trunc(turn.usage?.[dimension] ?? 0);
}

function relativeShift(before: number, after: number): number | null {
  if (before === 0) return after === 0 ? 0 : null;
  return (after - before) / before;
}

function tokenPair(baseline: Turn, candidate: Turn, pairIndex: number): TokenPair {
  const before = perDimension((dimension) => tokensOf(baseline, dimension));
  const after = perDimension((dimension) => tokensOf(candidate, dimension));
  return {
    pairIndex,
    baseline: before,
    candidate: after,
    delta: perDimension((dimension) => after[dimension] - before[dimension]),
  };
}

function moved(pair: TokenPair): number {
  return tokenDimensions.reduce((sum, dimension) => sum + Math.abs(pair.delta[dimension]), 0);
}
