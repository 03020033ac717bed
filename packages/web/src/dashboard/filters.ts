/** The filters of a list of runs, as they stand in the address and as people type them: `tool:issue_refund`. `q` is a text that they hold. */
export const filterNames = [
  "q",
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

/** As people read it. */
export function filterWord(name: FilterName): string {
  return name === "q" ? "text" : name;
}

/** `tool:issue_refund`, or a bare text that runs hold; undefined when it names no filter. */
export function readFilter(text: string): Filter | undefined {
  const written = text.trim();
  if (!/^\w+\s*[:=]/.test(written)) return { name: "q", value: written };
  const [, name, value] = /^(\w+)\s*[:=]\s*(.+)$/.exec(written) ?? [];
  const known = filterNames.find((one) => one === name?.toLowerCase());
  return known === undefined || value === undefined ? undefined : { name: known, value: value.trim() };
}

/** What a bare word may be. */
export const wordFilters: readonly FilterName[] = ["tool", "agent", "scenario", "rule", "release", "model"];
