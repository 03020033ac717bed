/** The aligned timeline of two runs: pick a trace, filter, search, and step from change to change. */
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { filterTraces, parseTraceFilter, writeTraceFilter } from "@spoor/core/internal/gate/trace-filter";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { writeAddress } from "./address.ts";
import { ChangeCards } from "./change-cards.tsx";
import { filterRows, matchesQuery } from "./filter-rows.ts";
import type { listenToKeys } from "./keys.ts";
import { findPlace, isChange, placeOf } from "./place.ts";
import { RunMatrix } from "./run-matrix.tsx";
import { Timeline } from "./timeline.tsx";
import { TraceFilters } from "./trace-filters.tsx";
import { hasHit, LONG, TraceList } from "./trace-list.tsx";

interface Props {
  view: ComparisonView;
  query: string;
  /** The trace or the turn that is addressed; the first divergence's trace unless it is one of this view. */
  place: string;
  onPlace: (place: string) => void;
  /** Rises with every jump, so that the same address can be gone to twice. */
  jump?: number;
  listen?: typeof listenToKeys;
  /** Which traces are listed, and in which order. */
  only?: string;
  onOnly?: (only: string) => void;
  /** The address of a place, with the traces that are listed beside it. */
  hrefOf?: (place: string, only: string) => string;
}

const plainHref = (place: string, only: string) => writeAddress({ place, query: "", only, vs: "" });

export function Comparison(props: Props) {
  const { view, query, place, onPlace, jump = 0, listen, only = "", onOnly, hrefOf = plainHref } = props;
  const [changesOnly, setChangesOnly] = useState(false);
  const [allOpen, setAllOpen] = useState<boolean | undefined>(undefined);
  const found = useMemo(() => findPlace(view.traces, place), [view, place]);
  const filter = useMemo(() => parseTraceFilter(only), [only]);
  const isLong = view.traces.length > LONG;
  const sort = filter.sort ?? (isLong ? "damage" : "order");
  const listed = useMemo(() => {
    const kept = filterTraces(view, { ...filter, sort });
    return isLong && query !== "" ? kept.filter((at) => hasHit(view.traces[at]!, query)) : kept;
  }, [view, filter, sort, query, isLong]);
  // What the page's address means elsewhere leaves the reader at the trace where he is, as long as it is listed.
  const kept = useRef(view.first);
  if (found !== undefined) kept.current = found.trace;
  else if (filter.tokens.length > 0 && !listed.includes(kept.current)) kept.current = listed[0] ?? kept.current;
  const selected = kept.current;
  const trace = view.traces[selected];
  const places = useMemo(
    () =>
      listed.flatMap((at) => {
        const entry = view.traces[at]!;
        return entry.rows.filter(isChange).map((row) => placeOf(entry, row));
      }),
    [view, listed],
  );
  const trail = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `jump` asks for the same list once more
  useEffect(() => {
    if (jump > 0 && place === "traces") trail.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [only, jump]);
  // Where the reader is, known at once: a second key may come before the page is drawn again.
  const here = useRef<{ trace: number; place: string | undefined }>({ trace: selected, place: undefined });
  here.current = { trace: selected, place: found?.row === undefined ? undefined : found.place };
  const go = (next: string, traceAt: number, isTurn: boolean) => {
    here.current = { trace: traceAt, place: isTurn ? next : undefined };
    onPlace(next);
  };
  const step = (direction: 1 | -1) => {
    if (places.length === 0) return;
    const at = here.current.place === undefined ? -1 : places.indexOf(here.current.place);
    const next =
      places[(at < 0 && direction < 0 ? places.length - 1 : at + direction + places.length) % places.length]!;
    go(next, findPlace(view.traces, next)!.trace, true);
  };
  const moveTrace = (direction: 1 | -1) => {
    if (listed.length === 0) return;
    const at = listed.indexOf(here.current.trace);
    const next = listed[(at < 0 && direction > 0 ? 0 : at + direction + listed.length) % listed.length]!;
    go(view.traces[next]!.key, next, false);
  };

  // Every action reads what it needs through `here` or the state's own past, so listening once is enough.
  // biome-ignore lint/correctness/useExhaustiveDependencies: listening once is the point
  useEffect(
    () =>
      listen?.({
        j: () => step(1),
        k: () => step(-1),
        "[": () => moveTrace(-1),
        "]": () => moveTrace(1),
        c: () => setChangesOnly((old) => !old),
        x: () => setAllOpen((old) => old !== true),
      }),
    [view, listed],
  );

  const hits = useMemo(
    () =>
      query === ""
        ? 0
        : view.traces.reduce((sum, entry) => sum + entry.rows.filter((row) => matchesQuery(row, query)).length, 0),
    [view, query],
  );
  if (trace === undefined) return <p className="empty">No trace was compared.</p>;
  const rows = filterRows(trace.rows, { changesOnly, query });
  return (
    <>
      {view.traces.length > 1 ? (
        <>
          <ChangeCards view={view} hrefOf={hrefOf} />
          <RunMatrix view={view} hrefOf={hrefOf} />
        </>
      ) : null}
      <div className="trail" ref={trail}>
        {view.traces.length > 1 ? (
          <TraceFilters
            view={view}
            listed={listed.length}
            filter={filter}
            isSorted={sort === "damage"}
            onFilter={(next) => onOnly?.(writeTraceFilter(next))}
          />
        ) : null}
        <TraceList
          view={view}
          listed={listed}
          selected={selected}
          query={query}
          hrefOf={(to) => hrefOf(to, only)}
          onPlace={onPlace}
        />
        <div className="stage">
          <div className="bar">
            <fieldset className="seg" aria-label="Which turns">
              <button type="button" aria-pressed={!changesOnly} onClick={() => setChangesOnly(false)}>
                All turns
              </button>
              <button type="button" aria-pressed={changesOnly} onClick={() => setChangesOnly(true)}>
                Changes only
              </button>
            </fieldset>
            <span className="count" role="status">
              {query === ""
                ? `${rows.length} of ${trace.rows.length} turns shown`
                : `${hits} ${hits === 1 ? "turn matches" : "turns match"} in all traces`}
            </span>
            <span className="keys-hint" aria-hidden="true">
              <span>
                <kbd>j</kbd> <kbd>k</kbd> change
              </span>
              <span>
                <kbd>[</kbd> <kbd>]</kbd> trace
              </span>
              <span>
                <kbd>?</kbd> all keys
              </span>
            </span>
          </div>
          <Timeline
            view={view}
            trace={trace}
            isFirst={selected === view.first}
            rows={rows}
            place={found?.row === undefined ? undefined : found.place}
            jump={jump}
            allOpen={allOpen}
            query={query}
          />
        </div>
      </div>
    </>
  );
}
