/** The runs of a page as a list: found by name, task, tool or what was asked, opened with Enter. */
import type { RunRow } from "@spoor/core/internal/report/run-row";
import { count, duration, integer, tokens } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { countValues, FacetChoice } from "./facet-choice.tsx";
import type { listenToKeys } from "./keys.ts";
import { MarkedQuery } from "./marked-query.tsx";
import { parseRunFilter, passesFilter, type RunFilter, writeRunFilter } from "./run-filter.ts";
import { VirtualList } from "./virtual-list.tsx";

export interface ListedRun extends RunRow {
  /** What it is called in the list: its file where there are several. */
  readonly label: string;
}

interface Props {
  runs: readonly ListedRun[];
  query: string;
  only: string;
  onOnly: (only: string) => void;
  onOpen: (key: string) => void;
  listen: typeof listenToKeys;
  /** Runs chosen for a comparison; absent where none can be made. */
  chosen?: readonly string[];
  onChoose?: (key: string) => void;
}

const ROW_HEIGHT = 54;

export function RunList({ runs, query, only, onOnly, onOpen, listen, chosen, onChoose }: Props) {
  const [at, setAt] = useState(0);
  const [jump, setJump] = useState(0);
  const failing = useMemo(() => runs.filter(({ failed }) => failed > 0).length, [runs]);
  const tools = useMemo(() => countValues(runs, (run) => run.tools), [runs]);
  const tasks = useMemo(() => repeatedTasks(runs), [runs]);
  const filter = useMemo(() => parseRunFilter(only), [only]);
  const change = (next: Partial<RunFilter>) => onOnly(writeRunFilter({ ...filter, ...next }));
  const shown = useMemo(() => {
    const wanted = query.toLowerCase();
    return runs.filter((run) => passesFilter(run, filter) && (wanted === "" || textOf(run).includes(wanted)));
  }, [runs, query, filter]);
  const selected = Math.min(at, shown.length - 1);
  const now = useRef({ shown, selected });
  now.current = { shown, selected };
  const step = (by: 1 | -1) => {
    const next = Math.max(0, Math.min(now.current.shown.length - 1, now.current.selected + by));
    now.current = { ...now.current, selected: next };
    setAt(next);
    setJump((old) => old + 1);
  };
  const here = (act: (key: string) => void) => () => {
    const run = now.current.shown[now.current.selected];
    if (run !== undefined) act(run.key);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes is read through `now`
  useEffect(
    () =>
      listen({
        j: () => step(1),
        k: () => step(-1),
        Enter: here(onOpen),
        ...(onChoose === undefined ? {} : { x: here(onChoose) }),
      }),
    [onOpen, onChoose],
  );
  return (
    <div className="runs">
      <div className="bar">
        {failing === 0 ? null : (
          <fieldset className="seg" aria-label="Which traces">
            <button type="button" aria-pressed={!filter.failed} onClick={() => change({ failed: false })}>
              All traces
            </button>
            <button type="button" aria-pressed={filter.failed} onClick={() => change({ failed: true })}>
              {`With failed calls ${integer(failing)}`}
            </button>
          </fieldset>
        )}
        <div className="choices">
          {(
            [
              ["tool", "Tool", tools],
              ["task", "Scenario", tasks],
            ] as const
          ).map(([name, title, values]) =>
            values.length === 0 && filter[name] === "" ? null : (
              <FacetChoice
                key={name}
                title={title}
                values={values}
                value={filter[name]}
                words={(value) => value}
                onChoose={(value) => change({ [name]: value })}
              />
            ),
          )}
        </div>
        <span className="count" role="status">
          {`${integer(shown.length)} of ${count(runs.length, "trace")} shown`}
        </span>
        <span className="keys-hint" aria-hidden="true">
          <span>
            <kbd>j</kbd> <kbd>k</kbd> trace
          </span>
          <span>
            <kbd>Enter</kbd> open
          </span>
          {onChoose === undefined ? null : (
            <span>
              <kbd>x</kbd> choose
            </span>
          )}
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="empty">No trace matches. Names, tasks, tools and the first request are searched.</p>
      ) : (
        <VirtualList
          label="Traces"
          className="run-list"
          count={shown.length}
          rowHeight={ROW_HEIGHT}
          selected={selected}
          jump={jump}
          idOf={(index) => `trace-${index + 1}`}
          classOf={(index) => (chosen?.includes(shown[index]!.key) ? "lrow chosen" : "lrow")}
          onSelect={setAt}
          onOpen={(index) => onOpen(shown[index]!.key)}
          onClick={(index) => onOpen(shown[index]!.key)}
          render={(index) => (
            <Line run={shown[index]!} query={query} isChosen={chosen?.includes(shown[index]!.key) ?? false} />
          )}
        />
      )}
    </div>
  );
}

/** Only where a scenario ran more than once: otherwise each names one run. */
function repeatedTasks(runs: readonly ListedRun[]) {
  const values = countValues(runs, ({ scenario }) => (scenario === undefined ? [] : [scenario]));
  return values.some(([, amount]) => amount > 1) ? values : [];
}

function Line({ run, query, isChosen }: { run: ListedRun; query: string; isChosen: boolean }) {
  const facts = [
    count(run.turns, "turn"),
    count(run.calls, "call"),
    run.elapsedMs === undefined ? "" : duration(run.elapsedMs),
    run.tokens === undefined ? "" : tokens(run.tokens),
  ];
  return (
    <>
      <span className="lname">
        {isChosen ? <span className="chosen-word">chosen </span> : null}
        <MarkedQuery text={printable(run.label)} query={query} />
      </span>
      <span className="lfacts">
        {run.failed > 0 ? <span className="bad">✗ {integer(run.failed)} failed, </span> : null}
        {facts.filter((fact) => fact !== "").join(", ")}
      </span>
      <span className="lask">
        <MarkedQuery text={printable(run.ask ?? "")} query={query} />
        <code>
          <MarkedQuery text={` ${run.tools.map(printable).join(", ")}`} query={query} />
        </code>
      </span>
    </>
  );
}

const known = new WeakMap<ListedRun, string>();

function textOf(run: ListedRun): string {
  let text = known.get(run);
  if (text === undefined) {
    text = [run.label, run.name, run.agent, run.scenario, run.ask, ...run.tools].join("\n").toLowerCase();
    known.set(run, text);
  }
  return text;
}
