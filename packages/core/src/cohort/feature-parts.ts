/** What the features of all groups are made with. */

/** Parts of a feature's identity are joined with this, because tool names and keys may hold dots and angle brackets. */
export const JOIN = "\u0000";

/** L(x) = log2(1 + x): from 1 to 2 calls weighs more than from 11 to 12. */
export function logCount(count: number): number {
  return Math.log2(1 + count);
}

export function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) addTo(counts, name, 1);
  return counts;
}

export function addTo(totals: Map<string, number>, key: string, amount: number): void {
  totals.set(key, (totals.get(key) ?? 0) + amount);
}
