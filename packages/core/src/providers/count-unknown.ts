/** Keeps count of what a reader did not understand, so that nothing is dropped in silence. */
export class UnknownCounter {
  private readonly counts = new Map<string, number>();

  add(type: string, amount = 1): void {
    this.counts.set(type, (this.counts.get(type) ?? 0) + amount);
  }

  /** The counts as a member to spread into an ImportedTrace; nothing when everything was understood. */
  result(): { unknown?: Record<string, number> } {
    return this.counts.size === 0 ? {} : { unknown: Object.fromEntries(this.counts) };
  }
}

/** "1 tool result", "2 tool results": a count in a note. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
