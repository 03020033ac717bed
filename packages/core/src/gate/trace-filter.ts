/**
 * Which traces of a comparison are listed, as a text that an address can hold: `rule:confirm-before-refund,outcome:blocks`. Of several
 * values of one facet any may hold; of several facets all must.
 */
import type { ComparisonView, TraceView } from "./comparison-view.ts";

export const facets = ["card", "outcome", "kind", "tool", "rule", "path", "task", "before", "now", "argument"] as const;
export type Facet = (typeof facets)[number];

export interface FilterToken {
  readonly facet: Facet;
  readonly value: string;
}

export interface TraceFilter {
  readonly tokens: readonly FilterToken[];
  /** The most damage first, or as they came; left to whoever shows them unless said. */
  readonly sort?: "damage" | "order";
}

export function parseTraceFilter(text: string): TraceFilter {
  const tokens: FilterToken[] = [];
  let sort: TraceFilter["sort"];
  for (const part of text.split(",")) {
    const colon = part.indexOf(":");
    const name = part.slice(0, colon);
    const value = part
      .slice(colon + 1)
      .replaceAll("%2C", ",")
      .replaceAll("%25", "%");
    const facet = facets.find((one) => one === name);
    if (facet !== undefined && value !== "") tokens.push({ facet, value });
    else if (name === "sort" && (value === "damage" || value === "order")) sort = value;
  }
  return sort === undefined ? { tokens } : { tokens, sort };
}

export function writeTraceFilter({ tokens, sort }: TraceFilter): string {
  const parts = tokens.map(({ facet, value }) => `${facet}:${value.replaceAll("%", "%25").replaceAll(",", "%2C")}`);
  return [...parts, ...(sort === undefined ? [] : [`sort:${sort}`])].join(",");
}

/** What a trace has of a facet. */
export function facetValues(trace: TraceView, facet: Facet): readonly string[] {
  switch (facet) {
    case "card":
      return trace.card === undefined ? [] : [String(trace.card)];
    case "outcome":
      return [trace.outcome];
    case "kind":
      return trace.kind === undefined ? [] : [trace.kind];
    case "tool":
      return trace.tools ?? [];
    case "rule":
      return trace.rules ?? [];
    case "path":
      return trace.path === undefined ? [] : [trace.path];
    case "task":
      return [trace.task ?? trace.name];
    case "before":
    case "now":
    case "argument":
      return [];
  }
}

/** Positions of the traces that a filter lets through, in the order that it asks for. */
export function filterTraces(
  { traces, lists = [] }: Pick<ComparisonView, "traces" | "lists">,
  { tokens, sort = "order" }: TraceFilter,
): number[] {
  const runsOf = (token: FilterToken) => {
    const found = lists.find(({ facet, value }) => facet === token.facet && value === token.value);
    return found === undefined ? undefined : new Set(found.traces);
  };
  const byFacet = new Map<Facet, FilterToken[]>();
  for (const token of tokens) byFacet.set(token.facet, [...(byFacet.get(token.facet) ?? []), token]);
  const tests = [...byFacet].map(([facet, own]) => {
    const wanted = new Set(own.map(({ value }) => value));
    const elsewhere = own.map(runsOf).filter((runs) => runs !== undefined);
    return (at: number) =>
      elsewhere.some((runs) => runs.has(at)) || facetValues(traces[at]!, facet).some((value) => wanted.has(value));
  });
  const kept: number[] = [];
  for (let at = 0; at < traces.length; at++) if (tests.every((passes) => passes(at))) kept.push(at);
  return sort === "order"
    ? kept
    : kept.sort((one, other) => traces[other]!.damage - traces[one]!.damage || one - other);
}
