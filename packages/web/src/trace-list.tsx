import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { matchesQuery } from "./filter-rows.ts";

/** Longer runs show only their first tiles; the count says the rest. */
const TILES = 24;

/** The traces of the comparison, each with a strip of its turns. */
interface Props {
  view: ComparisonView;
  selected: number;
  query: string;
  hrefOf: (place: string) => string;
}

export function TraceList({ view, selected, query, hrefOf }: Props) {
  return (
    <nav className="list" aria-label="Traces" tabIndex={-1}>
      <ul>
        {view.traces.map((trace, index) => {
          const hits = query === "" ? 0 : trace.rows.filter((row) => matchesQuery(row, query)).length;
          const says =
            query !== ""
              ? `${hits} ${hits === 1 ? "turn matches" : "turns match"}`
              : trace.changes > 0
                ? `${trace.changes} ${trace.changes === 1 ? "turn differs" : "turns differ"}`
                : "same behaviour";
          return (
            <li key={trace.key}>
              <a href={hrefOf(trace.key)} aria-current={index === selected ? "true" : undefined}>
                <span className="id">
                  <span className="name">{trace.name}</span>
                  <span className={trace.changes > 0 ? "bad" : "muted"}>{trace.changes > 0 ? "✗" : "="}</span>
                </span>
                <span className="say">{says}</span>
                <span className="tiles" aria-hidden="true">
                  {trace.rows.slice(0, TILES).map((row, at) => (
                    <i key={at} className={`k-${row.kind}`} />
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
