/** Which runs match: a list of any length, its filters in the address, and two of its runs chosen for a comparison. */
import { integer } from "@spoor/core/internal/text/amounts";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { listenToKeys } from "../keys.ts";
import { VirtualList } from "../virtual-list.tsx";
import { type Filter, filtersOf } from "./filters.ts";
import { countWords, Nearest, useCounts } from "./nearest.tsx";
import type { PageProps } from "./page-props.ts";
import { change, go, hrefOf, runHref } from "./place.ts";
import { RUN_ROW_HEIGHT, RunLine } from "./run-line.tsx";
import { RunTokens } from "./run-tokens.tsx";
import { foundTitle, Searched } from "./searched.tsx";
import { Trouble } from "./trouble.tsx";
import { useRunPages } from "./use-run-pages.ts";

/** Rows before the end at which the next page is asked for. */
const AHEAD = 40;

export function Runs({ place, version }: PageProps) {
  const { query } = place;
  const filters = useMemo(() => filtersOf(query), [query]);
  const pages = useRunPages(filters, version);
  const { runs, loadNext, waiting } = pages;
  const chosen = (query.get("x") ?? "").split(",").filter((id) => id !== "");
  const text = query.get("q") ?? "";
  // What was looked for is marked in the run as well.
  const hrefTo = (id: string) => runHref(id, { q: new URLSearchParams(location.search).get("q") ?? undefined });
  const [jump, setJump] = useState(0);
  const at = query.get("at");
  const found = runs?.findIndex(({ id }) => id === at) ?? -1;
  const selected = Math.max(0, found);
  useFarRow(at, found, pages.hasNext, runs?.length ?? 0, loadNext);

  const now = useRef({ runs, selected, chosen });
  now.current = { runs, selected, chosen };
  const select = (index: number) => {
    const run = now.current.runs?.[index];
    if (run === undefined) return;
    now.current = { ...now.current, selected: index };
    change({ at: run.id });
    if (index + AHEAD > now.current.runs!.length) loadNext();
  };
  const choose = (id: string) => {
    const old = now.current.chosen;
    const next = old.includes(id) ? old.filter((one) => one !== id) : [...old, id].slice(-2);
    now.current = { ...now.current, chosen: next };
    change({ x: next.join(",") });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes is read through `now`
  useEffect(() => {
    const step = (by: 1 | -1) => {
      select(Math.max(0, Math.min((now.current.runs?.length ?? 1) - 1, now.current.selected + by)));
      setJump((old) => old + 1);
    };
    const here = (act: (id: string) => void) => () => {
      const run = now.current.runs?.[now.current.selected];
      if (run !== undefined) act(run.id);
    };
    return listenToKeys({
      j: () => step(1),
      k: () => step(-1),
      Enter: here((id) => go(hrefTo(id))),
      x: here(choose),
    });
  }, []);

  return (
    <section className="page" aria-labelledby="runs-title">
      <h1 id="runs-title">
        {runs === undefined ? "Runs" : text === "" ? titleOf(pages, filters) : foundTitle(text, pages)}
      </h1>
      <RunTokens filters={filters} />
      {text === "" ? <Facets filters={filters} version={version} /> : <Searched key={text} text={text} pages={pages} />}
      <Trouble trouble={pages.trouble} />
      <div className="list-head">
        <Choice chosen={chosen} />
        <p className="news" role="status">
          {waiting === 0 ? null : (
            <button type="button" className="more" onClick={pages.showNew}>
              {waiting >= 100 ? "100 new or more" : `${waiting} new`}
            </button>
          )}
        </p>
      </div>
      {runs === undefined ? (
        pages.trouble === undefined ? (
          <p className="empty">Asking …</p>
        ) : null
      ) : runs.length === 0 ? (
        filters.length === 0 ? (
          <p className="empty">
            No run has come yet. <a href="/">The overview</a> says how to send one.
          </p>
        ) : text === "" ? (
          <Nearest filters={filters} />
        ) : null
      ) : (
        <VirtualList
          label="Runs"
          className="run-list dash-list"
          count={runs.length}
          rowHeight={RUN_ROW_HEIGHT}
          selected={selected}
          jump={jump}
          idOf={(index) => `run-${index}`}
          classOf={(index) => (chosen.includes(runs[index]!.id) ? "lrow drow chosen" : "lrow drow")}
          onSelect={select}
          onOpen={(index) => go(hrefTo(runs[index]!.id))}
          onClick={(index) => go(hrefTo(runs[index]!.id))}
          onShown={(last) => (last + AHEAD > runs.length ? loadNext() : undefined)}
          render={(index) => <RunLine run={runs[index]!} isChosen={chosen.includes(runs[index]!.id)} />}
        />
      )}
    </section>
  );
}

/** A row that the address names may be some pages further down. */
function useFarRow(at: string | null, found: number, hasNext: boolean, length: number, loadNext: () => void): void {
  const most = 1_000;
  useEffect(() => {
    if (at !== null && found < 0 && hasNext && length > 0 && length < most) loadNext();
  }, [at, found, hasNext, length, loadNext]);
}

function titleOf(
  pages: { readonly count: number | undefined; readonly more: boolean },
  filters: readonly Filter[],
): string {
  const amount = countWords({ count: pages.count ?? 0, more: pages.more });
  const words = amount.charAt(0).toUpperCase() + amount.slice(1);
  return filters.length === 0 ? words : `${words} ${pages.count === 1 ? "matches" : "match"}`;
}

/** How the runs divide; each is a filter. */
function Facets({ filters, version }: { filters: readonly Filter[]; version: number }) {
  const facets = [
    { filter: { name: "status", value: "failed" }, words: "rules broken" },
    { filter: { name: "status", value: "passed" }, words: "passed" },
    { filter: { name: "status", value: "not_evaluated" }, words: "not evaluated" },
    { filter: { name: "verdict", value: "new" }, words: "on a new path" },
  ] as const;
  const others = facets.filter(({ filter }) => !filters.some(({ name }) => name === filter.name));
  const counts = useCounts(
    others.map(({ filter }) => [...filters, filter]),
    version,
  );
  if (others.length === 0) return null;
  return (
    <p className="facets">
      {others.map(({ filter, words }, index) => {
        const { count, more } = counts[index] ?? {};
        if (count === undefined) return null;
        return (
          <button
            key={filter.value}
            type="button"
            className="more"
            disabled={count === 0}
            onClick={() => change({ [filter.name]: filter.value, at: undefined })}
          >
            {words} {more ? `${integer(count)}+` : integer(count)}
          </button>
        );
      })}
    </p>
  );
}

/** What `x` has chosen, and the way to the comparison. */
function Choice({ chosen: [baseline, candidate] }: { chosen: readonly string[] }) {
  return (
    <p className="choice" role="status">
      {baseline === undefined ? (
        <span className="muted">
          <kbd>x</kbd> chooses a run, two of them can be compared.
        </span>
      ) : candidate === undefined ? (
        <>
          The first is chosen. Choose another with <kbd>x</kbd> to compare them.
        </>
      ) : (
        <a className="btn" href={hrefOf("/compare", { baseline, candidate })}>
          Compare the two runs
        </a>
      )}
    </p>
  );
}
