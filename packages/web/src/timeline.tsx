import type { ComparisonView, RowView, TraceView } from "@spoor/core/internal/gate/comparison-view";
import { printable, printableLines } from "@spoor/core/internal/text/printable";
import { isChange, placeOf } from "./place.ts";
import { Row } from "./row.tsx";

interface Props {
  view: ComparisonView;
  trace: TraceView;
  /** Whether this is the trace where the runs part first. */
  isFirst: boolean;
  rows: readonly RowView[];
  place: string | undefined;
  jump: number;
  allOpen: boolean | undefined;
  query: string;
}

/** From here on rows outside the window are not laid out until they are near it. */
const LONG = 100;

const alone: Readonly<Partial<Record<TraceView["outcome"], string>>> = {
  new: "Only the candidate has such a run: there is nothing to compare it with. ",
  gone: "Only the baseline has such a run: there is nothing to compare it with. ",
};

/** The rows of one trace, forked from the first change on. */
export function Timeline({ view, trace, isFirst, rows, place, jump, allOpen, query }: Props) {
  const shown = trace.show?.candidate ?? trace.show?.baseline;
  const firstChange = trace.rows.find(isChange);
  const forkAt = firstChange === undefined ? -1 : rows.indexOf(firstChange);
  return (
    <>
      {trace.ask === undefined ? null : (
        <p className="ask">
          <b>User</b>
          {printableLines(trace.ask).join("\n")}
        </p>
      )}
      <div className="heads">
        <span>
          <b>Baseline</b> {printable(view.baseline)}
        </span>
        <span />
        <span>
          <b>Candidate</b> {printable(view.candidate)}
        </span>
      </div>
      {trace.elsewhere !== undefined ? (
        <p className="empty">
          {alone[trace.outcome] ?? (trace.changes === 0 ? "Every turn does the same in both runs. " : "")}The turns are
          not in this report{shown === undefined ? "." : ": "}
          {shown === undefined ? null : (
            <>
              <code>{printable(shown)}</code> prints them.
            </>
          )}
        </p>
      ) : rows.length === 0 ? (
        <p className="empty">No turn of {printable(trace.name)} matches.</p>
      ) : null}
      <div className={rows.length > LONG ? "rows long" : "rows"}>
        {rows.map((row, index) => {
          const own = placeOf(trace, row);
          return (
            <div key={own}>
              {row.skipped === undefined ? null : <p className="skipped">{row.skipped} unchanged turns not shown</p>}
              {index === forkAt ? <p className="flag">{isFirst ? "First divergence" : "Diverges here"}</p> : null}
              {index === forkAt && trace.goingIn !== undefined ? (
                <p className="going-in">{printable(trace.goingIn)}</p>
              ) : null}
              <Row
                row={row}
                place={own}
                forked={forkAt >= 0 && index >= forkAt}
                here={own === place || isBaselinePlace(place, trace, row)}
                jump={jump}
                allOpen={allOpen}
                query={query}
                show={trace.show}
              />
            </div>
          );
        })}
      </div>
      {trace.omitted > 0 ? (
        <p className="skipped">{trace.omitted} more turns are not in this report: spoor diff shows them</p>
      ) : null}
    </>
  );
}

function isBaselinePlace(place: string | undefined, trace: TraceView, row: RowView): boolean {
  return place !== undefined && row.baseline !== undefined && place === `${trace.key}:b${row.baseline.turn}`;
}
