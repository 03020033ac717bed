import type { Random } from "./random.ts";

/** The items in an order that chance decides, each order equally likely (Fisher and Yates). Linear. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = [...items];
  for (let index = order.length - 1; index >= 1; index--) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}
