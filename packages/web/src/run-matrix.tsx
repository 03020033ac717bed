/**
 * Scenarios × runs: how each repeat of each scenario came out, every cell a way to its run. Shown where a scenario ran more than once; of
 * many scenarios only the rows in sight exist. One cell has the focus, arrows move it.
 */
import type { ComparisonView, TraceView } from "@spoor/core/internal/gate/comparison-view";
import { writeTraceFilter } from "@spoor/core/internal/gate/trace-filter";
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ownKeys } from "./keys.ts";
import { outcomeWords } from "./outcome-words.ts";
import { bringIntoSight, useWindow } from "./use-window.ts";
import { Space } from "./virtual-list.tsx";

interface Props {
  view: ComparisonView;
  hrefOf: (place: string, only: string) => string;
}

interface Scenario {
  readonly task: string;
  readonly runs: readonly TraceView[];
  readonly damage: number;
}

/** Where there is room the runs stand beside their scenario, else below it. */
const WIDE = 700;
const heightAt = (width: number) => (width >= WIDE ? 38 : 64);
const NAME_WIDTH = 330;
const CELL_WIDTH = 30;

export function RunMatrix({ view, hrefOf }: Props) {
  const scenarios = useMemo(() => scenariosOf(view.traces), [view]);
  return scenarios.some(({ runs }) => runs.length > 1) ? <Matrix scenarios={scenarios} hrefOf={hrefOf} /> : null;
}

/** In the order of the damage that their runs took. */
function scenariosOf(traces: readonly TraceView[]): Scenario[] {
  const byTask = new Map<string, TraceView[]>();
  for (const trace of traces) {
    const task = trace.task ?? trace.name;
    const own = byTask.get(task);
    if (own === undefined) byTask.set(task, [trace]);
    else own.push(trace);
  }
  return [...byTask]
    .map(([task, runs]) => ({ task, runs, damage: runs.reduce((sum, { damage }) => sum + damage, 0) }))
    .sort((one, other) => other.damage - one.damage);
}

interface MatrixProps {
  scenarios: readonly Scenario[];
  hrefOf: Props["hrefOf"];
}

function Matrix({ scenarios, hrefOf }: MatrixProps) {
  const { box, first, amount, rowHeight, fitting, width, measure } = useWindow(scenarios.length, heightAt);
  // The first cell of a row is its scenario; the last may be the way to runs for which there is no room.
  const isWide = width >= WIDE;
  const room = Math.max(2, Math.floor((width - 24 - (isWide ? NAME_WIDTH : 0)) / CELL_WIDTH) - 3);
  const [at, setAt] = useState({ row: 0, cell: 0 });
  // Keys may come faster than pages are drawn: each goes on from where the last one went.
  const latest = useRef(at);
  // Where the focus is to go. Named, because what was drawn before may be looked at after the next key came.
  const wanted = useRef<typeof at | undefined>(undefined);
  const row = Math.min(Math.max(at.row, first), first + amount - 1);
  // Before anything is painted: Enter may follow the arrow at once, and must open where that went.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cell is looked for after it was drawn
  useLayoutEffect(() => {
    if (wanted.current !== at) return;
    const cell = box.current?.querySelector<HTMLElement>('a[tabindex="0"]');
    if (cell !== undefined && cell !== null) {
      cell.focus({ preventScroll: true });
      wanted.current = undefined;
    }
  }, [at, first]);
  const move = (down: number, right: number) => {
    // What is drawn may have been scrolled away from where the last key went.
    const from = latest.current === at ? { ...at, row } : latest.current;
    const next = Math.max(0, Math.min(scenarios.length - 1, from.row + down));
    const cells = cellsOf(scenarios[next]!, room);
    const cell = Math.max(0, Math.min(cells - 1, (down === 0 ? Math.min(from.cell, cells - 1) : from.cell) + right));
    latest.current = { row: next, cell };
    setAt(latest.current);
    wanted.current = latest.current;
    bringIntoSight(box.current!, next, rowHeight);
    measure();
  };
  const moves = new Map<string, () => void>([
    ["ArrowDown", () => move(1, 0)],
    ["ArrowUp", () => move(-1, 0)],
    ["ArrowRight", () => move(0, 1)],
    ["ArrowLeft", () => move(0, -1)],
    ["PageDown", () => move(fitting, 0)],
    ["PageUp", () => move(-fitting, 0)],
    ["Home", () => move(-scenarios.length, 0)],
    ["End", () => move(scenarios.length, 0)],
  ]);
  const runs = scenarios.reduce((sum, scenario) => sum + scenario.runs.length, 0);
  return (
    <section className="matrix" aria-label="Scenarios and runs">
      <h3>{`${count(scenarios.length, "scenario")}, ${count(runs, "run")}`}</h3>
      <p className="say outcomes">
        {Object.entries(outcomeWords).map(([code, { symbol, says }]) => (
          <span key={code}>
            <i className={`mcell o-${code}`} aria-hidden="true">
              {symbol}
            </i>{" "}
            {says}
          </span>
        ))}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside have the focus, arrows move it */}
      <div
        ref={box}
        className={isWide ? "vlist matrix-rows wide" : "vlist matrix-rows"}
        onScroll={measure}
        onKeyDown={ownKeys(moves)}
      >
        <Space height={first * rowHeight} />
        <ul>
          {Array.from({ length: amount }, (_, index) => first + index).map((place) => (
            <MatrixRow
              key={place}
              scenario={scenarios[place]!}
              at={place}
              of={scenarios.length}
              room={room}
              focus={place === row ? Math.min(at.cell, cellsOf(scenarios[place]!, room) - 1) : -1}
              hrefOf={hrefOf}
            />
          ))}
        </ul>
        <Space height={(scenarios.length - first - amount) * rowHeight} />
      </div>
    </section>
  );
}

/** The scenario, its runs, and what there is no room for. */
function cellsOf({ runs }: Scenario, room: number): number {
  return 1 + Math.min(runs.length, room) + (runs.length > room ? 1 : 0);
}

interface RowProps {
  scenario: Scenario;
  at: number;
  of: number;
  room: number;
  /** Which of its cells can be reached by Tab; none when negative. */
  focus: number;
  hrefOf: Props["hrefOf"];
}

function MatrixRow({ scenario: { task, runs }, at, of, room, focus, hrefOf }: RowProps) {
  const only = writeTraceFilter({ tokens: [{ facet: "task", value: task }] });
  const shown = runs.slice(0, room);
  const other = runs.filter(({ outcome }) => outcome !== "same").length;
  const tab = (cell: number) => (cell === focus ? 0 : -1);
  return (
    <li className="mrow" aria-setsize={of} aria-posinset={at + 1}>
      <span className="scenario">
        <a href={hrefOf("traces", only)} tabIndex={tab(0)} title={printable(task)}>
          <span className="name">{printable(task)}</span>{" "}
          <span className="say">
            {other === 0 ? `all ${runs.length} the same` : `${other} of ${count(runs.length, "run")} differ`}
          </span>
        </a>
      </span>
      {shown.map((run, index) => {
        const { symbol, says } = outcomeWords[run.outcome];
        const words = `${printable(run.name)}, run ${index + 1}: ${says}`;
        return (
          <span key={run.key}>
            <a
              className={`mcell o-${run.outcome}`}
              href={hrefOf(run.key, only)}
              tabIndex={tab(index + 1)}
              title={words}
            >
              <span aria-hidden="true">{symbol}</span>
              <span className="vh">{words}</span>
            </a>
          </span>
        );
      })}
      {runs.length > room ? (
        <span>
          <a href={hrefOf("traces", only)} tabIndex={tab(room + 1)}>{`${integer(runs.length - room)} more`}</a>
        </span>
      ) : null}
    </li>
  );
}
