/** One run, or a list of them from which one is opened. Where the runs come from is the page's business. */
import { messageOf } from "@spoor/core/internal/errors";
import type { RunView } from "@spoor/core/internal/report/run-view";
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useState } from "preact/hooks";
import { type Address, writeAddress } from "./address.ts";
import type { listenToKeys } from "./keys.ts";
import { type ListedRun, RunList } from "./run-list.tsx";
import { RunPage } from "./run-page.tsx";

interface Props extends Omit<Address, "vs"> {
  runs: readonly ListedRun[];
  /** The run itself: at once, or when it has come. */
  load: (key: string) => RunView | Promise<RunView>;
  jump: number;
  go: (change: Partial<Address>) => void;
  listen: typeof listenToKeys;
  chosen?: readonly string[];
  onChoose?: (key: string) => void;
}

export function Runs({ runs, load, place, query, only, jump, go, listen, chosen, onChoose }: Props) {
  const isAlone = runs.length === 1 && onChoose === undefined;
  const key = isAlone ? runs[0]!.key : keyOf(runs, place);
  const run = useLoaded(key, load);
  const at = runs.findIndex((entry) => entry.key === key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving asks for nothing but the list and the place
  useEffect(() => {
    if (isAlone || key === undefined) return undefined;
    const move = (by: 1 | -1) => go({ place: runs[(at + by + runs.length) % runs.length]!.key, only: "" });
    return listen({ "[": () => move(-1), "]": () => move(1), u: () => go({ place: "", only: "" }) });
  }, [isAlone, key, runs]);
  if (key === undefined) {
    return (
      <RunList
        runs={runs}
        query={query}
        only={only}
        onOnly={(next) => go({ only: next })}
        onOpen={(opened) => go({ place: opened, query: "", only: "" })}
        listen={listen}
        {...(chosen === undefined ? {} : { chosen })}
        {...(onChoose === undefined ? {} : { onChoose })}
      />
    );
  }
  const prefix = isAlone ? "" : `${key}:`;
  return (
    <>
      {isAlone ? null : (
        <p className="back">
          <a href="#traces">{`All ${count(runs.length, "trace")}`}</a> <b>{printable(runs[at]!.label)}</b>{" "}
          {onChoose === undefined ? null : (
            <button type="button" className="more" aria-pressed={chosen?.includes(key)} onClick={() => onChoose(key)}>
              Choose for a comparison
            </button>
          )}
        </p>
      )}
      {typeof run === "string" ? (
        <p className="empty">{run}</p>
      ) : (
        <RunPage
          key={key}
          run={run}
          place={isAlone ? place : place.slice(prefix.length)}
          jump={jump}
          query={query}
          only={only}
          onPlace={(next) => go({ place: `${prefix}${next}` })}
          onOnly={(next) => go({ only: next })}
          hrefOf={(next) => writeAddress({ place: `${prefix}${next}`, query, only, vs: "" })}
          listen={listen}
        />
      )}
    </>
  );
}

/** The run that a place begins with; a person may write its name for its key. */
function keyOf(runs: readonly ListedRun[], place: string): string | undefined {
  if (place === "") return undefined;
  const isIn = (called: string) => place === called || place.startsWith(`${called}:`);
  return (runs.find(({ key }) => isIn(key)) ?? runs.find(({ name }) => isIn(name)))?.key;
}

/** The run, or words about why it is not there. */
function useLoaded(key: string | undefined, load: Props["load"]): RunView | string {
  const [loaded, setLoaded] = useState<{ key: string; run: RunView | string } | undefined>(undefined);
  useEffect(() => {
    if (key === undefined) return undefined;
    let isWanted = true;
    const keep = (run: RunView | string) => {
      if (isWanted) setLoaded({ key, run });
    };
    const run = load(key);
    if (run instanceof Promise) run.then(keep, (error: unknown) => keep(messageOf(error)));
    else keep(run);
    return () => {
      isWanted = false;
    };
  }, [key, load]);
  return loaded !== undefined && loaded.key === key ? loaded.run : "Reading the trace …";
}
