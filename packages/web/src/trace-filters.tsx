/** Which traces are listed: a choice for each facet, the chosen ones as tokens that can be taken away, and the order. */
import type { ComparisonView, TraceView } from "@spoor/core/internal/gate/comparison-view";
import { type Facet, type FilterToken, facetValues, type TraceFilter } from "@spoor/core/internal/gate/trace-filter";
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useMemo } from "preact/hooks";
import { countValues, FacetChoice } from "./facet-choice.tsx";
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
          <FacetChoice
            key={facet}
            title={FACET_TITLES[facet]}
            values={values}
            value=""
            words={(value) => facetWords(facet, value)}
            onChoose={(value) => {
              const token = { facet, value };
              if (value !== "" && !has(token)) onFilter({ ...filter, tokens: [...filter.tokens, token] });
            }}
          />
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

/** Facets that tell traces apart. */
function countFacets(traces: readonly TraceView[]) {
  return CHOSEN.flatMap((facet) => {
    const values = countValues(traces, (trace) => facetValues(trace, facet));
    return values.length === 0 ? [] : [{ facet, values }];
  });
}
