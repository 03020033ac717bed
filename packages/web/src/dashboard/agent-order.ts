/** Agents that changed, then those that could not be judged, then the rest by name: what a person has to look at stands first. */
interface Ordered {
  readonly name: string;
  readonly verdict?: { readonly status: string };
}

const FIRST = ["blocked", "warned", "not_evaluated"];

export function inOrder<T extends Ordered>(agents: readonly T[]): T[] {
  return agents.toSorted((left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : 1));
}

function rank({ verdict }: Ordered): number {
  const at = FIRST.indexOf(verdict?.status ?? "");
  return at < 0 ? FIRST.length : at;
}
