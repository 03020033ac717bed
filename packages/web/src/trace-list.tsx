import type { ComparisonView, TraceView } from "@spoor/core/internal/gate/comparison-view";
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useMemo, useState } from "preact/hooks";
import { matchesQuery } from "./filter-rows.ts";
import { VirtualList } from "./virtual-list.tsx";

/** Longer runs show only their first tiles; the count says the rest. */
const TILES = 24;
/** From here on the list has an order and a filter of its own, and only the traces in sight exist. */
const LONG = 30;
const ROW_HEIGHT = 58;

interface Props {
  view: ComparisonView;
  selected: number;
  query: string;
  hrefOf: (place: string) => string;
  onPlace: (place: string) => void;
}

/** The traces of the comparison, each with a strip of its turns. */
export function TraceList({ view, selected, query, hrefOf, onPlace }: Props) {
  if (view.traces.length > LONG) return <LongList view={view} selected={selected} query={query} onPlace={onPlace} />;
  return (
    <nav className="list" aria-label="Traces" tabIndex={-1}>
      <ul>
        {view.traces.map((trace, index) => (
          <li key={trace.key}>
            <a href={hrefOf(trace.key)} aria-current={index === selected ? "true" : undefined}>
              <Line trace={trace} query={query} />
              <span className="tiles" aria-hidden="true">
                {trace.rows.slice(0, TILES).map((row, at) => (
                  <i key={at} className={`k-${row.kind}`} />
                ))}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Which = "changed" | "all";

function LongList({ view, selected, query, onPlace }: Omit<Props, "hrefOf">) {
  const changed = useMemo(() => view.traces.filter(({ changes }) => changes > 0).length, [view]);
  const [which, setWhich] = useState<Which>(changed > 0 ? "changed" : "all");
  const [byDamage, setByDamage] = useState(true);
  const shown = useMemo(() => {
    const kept = view.traces
      .map((trace, at) => ({ trace, at }))
      .filter(({ trace }) => (which === "all" || trace.changes > 0) && hasHit(trace, query));
    return byDamage ? kept.sort((one, other) => other.trace.changes - one.trace.changes || one.at - other.at) : kept;
  }, [view, which, byDamage, query]);
  const place = shown.findIndex(({ at }) => at === selected);
  return (
    <div className="list long-list">
      <fieldset className="seg" aria-label="Which traces">
        <button type="button" aria-pressed={which === "changed"} onClick={() => setWhich("changed")}>
          {`Changed ${integer(changed)}`}
        </button>
        <button type="button" aria-pressed={which === "all"} onClick={() => setWhich("all")}>
          {`All ${integer(view.traces.length)}`}
        </button>
      </fieldset>
      <button type="button" className="more" aria-pressed={byDamage} onClick={() => setByDamage(!byDamage)}>
        Most changed first
      </button>
      <p className="say" role="status">{`${integer(shown.length)} of ${count(view.traces.length, "trace")} listed`}</p>
      {shown.length === 0 ? (
        <p className="empty">No trace matches.</p>
      ) : (
        <VirtualList
          label="Traces"
          className="trace-rows"
          count={shown.length}
          rowHeight={ROW_HEIGHT}
          selected={place}
          jump={0}
          idOf={(at) => `in-list-${at + 1}`}
          classOf={() => "trow"}
          onSelect={(at) => onPlace(shown[at]!.trace.key)}
          onOpen={(at) => onPlace(shown[at]!.trace.key)}
          onClick={(at) => onPlace(shown[at]!.trace.key)}
          render={(at) => <Line trace={shown[at]!.trace} query={query} />}
        />
      )}
    </div>
  );
}

function Line({ trace, query }: { trace: TraceView; query: string }) {
  const hits = query === "" ? 0 : trace.rows.filter((row) => matchesQuery(row, query)).length;
  const says =
    query !== ""
      ? `${hits} ${hits === 1 ? "turn matches" : "turns match"}`
      : trace.changes > 0
        ? `${trace.changes} ${trace.changes === 1 ? "turn differs" : "turns differ"}`
        : "same behaviour";
  return (
    <>
      <span className="id">
        <span className="name">{printable(trace.name)}</span>
        <span className={trace.changes > 0 ? "bad" : "muted"}>{trace.changes > 0 ? "✗" : "="}</span>
      </span>
      <span className="say">{says}</span>
    </>
  );
}

/** The trace itself, or one of its turns. */
function hasHit(trace: TraceView, query: string): boolean {
  return (
    query === "" ||
    trace.name.toLowerCase().includes(query.toLowerCase()) ||
    trace.rows.some((row) => matchesQuery(row, query))
  );
}
