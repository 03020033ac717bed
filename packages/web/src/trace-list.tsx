import type { ComparisonView, TraceView } from "@spoor/core/internal/gate/comparison-view";
import { printable } from "@spoor/core/internal/text/printable";
import { matchesQuery } from "./filter-rows.ts";
import { outcomeWords } from "./outcome-words.ts";
import { VirtualList } from "./virtual-list.tsx";

/** Longer runs show only their first tiles; the count says the rest. */
const TILES = 24;
/** From here on only the traces in sight exist. */
export const LONG = 30;
const ROW_HEIGHT = 58;

interface Props {
  view: ComparisonView;
  /** Positions of the traces that are listed, in their order. */
  listed: readonly number[];
  selected: number;
  query: string;
  hrefOf: (place: string) => string;
  onPlace: (place: string) => void;
}

/** The traces of the comparison, each with a strip of its turns. */
export function TraceList({ view, listed, selected, query, hrefOf, onPlace }: Props) {
  if (listed.length === 0) return <p className="list empty">No {view.noun} matches.</p>;
  if (listed.length > LONG) {
    const open = (at: number) => onPlace(view.traces[listed[at]!]!.key);
    return (
      <div className="list long-list">
        <VirtualList
          label="Traces"
          className="trace-rows"
          count={listed.length}
          rowHeight={ROW_HEIGHT}
          selected={listed.indexOf(selected)}
          jump={0}
          idOf={(at) => `in-list-${at + 1}`}
          classOf={() => "trow"}
          onSelect={open}
          onOpen={open}
          onClick={open}
          render={(at) => <Line trace={view.traces[listed[at]!]!} query={query} />}
        />
      </div>
    );
  }
  return (
    <nav className="list" aria-label="Traces" tabIndex={-1}>
      <ul>
        {listed.map((at) => {
          const trace = view.traces[at]!;
          return (
            <li key={trace.key}>
              <a href={hrefOf(trace.key)} aria-current={at === selected ? "true" : undefined}>
                <Line trace={trace} query={query} />
                <span className="tiles" aria-hidden="true">
                  {trace.rows.slice(0, TILES).map((row, index) => (
                    <i key={index} className={`k-${row.kind}`} />
                  ))}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Line({ trace, query }: { trace: TraceView; query: string }) {
  const hits = query === "" ? 0 : trace.rows.filter((row) => matchesQuery(row, query)).length;
  const { symbol, says } = outcomeWords[trace.outcome];
  const words =
    query !== ""
      ? `${hits} ${hits === 1 ? "turn matches" : "turns match"}`
      : trace.changes > 0
        ? `${trace.changes} ${trace.changes === 1 ? "turn differs" : "turns differ"}`
        : says;
  const isCalm = trace.outcome === "same";
  return (
    <>
      <span className="id">
        <span className="name" title={printable(trace.name)}>
          {printable(trace.name)}
        </span>
        <span className={isCalm ? "muted" : "bad"}>{symbol}</span>
      </span>
      <span className="say">{trace.outcome === "blocks" && trace.changes === 0 ? "blocks" : words}</span>
    </>
  );
}

/** The trace itself, or one of its turns. */
export function hasHit(trace: TraceView, query: string): boolean {
  return (
    query === "" ||
    trace.name.toLowerCase().includes(query.toLowerCase()) ||
    trace.rows.some((row) => matchesQuery(row, query))
  );
}
