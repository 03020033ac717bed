import type { Span } from "@spoor/core/internal/report/run-clock";
import type { Wait } from "@spoor/core/internal/report/run-waits";
import type { RunRowItem } from "./run-rows.ts";
import type { TimeScale } from "./time-scale.ts";

interface Props {
  row: RunRowItem;
  /** Place among all rows, for an axis of order. */
  order: number;
  total: number;
  scale: TimeScale;
  /** The wait that ended when this began. */
  wait: Wait | undefined;
}

/** The least share of the width that can be seen. */
const THINNEST = 0.6;

/** The bar of one row: the model high, a tool lower, waiting a thin line before it. What it shows stands as words in the row and its details. */
export function RunTrack({ row, order, total, scale, wait }: Props) {
  const span = row.kind === "call" ? row.call.at : row.turn.at;
  const kind = row.kind === "turn" ? "model" : row.call.status === "error" ? "tool failed" : "tool";
  return (
    <svg className="track" height="22" width="100%" aria-hidden="true">
      <line className="rail" x1="0" x2="100%" y1="11" y2="11" />
      {scale.unit === "order" ? (
        <Bar kind={kind} x={(order / total) * 100} width={100 / total} />
      ) : (
        <>
          {wait === undefined ? null : (
            <line
              className={`wait w-${wait.for}`}
              x1={`${scale.at(wait.start)}%`}
              x2={`${scale.at(wait.start + wait.ms)}%`}
              y1="11"
              y2="11"
            />
          )}
          {span === undefined ? null : <TimeBar kind={kind} span={span} scale={scale} />}
        </>
      )}
    </svg>
  );
}

function TimeBar({ kind, span, scale }: { kind: string; span: Span; scale: TimeScale }) {
  const x = scale.at(span.start);
  if (span.ms === undefined) return <circle className={`bar-point ${kind}`} cx={`${x}%`} cy="11" r="3.5" />;
  return <Bar kind={span.earliest ? `${kind} earliest` : kind} x={x} width={scale.at(span.start + span.ms) - x} />;
}

function Bar({ kind, x, width }: { kind: string; x: number; width: number }) {
  const seen = Math.max(THINNEST, width);
  const isModel = kind.startsWith("model");
  return (
    <rect
      className={`bar-span ${kind}`}
      x={`${Math.min(x, 100 - seen)}%`}
      width={`${seen}%`}
      y={isModel ? 4 : 7}
      height={isModel ? 14 : 8}
      rx="2"
    />
  );
}
