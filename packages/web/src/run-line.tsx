/** One turn or one call as a row: its number, what it is in few words, how long it took, and its bar. */
import type { RunView } from "@spoor/core/internal/report/run-view";
import type { Wait } from "@spoor/core/internal/report/run-waits";
import { duration } from "@spoor/core/internal/text/amounts";
import { briefArguments } from "@spoor/core/internal/text/brief-json";
import { printable } from "@spoor/core/internal/text/printable";
import { MarkedQuery } from "./marked-query.tsx";
import type { RunRowItem } from "./run-rows.ts";
import { RunTrack } from "./run-track.tsx";
import type { TimeScale } from "./time-scale.ts";

interface LineProps {
  run: RunView;
  row: RunRowItem;
  query: string;
  scale: TimeScale;
  order: number;
  total: number;
  waits: ReadonlyMap<number, Wait>;
}

/** Characters of a row that are worth drawing. */
const ROW_TEXT = 200;

export function RowLine({ run, row, query, scale, order, total, waits }: LineProps) {
  const span = row.kind === "call" ? row.call.at : row.turn.at;
  const ms = row.kind === "call" ? row.call.ms : row.turn.ms;
  return (
    <>
      <span className="n">{row.kind === "turn" ? row.turn.index + 1 : ""}</span>
      <span className="what-row">
        {row.kind === "call" ? <CallLine row={row} query={query} /> : <TurnLine run={run} row={row} query={query} />}
      </span>
      <span className="ms">{ms === undefined ? "" : duration(ms)}</span>
      <RunTrack
        row={row}
        order={order}
        total={total}
        scale={scale}
        wait={row.kind === "turn" && span !== undefined ? waits.get(span.start) : undefined}
      />
    </>
  );
}

function CallLine({ row, query }: { row: Extract<RunRowItem, { kind: "call" }>; query: string }) {
  const { call } = row;
  const args = briefArguments(call.input).slice(0, ROW_TEXT);
  return (
    <>
      {call.status === "error" ? <span className="bad">✗ </span> : null}
      <code className="call-name">
        <MarkedQuery text={printable(call.name) || "(no name)"} query={query} />
      </code>{" "}
      <span className="muted">
        <MarkedQuery text={args} query={query} />
      </span>
      {call.status === "error" ? <span className="vh"> failed</span> : null}
      {call.status === "unknown" ? <span className="muted"> no result</span> : null}
    </>
  );
}

function TurnLine({ run, row, query }: { run: RunView; row: Extract<RunRowItem, { kind: "turn" }>; query: string }) {
  const { turn } = row;
  const { agent } = run.lanes[turn.lane]!;
  const said = turn.text === undefined ? "" : `“${printable(turn.text.slice(0, ROW_TEXT))}”`;
  return (
    <>
      {turn.findings === undefined ? null : (
        <span className="bad">
          <span aria-hidden="true">! </span>
          <span className="vh">a rule is broken here </span>
        </span>
      )}
      {agent === undefined ? null : <span className="agent">{printable(agent)}</span>}
      {turn.user === undefined ? null : <span className="agent">user spoke</span>}
      {turn.changed === undefined ? null : <span className="agent">other {turn.changed.join(", ")}</span>}
      {said === "" ? (
        <span className="muted">{printable(turn.model ?? "model")}</span>
      ) : (
        <MarkedQuery text={said} query={query} />
      )}
    </>
  );
}
