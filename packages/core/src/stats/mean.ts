/** The plain average, summed from left to right so that it is reproducible; 0 for an empty list. O(n). */
export function mean(values: ArrayLike<number>): number {
  const count = values.length;
  if (count === 0) return 0;
  let sum = 0;
  for (let index = 0; index < count; index++) sum += values[index]!;
  return sum / count;
}
