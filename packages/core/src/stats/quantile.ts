/**
 * The value below which a share `p` of the values lies, interpolated linearly between the two nearest ranks.
 * This is type 7 of Hyndman and Fan (1996), "Sample Quantiles in Statistical Packages": the default of R and NumPy.
 * O(n log n); 0 for an empty list.
 */
export function quantile(values: ArrayLike<number>, p: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), p);
}

/** The same for values that are already in ascending order: O(1). */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  const count = sorted.length;
  if (count === 0) return 0;
  const rank = Math.min(Math.max(p, 0), 1) * (count - 1);
  const below = Math.floor(rank);
  const share = rank - below;
  const low = sorted[below]!;
  // Without the early return an infinite neighbour times a share of 0 would be NaN.
  return share === 0 ? low : low * (1 - share) + sorted[below + 1]! * share;
}
