/** The whole run at a glance: a strip for each agent, on the axis of the rows below. */
import type { RunView } from "@spoor/core/internal/report/run-view";
import { duration } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useMemo } from "preact/hooks";
import type { RunRowItem } from "./run-rows.ts";
import type { TimeScale } from "./time-scale.ts";

/** So many pieces a strip has at most: more could not be told apart. */
const BINS = 400;

interface Props {
  run: RunView;
  rows: readonly RunRowItem[];
  scale: TimeScale;
  hrefOf: (place: string) => string;
}

export function RunOverview({ run, rows, scale, hrefOf }: Props) {
  const strips = useMemo(() => stripsOf(run, rows, scale), [run, rows, scale]);
  return (
    <nav className="lanes" aria-label="Agents, on the axis of the rows" tabIndex={-1}>
      {strips.map(({ name, first, turns, paths }, lane) => (
        <div key={lane} className="lane">
          <span className="lane-name">
            {first === "" ? name : <a href={hrefOf(first)}>{name}</a>} <span className="muted">{turns}</span>
          </span>
          <svg className="strip" viewBox={`0 0 ${BINS} 16`} preserveAspectRatio="none" height="16" aria-hidden="true">
            <rect className="strip-back" width={BINS} height="16" />
            <path className="tool" d={paths.tool} />
            <path className="model" d={paths.model} />
            <path className="failed" d={paths.failed} />
          </svg>
        </div>
      ))}
      <div className="lane ticks" aria-hidden="true">
        <span className="lane-name" />
        <span className="tick-row">
          {[0, 25, 50, 75, 100].map((at) => (
            <span key={at}>{scale.unit === "order" ? orderTick(at, rows.length) : tick(at, scale)}</span>
          ))}
        </span>
      </div>
    </nav>
  );
}

function tick(at: number, scale: TimeScale): string {
  const time = scale.timeAt(at);
  return time === 0 ? "0 s" : duration(time);
}

function orderTick(at: number, total: number): string {
  return at === 0 ? "first" : at === 100 ? "last" : `${Math.round((at / 100) * total)}`;
}

interface Strip {
  readonly name: string;
  /** The place of its first row; empty when it has none. */
  readonly first: string;
  readonly turns: string;
  readonly paths: Readonly<Record<"model" | "tool" | "failed", string>>;
}

function stripsOf({ lanes }: RunView, rows: readonly RunRowItem[], scale: TimeScale): Strip[] {
  const filled = lanes.map(() => ({
    turns: 0,
    first: "",
    bins: { model: new Uint8Array(BINS), tool: new Uint8Array(BINS), failed: new Uint8Array(BINS) },
  }));
  for (const [order, row] of rows.entries()) {
    const lane = filled[row.turn?.lane ?? 0]!;
    if (row.kind === "turn") lane.turns++;
    lane.first ||= row.place;
    const span = row.kind === "call" ? row.call.at : row.turn.at;
    if (scale.unit === "time" && span === undefined) continue;
    const [from, to] =
      scale.unit === "order"
        ? [order / rows.length, (order + 1) / rows.length]
        : [scale.at(span!.start) / 100, scale.at(span!.start + (span!.ms ?? 0)) / 100];
    const bins =
      row.kind === "turn" ? lane.bins.model : row.call.status === "error" ? lane.bins.failed : lane.bins.tool;
    const first = Math.min(BINS - 1, Math.floor(from * BINS));
    bins.fill(1, first, Math.max(first + 1, Math.ceil(to * BINS)));
  }
  return filled.map(({ turns, first, bins }, lane) => ({
    first,
    name: printable(lanes[lane]!.agent ?? (lane === 0 ? "main agent" : "sub-agent")),
    turns: `${turns} ${turns === 1 ? "turn" : "turns"}`,
    paths: { model: pathOf(bins.model, 1, 14), tool: pathOf(bins.tool, 5, 6), failed: pathOf(bins.failed, 5, 6) },
  }));
}

/** One shape for all filled pieces, however many. */
function pathOf(bins: Uint8Array, y: number, height: number): string {
  let path = "";
  for (let at = 0; at < bins.length; at++) {
    if (bins[at] === 0) continue;
    let end = at;
    while (bins[end] === 1) end++;
    path += `M${at} ${y}h${end - at}v${height}h${at - end}z`;
    at = end;
  }
  return path;
}
