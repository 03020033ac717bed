import type { RowView, SideView, TraceView } from "@spoor/core/internal/gate/comparison-view";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useRef, useState } from "preact/hooks";
import { isChange } from "./place.ts";
import { rowWords } from "./row-words.ts";
import { TurnCard } from "./turn-card.tsx";

interface Props {
  row: RowView;
  place: string;
  forked: boolean;
  here: boolean;
  jump: number;
  allOpen: boolean | undefined;
  query: string;
  show: TraceView["show"];
}

/** One aligned row: a slim line, or both turns in full. The body exists only while the row is open. */
export function Row({ row, place, forked, here, jump, allOpen, query, show }: Props) {
  const [open, setOpen] = useState(isChange(row));
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (allOpen !== undefined) setOpen(allOpen);
  }, [allOpen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `jump` asks for the same turn once more
  useEffect(() => {
    if (!here) return;
    setOpen(true);
    element.current?.scrollIntoView({ block: "center", behavior: "instant" });
  }, [here, jump]);
  const words = rowWords[row.kind];
  const shared = row.kind === "same" ? row.candidate : undefined;
  const baseline =
    row.baseline === undefined || shared === undefined ? row.baseline : withContent(row.baseline, shared);
  return (
    <div ref={element} id={place} className={`row k-${row.kind}${forked ? " fork" : ""}${here ? " here" : ""}`}>
      <button type="button" className="pair head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Line side={baseline} className="b" open={open} says={row.baseline === undefined ? "" : words.says} />
        <span className="gut">
          <span className="mark" title={words.says}>
            {words.symbol}
          </span>
          <span className="vh">{words.says}</span>
        </span>
        <Line side={row.candidate} className="c" open={open} says={row.baseline === undefined ? words.says : ""} />
      </button>
      {open ? (
        <div className="pair body">
          {baseline === undefined ? (
            <Hole other={row.candidate} />
          ) : (
            <TurnCard side={baseline} other={row.candidate} isCandidate={false} query={query} show={show?.baseline} />
          )}
          <span className="gut" />
          {row.candidate === undefined ? (
            <Hole other={baseline} />
          ) : (
            <TurnCard side={row.candidate} other={baseline} isCandidate={true} query={query} show={show?.candidate} />
          )}
        </div>
      ) : null}
    </div>
  );
}

/** An unchanged turn's words stand in the data once; the baseline borrows them, without the findings. */
function withContent(numbers: SideView, shared: SideView): SideView {
  const { findings: _findings, ...content } = shared;
  return { ...content, ...numbers };
}

function Line({
  side,
  className,
  open,
  says,
}: {
  side: SideView | undefined;
  className: string;
  open: boolean;
  says: string;
}) {
  if (open)
    return <span className={`line ${className}`}>{says === "" ? null : <span className="what">{says}</span>}</span>;
  if (side === undefined) return <span className={`line ${className}`} />;
  const names = (side.calls ?? []).map((call) => printable(call.name)).join(", ");
  return (
    <span className={`line ${className}`}>
      <span className="n">{side.turn}</span>
      {names === "" ? null : <code>{names}</code>}
      {side.text === undefined ? null : (
        <span className={names === "" ? "" : "muted"}>{` “${printable(side.text.slice(0, 160))}”`}</span>
      )}
    </span>
  );
}

/** The space that a missing turn leaves, so that both columns stay level. */
function Hole({ other }: { other: SideView | undefined }) {
  const name = other?.calls?.[0]?.name;
  return (
    <div className="hole">
      <b>No such turn</b>
      {name === undefined ? null : (
        <span>
          <code>{printable(name)}</code> is not called
        </span>
      )}
    </div>
  );
}
