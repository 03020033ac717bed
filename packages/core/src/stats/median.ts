/**
 * The middle value: half of the values lie on either side. Unmoved by a few extreme values, and therefore blind to what
 * happens in fewer than half of them. Sorts a copy: O(n log n).
 *
 * An even count gives the mean of the two middle values. An empty list gives 0; callers
 * that show the number to people must check for emptiness themselves.
 */
export function median(values: ArrayLike<number>): number {
  return medianOfSorted(Float64Array.from(values).sort());
}

/** The median of values that are already in ascending order: O(1). */
export function medianOfSorted(sorted: ArrayLike<number>): number {
  const count = sorted.length;
  if (count === 0) return 0;
  const middle = count >> 1;
  return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
