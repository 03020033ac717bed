/** Keeps count of what a reader did not understand, so that nothing is dropped in silence. */
export class UnknownCounter {
  private readonly counts = new Map<string, number>();
  private readonly problems: string[] = [];
  /** How many things were counted, of whatever kind. */
  total = 0;

  add(type: string, amount = 1): void {
    this.total += amount;
    this.counts.set(type, (this.counts.get(type) ?? 0) + amount);
  }

  /** The same for a member whose place in the source a person can look up. */
  problem(path: string, message: string): void {
    this.add(message);
    this.problems.push(`${path}: ${message}`);
  }

  /** What another reader of the same source did not understand either. */
  addAll(other: UnknownCounter): void {
    for (const [type, amount] of other.counts) this.add(type, amount);
    this.problems.push(...other.problems);
  }

  /** The counts as members to spread into an ImportedTrace; nothing when everything was understood. */
  result(): { unknown?: Record<string, number>; problems?: readonly string[] } {
    return {
      ...(this.counts.size === 0 ? {} : { unknown: Object.fromEntries(this.counts) }),
      ...(this.problems.length === 0 ? {} : { problems: this.problems }),
    };
  }
}

/** What counters call the answers of a response beside the one that is read. */
export const FURTHER_CHOICE = "further choice of a response";

/** "1 tool result", "2 tool results": a count in a note. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
