/** Which traces are listed: a choice for each facet, the chosen ones as tokens that can be taken away, and the order. */
import type { ComparisonView, TraceView } from "@spoor/core/internal/gate/comparison-view";
import { type Facet, type FilterToken, facetValues, type TraceFilter } from "@spoor/core/internal/gate/trace-filter";
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useMemo } from "preact/hooks";
import { FACET_TITLES, facetWords } from "./outcome-words.ts";

interface Props {
  view: ComparisonView;
  listed: number;
  filter: TraceFilter;
  isSorted: boolean;
  onFilter: (filter: TraceFilter) => void;
}

/** Those that can be chosen; others come from links. */
const CHOSEN: readonly Facet[] = ["outcome", "kind", "tool", "rule", "path"];
/** More values of one facet are reached by searching. */
const MOST_VALUES = 200;

export function TraceFilters({ view, listed, filter, isSorted, onFilter }: Props) {
  const { traces, noun, lists = [] } = view;
  const says = ({ facet, value }: FilterToken) =>
    lists.find((one) => one.facet === facet && one.value === value)?.says ?? facetWords(facet, value);
  const counted = useMemo(() => countFacets(traces), [traces]);
  const has = ({ facet, value }: FilterToken) =>
    filter.tokens.some((one) => one.facet === facet && one.value === value);
  const without = (token: FilterToken) => ({ ...filter, tokens: filter.tokens.filter((one) => one !== token) });
  return (
    <div className="filters">
      <div className="choices">
        {counted.map(({ facet, values }) => (
          <label key={facet}>
            <span>{FACET_TITLES[facet]}</span>
            <select
              aria-label={FACET_TITLES[facet]}
              value=""
              onChange={(event: Event) => {
                const { value } = event.target as HTMLSelectElement;
                const token = { facet, value };
                if (value !== "" && !has(token)) onFilter({ ...filter, tokens: [...filter.tokens, token] });
              }}
            >
              <option value="">any</option>
              {values.map(([value, amount]) => (
                <option key={value} value={value}>
                  {`${printable(facetWords(facet, value))} (${integer(amount)})`}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button
          type="button"
          className="more"
          aria-pressed={isSorted}
          onClick={() => onFilter({ ...filter, sort: isSorted ? "order" : "damage" })}
        >
          Most damage first
        </button>
      </div>
      <p className="tokens">
        {filter.tokens.map((token) => (
          <button
            key={`${token.facet}:${token.value}`}
            type="button"
            className="token"
            onClick={() => onFilter(without(token))}
          >
            <span className="muted">{FACET_TITLES[token.facet]}</span>
            {` ${printable(says(token))} `}
            <span aria-hidden="true">×</span>
            <span className="vh">take away</span>
          </button>
        ))}
        {filter.tokens.length > 1 ? (
          <button type="button" className="more" onClick={() => onFilter({ ...filter, tokens: [] })}>
            Take all away
          </button>
        ) : null}
        <span className="listed" role="status">{`${integer(listed)} of ${count(traces.length, noun)} listed`}</span>
      </p>
    </div>
  );
}

interface CountedFacet {
  readonly facet: Facet;
  readonly values: readonly (readonly [value: string, traces: number])[];
}

/** Facets that tell traces apart, the commonest value first. */
function countFacets(traces: readonly TraceView[]): CountedFacet[] {
  return CHOSEN.flatMap((facet) => {
    const values = new Map<string, number>();
    for (const trace of traces)
      for (const value of facetValues(trace, facet)) values.set(value, (values.get(value) ?? 0) + 1);
    const tells = values.size > 1 || [...values.values()].some((amount) => amount < traces.length);
    const sorted = [...values].sort((one, other) => other[1] - one[1]).slice(0, MOST_VALUES);
    return tells ? [{ facet, values: sorted }] : [];
  });
}
