/** The aligned timeline of two runs: pick a trace, filter, search, and step from change to change. */
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { filterRows, matchesQuery } from "./filter-rows.ts";
import { listenToKeys } from "./keys.ts";
import { findPlace, isChange, placeOf } from "./place.ts";
import { Timeline } from "./timeline.tsx";
import { TraceList } from "./trace-list.tsx";

interface Selection {
  readonly trace: number;
  /** The turn that is addressed, to be opened and shown. */
  readonly place: string | undefined;
  /** Rises with every jump, so that the same address can be gone to twice. */
  readonly jump: number;
}

export function Comparison({ view }: { view: ComparisonView }) {
  const [selection, setSelection] = useState<Selection>({ trace: view.first, place: undefined, jump: 0 });
  const [changesOnly, setChangesOnly] = useState(false);
  const [allOpen, setAllOpen] = useState<boolean | undefined>(undefined);
  const query = useSearchField();
  const trace = view.traces[selection.trace];
  const places = useMemo(
    () => view.traces.flatMap((entry) => entry.rows.filter(isChange).map((row) => placeOf(entry, row))),
    [view],
  );

  // Where the reader is, known at once: a second key may come before the page is drawn again.
  const here = useRef<string | undefined>(undefined);
  const go = (place: string) => {
    const found = findPlace(view.traces, place);
    if (found === undefined) return;
    here.current = found.row === undefined ? undefined : found.place;
    setSelection((old) => ({
      trace: found.trace,
      place: found.row === undefined ? undefined : found.place,
      jump: old.jump + 1,
    }));
  };
  const step = (direction: 1 | -1) => {
    if (places.length === 0) return;
    const at = here.current === undefined ? -1 : places.indexOf(here.current);
    const next =
      places[(at < 0 && direction < 0 ? places.length - 1 : at + direction + places.length) % places.length]!;
    history.replaceState(null, "", `#${encodeURIComponent(next)}`);
    go(next);
  };
  const moveTrace = (direction: 1 | -1) => {
    const amount = view.traces.length;
    here.current = undefined;
    setSelection((old) => ({ trace: (old.trace + direction + amount) % amount, place: undefined, jump: old.jump }));
  };

  // Every action reads what it needs through `here` or the state's own past, so listening once is enough.
  // biome-ignore lint/correctness/useExhaustiveDependencies: listening once is the point
  useEffect(
    () =>
      listenToKeys({
        j: () => step(1),
        k: () => step(-1),
        "[": () => moveTrace(-1),
        "]": () => moveTrace(1),
        c: () => setChangesOnly((old) => !old),
        x: () => setAllOpen((old) => old !== true),
        "/": () => document.getElementById("search")?.focus(),
      }),
    [],
  );
  useAddress(go);
  useEffect(() => {
    // For whoever drives the page: from now on keys and addresses are listened to.
    document.getElementById("timeline")?.setAttribute("data-ready", "");
  }, []);

  if (trace === undefined) return <p className="empty">No trace was compared.</p>;
  const rows = filterRows(trace.rows, { changesOnly, query });
  const hits =
    query === ""
      ? 0
      : view.traces.reduce((sum, entry) => sum + entry.rows.filter((row) => matchesQuery(row, query)).length, 0);
  return (
    <div className="trail">
      <TraceList view={view} selected={selection.trace} query={query} />
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
          isFirst={selection.trace === view.first}
          rows={rows}
          place={selection.place}
          jump={selection.jump}
          allOpen={allOpen}
        />
      </div>
    </div>
  );
}

/** The search field stands in the page's head, outside this tree. */
function useSearchField(): string {
  const [query, setQuery] = useState("");
  useEffect(() => {
    const field = document.getElementById("search") as HTMLInputElement | null;
    if (field === null) return undefined;
    const onInput = () => setQuery(field.value.trim());
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      field.value = "";
      setQuery("");
      field.blur();
    };
    field.addEventListener("input", onInput);
    field.addEventListener("keydown", onKey);
    return () => {
      field.removeEventListener("input", onInput);
      field.removeEventListener("keydown", onKey);
    };
  }, []);
  return query;
}

/** Follows the page's address, also when the same link is used twice, which fires no hashchange. */
function useAddress(go: (place: string) => void): void {
  // `go` only sets state, so the first one serves for good.
  // biome-ignore lint/correctness/useExhaustiveDependencies: listening once is the point
  useEffect(() => {
    const read = () => {
      try {
        go(decodeURIComponent(location.hash.slice(1)));
      } catch {
        // An address that is not one of ours.
      }
    };
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>('a[href^="#"]');
      if (link !== null && link !== undefined && link.hash === location.hash) read();
    };
    addEventListener("hashchange", read);
    addEventListener("click", onClick);
    if (location.hash !== "") read();
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("click", onClick);
    };
  }, []);
}
