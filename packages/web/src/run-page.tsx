/** One run: its agents on an axis, every turn and call as a row, and all of the chosen one beside. */
import type { RunView } from "@spoor/core/internal/report/run-view";
import type { Wait } from "@spoor/core/internal/report/run-waits";
import { count, duration, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { CallDetail } from "./call-detail.tsx";
import type { listenToKeys } from "./keys.ts";
import { RowLine } from "./run-line.tsx";
import { RunOverview } from "./run-overview.tsx";
import { findRow, matches, passes, type RowFilter, type RunRowItem, rowsOf } from "./run-rows.ts";
import { createTimeScale, type TimeScale } from "./time-scale.ts";
import { TurnDetail } from "./turn-detail.tsx";
import { VirtualList } from "./virtual-list.tsx";

interface Props {
  run: RunView;
  /** `turn-12`, `call-7`; the first row unless said. */
  place: string;
  jump: number;
  query: string;
  only: string;
  onPlace: (place: string) => void;
  onOnly: (only: RowFilter) => void;
  hrefOf: (place: string) => string;
  listen: typeof listenToKeys;
}

const ROW_HEIGHT = 34;

export function RunPage({ run, place, jump, query, only, onPlace, onOnly, hrefOf, listen }: Props) {
  const all = useMemo(() => rowsOf(run), [run]);
  const scale = useMemo(() => createTimeScale(run), [run]);
  const waits = useMemo(() => new Map(run.waits.map((wait) => [wait.start + wait.ms, wait])), [run]);
  const order = useMemo(() => new Map(all.map((row, at) => [row, at])), [all]);
  const rows = useMemo(() => all.filter((row) => passes(row, only) && matches(row, query)), [all, only, query]);
  const chosen = useMemo(() => findRow(all, place) ?? rows[0] ?? all[0], [all, rows, place]);
  const selected = chosen === undefined ? -1 : rows.indexOf(chosen);
  const detail = useRef<HTMLElement>(null);
  const choose = (at: number) => {
    const row = rows[at];
    if (row !== undefined) onPlace(row.place);
  };
  const showDetail = () => {
    detail.current?.focus({ preventScroll: true });
    detail.current?.scrollIntoView({ block: "nearest", behavior: "instant" });
  };
  const leaveDetail = () => document.querySelector<HTMLElement>(".run-rows")?.focus();
  const now = useRef({ choose, selected, rows });
  now.current = { choose, selected, rows };
  const step = (by: 1 | -1) => {
    const { choose: go, selected: at, rows: list } = now.current;
    if (list.length === 0) return;
    const next = at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.max(0, Math.min(list.length - 1, at + by));
    // Another key may come before the page is drawn again.
    now.current = { ...now.current, selected: next };
    go(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes is read through `now`
  useEffect(
    () =>
      listen({
        j: () => step(1),
        k: () => step(-1),
        Enter: showDetail,
        Escape: leaveDetail,
        e: () => nextFailure(),
      }),
    [],
  );
  const nextFailure = () => {
    const { rows: list, selected: at, choose: go } = now.current;
    const failed = (row: RunRowItem) =>
      (row.kind === "call" && row.call.status === "error") || (row.kind === "turn" && row.turn.findings !== undefined);
    const next = list.findIndex((row, index) => index > at && failed(row));
    const found = next >= 0 ? next : list.findIndex(failed);
    if (found < 0) return;
    now.current = { ...now.current, selected: found };
    go(found);
  };
  const failures = all.filter((row) => passes(row, "failed")).length;
  const findings = all.filter((row) => passes(row, "found")).length;
  const choices: readonly (readonly [RowFilter, string])[] = [
    ["", "Everything"],
    ["calls", "Calls"],
    ...(failures > 0 ? ([["failed", `Failed ${integer(failures)}`]] as const) : []),
    ...(findings > 0 ? ([["found", `Rules broken ${integer(findings)}`]] as const) : []),
  ];
  return (
    <div className="run">
      <RunOverview run={run} rows={all} scale={scale} hrefOf={hrefOf} />
      <p className="axis-words">
        {axisWords(run, scale)}{" "}
        <span className="legend">
          <i className="l-model" /> model <i className="l-tool" /> tool <i className="l-failed" /> failed{" "}
          {scale.unit === "time" ? (
            <>
              <i className="l-wait" /> waiting
            </>
          ) : null}
        </span>
      </p>
      <div className="bar">
        <fieldset className="seg" aria-label="Which rows">
          {choices.map(([name, words]) => (
            <button key={name} type="button" aria-pressed={only === name} onClick={() => onOnly(name)}>
              {words}
            </button>
          ))}
        </fieldset>
        <span className="count" role="status">
          {`${integer(rows.length)} of ${count(all.length, "row")} ${query === "" ? "shown" : rows.length === 1 ? "matches" : "match"}`}
        </span>
        <span className="keys-hint" aria-hidden="true">
          <span>
            <kbd>j</kbd> <kbd>k</kbd> row
          </span>
          <span>
            <kbd>?</kbd> all keys
          </span>
        </span>
      </div>
      <div className="run-cols">
        {rows.length === 0 ? (
          <p className="empty">Nothing in this run matches.</p>
        ) : (
          <VirtualList
            label="Turns and calls"
            className="run-rows"
            count={rows.length}
            rowHeight={ROW_HEIGHT}
            selected={selected}
            jump={jump}
            idOf={(at) => rows[at]!.place}
            classOf={(at) => rowClass(rows[at]!)}
            onSelect={choose}
            onOpen={showDetail}
            onClick={choose}
            render={(at) => (
              <RowLine
                run={run}
                row={rows[at]!}
                query={query}
                scale={scale}
                order={order.get(rows[at]!)!}
                total={all.length}
                waits={waits}
              />
            )}
          />
        )}
        <section className="run-detail card" ref={detail} tabIndex={-1} aria-label="Details">
          {chosen === undefined ? (
            <p className="muted">Nothing was recorded.</p>
          ) : (
            <Detail run={run} row={chosen} waits={waits} query={query} hrefOf={hrefOf} />
          )}
        </section>
      </div>
    </div>
  );
}

function axisWords({ totals, axis }: RunView, scale: TimeScale): string {
  if (axis.unit === "order")
    return "The recording has no clock times: the axis shows the order of things, not how long they took.";
  const parts = [
    totals.modelMs === undefined ? "" : `model ${duration(totals.modelMs)}`,
    totals.toolMs === undefined ? "" : `tools ${duration(totals.toolMs)}`,
    totals.waitingMs ? `waiting ${duration(totals.waitingMs)}` : "",
  ].filter((part) => part !== "");
  const short = scale.shortened === 0 ? "" : ` ${count(scale.shortened, "long wait")} drawn short.`;
  return `${duration(axis.spanMs)} in all: ${parts.join(", ")}.${short}`;
}

function rowClass(row: RunRowItem): string {
  const found = row.kind === "turn" ? row.turn.findings : undefined;
  const lane = row.turn?.lane ?? 0;
  return `rrow r-${row.kind}${lane > 0 ? " in-lane" : ""}${row.kind === "call" && row.call.status === "error" ? " bad-row" : ""}${found === undefined ? "" : " found"}`;
}

interface DetailProps {
  run: RunView;
  row: RunRowItem;
  waits: ReadonlyMap<number, Wait>;
  query: string;
  hrefOf: (place: string) => string;
}

function Detail({ run, row, waits, query, hrefOf }: DetailProps) {
  const agent = run.lanes[row.turn?.lane ?? 0]!.agent;
  if (row.kind === "call") {
    return (
      <>
        <h3>
          Call {row.call.position + 1}
          {row.turn === undefined ? null : (
            <>
              {" "}
              of <a href={hrefOf(`turn-${row.turn.index + 1}`)}>turn {row.turn.index + 1}</a>
            </>
          )}
          {agent === undefined ? "" : `, ${printable(agent)}`}
        </h3>
        <CallDetail run={run} call={row.call} query={query} />
      </>
    );
  }
  const { turn } = row;
  return (
    <>
      <h3>
        Turn {turn.index + 1}
        {agent === undefined ? "" : `, ${printable(agent)}`}
        {turn.model === undefined ? "" : `, ${printable(turn.model)}`}
      </h3>
      <TurnDetail
        run={run}
        turn={turn}
        wait={turn.at === undefined ? undefined : waits.get(turn.at.start)}
        query={query}
        hrefOf={hrefOf}
      />
    </>
  );
}
