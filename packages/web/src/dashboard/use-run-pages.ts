/**
 * A list of runs, newest first, page after page by key: as many as were scrolled to. What came since waits beside the list, so that nothing moves under
 * the reader; `showNew` puts it on top.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type AskError, ask, troubleTo } from "./ask.ts";
import { type Filter, queryOf } from "./filters.ts";
import type { ListedRun, RunsAnswer } from "./run-shape.ts";

interface State extends RunsAnswer {
  readonly question: string;
}

export interface RunPages {
  /** Undefined until the first page is there. */
  readonly runs: readonly ListedRun[] | undefined;
  readonly count: number | undefined;
  /** Whether there are more than `count`. */
  readonly more: boolean;
  /** Whether there is a page after the last run. */
  readonly hasNext: boolean;
  readonly trouble: AskError | undefined;
  /** So many came since the list was read; 100 means 100 or more. */
  readonly waiting: number;
  /** Where a text is looked for: in so many of the newest runs, and in how many of these only among names and findings. */
  readonly looked: number;
  readonly notKept: number;
  loadNext(): void;
  showNew(): void;
}

export function useRunPages(filters: readonly Filter[], version: number): RunPages {
  const question = queryOf(filters);
  // Looking for a text takes the service some time: not again with every run that comes.
  const asks = filters.some(({ name }) => name === "q") ? 0 : version;
  const [state, setState] = useState<State | undefined>(undefined);
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const [fresh, setFresh] = useState<{ readonly question: string; readonly answer: RunsAnswer } | undefined>(undefined);
  const isLoading = useRef(false);
  const current = state?.question === question ? state : undefined;
  const now = useRef({ question, current });
  now.current = { question, current };

  const fail = useMemo(() => troubleTo(setTrouble), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asks` asks for what came since
  useEffect(() => {
    let isWanted = true;
    ask<RunsAnswer>(`/runs?${queryOf(filters, { count: "1" })}`).then((answer) => {
      if (!isWanted) return;
      setTrouble(undefined);
      if (now.current.current === undefined || now.current.current.runs.length === 0) setState({ question, ...answer });
      else setFresh({ question, answer });
    }, fail);
    return () => {
      isWanted = false;
    };
  }, [question, asks]);

  const loadNext = useCallback(() => {
    const { current: list, question: asked } = now.current;
    if (isLoading.current || list?.next === undefined) return;
    isLoading.current = true;
    ask<RunsAnswer>(`/runs?${asked === "" ? "" : `${asked}&`}cursor=${encodeURIComponent(list.next)}`)
      .then((answer) => {
        setState((old) =>
          old === undefined || old.question !== asked || old.next !== list.next
            ? old
            : { ...without(old), runs: [...old.runs, ...answer.runs], ...nextOf(answer), ...lookedOf(old, answer) },
        );
      }, fail)
      .finally(() => {
        isLoading.current = false;
      });
  }, [fail]);

  const newest = current?.runs[0]?.number ?? 0;
  const news = fresh?.question === question ? fresh.answer.runs.filter(({ number }) => number > newest) : [];
  const showNew = () => {
    if (fresh === undefined || current === undefined) return;
    const { answer } = fresh;
    // A whole page of new ones: there may be others between it and the list.
    const isWhole = news.length === answer.runs.length;
    setState(isWhole ? { question, ...answer } : { ...current, ...countOf(answer), runs: [...news, ...current.runs] });
    setFresh(undefined);
  };
  return {
    runs: current?.runs,
    count: current?.count,
    more: current?.more ?? false,
    hasNext: current?.next !== undefined,
    trouble,
    waiting: news.length,
    looked: current?.looked ?? 0,
    notKept: current?.notKept ?? 0,
    loadNext,
    showNew,
  };
}

function without({ next: _, ...state }: State): Omit<State, "next"> {
  return state;
}

function nextOf({ next }: RunsAnswer): Pick<State, "next"> {
  return next === undefined ? {} : { next };
}

function lookedOf(old: State, { looked, notKept = 0 }: RunsAnswer): Pick<State, "looked" | "notKept"> {
  return looked === undefined ? {} : { looked: (old.looked ?? 0) + looked, notKept: (old.notKept ?? 0) + notKept };
}

function countOf({ count, more }: RunsAnswer): Pick<State, "count" | "more"> {
  return { ...(count === undefined ? {} : { count }), ...(more === undefined ? {} : { more }) };
}
