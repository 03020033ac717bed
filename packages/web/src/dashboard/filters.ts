/** The filters of a list of runs, as they stand in the address and as people type them: `tool:issue_refund`. */
export const filterNames = [
  "agent",
  "release",
  "scenario",
  "tool",
  "status",
  "verdict",
  "rule",
  "model",
  "behaviour",
  "from",
  "to",
] as const;

export type FilterName = (typeof filterNames)[number];

export interface Filter {
  readonly name: FilterName;
  readonly value: string;
}

/** In a fixed order, so that one question has one address. */
export function filtersOf(query: URLSearchParams): readonly Filter[] {
  return filterNames.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === "" ? [] : [{ name, value }];
  });
}

export function queryOf(filters: readonly Filter[], more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams([...filters.map(({ name, value }) => [name, value]), ...Object.entries(more)]).toString();
}

/** `tool:issue_refund` or `tool issue_refund`; undefined when it names no filter. */
export function readFilter(text: string): Filter | undefined {
  const [, name, value] = /^(\w+)\s*[:=]\s*(.+)$/.exec(text.trim()) ?? [];
  const known = filterNames.find((one) => one === name?.toLowerCase());
  return known === undefined || value === undefined ? undefined : { name: known, value: value.trim() };
}

/** What a bare word may be. */
export const wordFilters: readonly FilterName[] = ["tool", "agent", "scenario", "rule", "release", "model"];
