/** The page of `spoor view`: its runs are asked for, and asked for again when the server says that files have changed. */
import { messageOf } from "@spoor/core/internal/errors";
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { ReviewView } from "@spoor/core/internal/gate/review-view";
import type { RunView } from "@spoor/core/internal/report/run-view";
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useCallback, useEffect, useState } from "preact/hooks";
import { writeAddress } from "./address.ts";
import { Comparison } from "./comparison.tsx";
import { listenToKeys } from "./keys.ts";
import { usePageAddress } from "./page-address.ts";
import { type Decisions, Review } from "./review.tsx";
import type { ListedRun } from "./run-list.tsx";
import { Runs } from "./runs.tsx";

interface Listing {
  readonly version: number;
  readonly runs: readonly ListedRun[];
  readonly unread: readonly { readonly file: string; readonly why: string }[];
  /** There is a project whose changes can be decided about. */
  readonly canReview?: boolean;
}

interface ComparedRuns {
  readonly headline: string;
  readonly view: ComparisonView;
}

export function Live({ onReady }: { onReady: () => void }) {
  const address = usePageAddress();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { listing, trouble } = useListing();
  const version = listing?.version ?? 0;
  // Another function whenever something changed: what is shown is asked for again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what it depends on
  const load = useCallback((key: string) => ask<RunView>("run", { key }), [version]);
  const isRead = listing !== undefined;
  useEffect(() => {
    if (isRead) onReady();
  }, [isRead, onReady]);
  if (listing === undefined) return <p className="empty">{trouble ?? "Reading the traces …"}</p>;
  const choose = (key: string) =>
    setChosen((old) => (old.includes(key) ? old.filter((one) => one !== key) : [...old, key].slice(-2)));
  const labelOf = (key: string) => printable(listing.runs.find((run) => run.key === key)?.label ?? key);
  return (
    <>
      {trouble === undefined ? null : (
        <p className="why" role="status">
          {trouble}
        </p>
      )}
      {listing.unread.map(({ file, why }) => (
        <p key={file} className="note">
          <span className="warn">!</span>
          <span>
            <b>{printable(file)}</b> {printable(why)}
          </span>
        </p>
      ))}
      {address.vs === REVIEW ? (
        <Reviewed address={address} version={version} />
      ) : address.vs === "" ? (
        <>
          {listing.canReview && address.place === "" ? (
            <p className="back">
              <a href={reviewHref("", "")}>Review what changed</a>
            </p>
          ) : null}
          {address.place === "" || chosen.length > 0 ? <Choice chosen={chosen} labelOf={labelOf} /> : null}
          {listing.runs.length === 0 ? (
            <p className="empty">No trace yet. The page shows what is recorded here as soon as it is.</p>
          ) : (
            <Runs
              {...address}
              runs={listing.runs}
              load={load}
              listen={listenToKeys}
              chosen={chosen}
              onChoose={choose}
            />
          )}
        </>
      ) : (
        <Compared address={address} version={version} labelOf={labelOf} />
      )}
    </>
  );
}

/** Stands where the other run of a comparison stands: the project's baseline as a whole. */
const REVIEW = "@review";
const reviewHref = (place: string, only: string) => writeAddress({ place, query: "", only, vs: REVIEW });

/** What the project's gate says, what a person decides about it, and below it every run. */
function Reviewed({ address, version }: Pick<ComparedProps, "address" | "version">) {
  const [written, setWritten] = useState<string | undefined>(undefined);
  const [times, setTimes] = useState(0);
  const changes = useAnswer<ReviewView>("review", {}, `${version} ${times}`) ?? "Asking the gate …";
  const write = async (decisions: Decisions): Promise<string | undefined> => {
    const response = await fetch("decide", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(decisions),
    }).catch(() => undefined);
    if (response === undefined) return "spoor view does not answer. Nothing may have been written: look at the files.";
    if (!response.ok) return (await response.text()).trim();
    const { files, status } = (await response.json()) as { files: readonly string[]; status: string };
    setWritten(`Written: ${files.join(", ")}. The gate says now: ${status.replace("_", " ")}.`);
    setTimes((old) => old + 1);
    return undefined;
  };
  return (
    <>
      <p className="back">
        <a href="#traces">All traces</a> <b>Review</b>
      </p>
      {written === undefined ? null : (
        <p className="why" role="status">
          {printable(written)}
        </p>
      )}
      {typeof changes === "string" ? (
        <p className="empty">{changes}</p>
      ) : (
        <>
          <p className="lede">{printable(changes.headline)}</p>
          <Review
            key={changes.stamp}
            changes={changes}
            hrefOf={(card) => reviewHref("traces", `card:${card}`)}
            onWrite={write}
          />
          {changes.view === undefined ? null : <ComparisonHere view={changes.view} address={address} />}
        </>
      )}
    </>
  );
}

/** What `x` has chosen, and the way to the comparison. */
function Choice({ chosen, labelOf }: { chosen: readonly string[]; labelOf: (key: string) => string }) {
  const [baseline, candidate] = chosen;
  return (
    <p className="choice" role="status">
      {baseline === undefined ? (
        "To compare two traces choose them: with x in the list, or in an opened one. The first is the baseline."
      ) : candidate === undefined ? (
        <>
          Baseline <b>{labelOf(baseline)}</b>. Choose another trace to compare it.
        </>
      ) : (
        <a className="btn" href={writeAddress({ place: candidate, query: "", only: "", vs: baseline })}>
          {`Compare ${labelOf(baseline)} with ${labelOf(candidate)}`}
        </a>
      )}
    </p>
  );
}

interface ComparedProps {
  address: ReturnType<typeof usePageAddress>;
  version: number;
  labelOf: (key: string) => string;
}

function Compared({ address, version, labelOf }: ComparedProps) {
  const { place, vs } = address;
  const key = place.replace(/:b?\d+$/, "");
  const compared = useAnswer<ComparedRuns>("compare", { key, baseline: vs }, String(version)) ?? "Comparing …";
  return (
    <>
      <p className="back">
        <a href="#traces">All traces</a>
        <b>{`${labelOf(vs)} → ${labelOf(key)}`}</b>{" "}
        <a href={writeAddress({ place: vs, query: "", only: "", vs: key })}>the other way round</a>
      </p>
      {typeof compared === "string" ? (
        <p className="empty">{compared}</p>
      ) : (
        <>
          <p className="lede">{printable(compared.headline)}</p>
          <ComparisonHere view={compared.view} address={address} />
        </>
      )}
    </>
  );
}

/** A comparison under this page's address, whichever two sides it has. */
function ComparisonHere({ view, address }: { view: ComparisonView; address: ComparedProps["address"] }) {
  const { place, query, only, vs, jump, go } = address;
  return (
    <Comparison
      view={view}
      query={query}
      place={place}
      jump={jump}
      onPlace={(next) => go({ place: next })}
      only={only}
      onOnly={(next) => go({ only: next })}
      hrefOf={(next, filter) => writeAddress({ place: next, query, only: filter, vs })}
      listen={listenToKeys}
    />
  );
}

/** What the server answers, or words about why it does not; undefined before the first answer. Asked again when `version` is another. */
function useAnswer<T>(question: string, asked: Record<string, string>, version: string): T | string | undefined {
  const [answer, setAnswer] = useState<T | string | undefined>(undefined);
  const key = JSON.stringify(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all of what is asked; the version asks once more
  useEffect(() => {
    let isWanted = true;
    ask<T>(question, asked).then(
      (next) => isWanted && setAnswer(next),
      (error: unknown) => isWanted && setAnswer(messageOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [question, key, version]);
  return answer;
}

/** The list now, and again with every word of the server; words where it does not answer. */
function useListing(): { listing: Listing | undefined; trouble: string | undefined } {
  const [listing, setListing] = useState<Listing | undefined>(undefined);
  const [trouble, setTrouble] = useState<string | undefined>(undefined);
  useEffect(() => {
    const read = () =>
      ask<Listing>("runs", {}).then(
        (next) => {
          setListing(next);
          setTrouble(undefined);
        },
        () => setTrouble("spoor view has ended: the page shows what it last read."),
      );
    const events = new EventSource("events");
    events.onmessage = () => void read();
    // Also after a break, in which something may have been said.
    events.onopen = () => void read();
    events.onerror = () => setTrouble("spoor view has ended: the page shows what it last read.");
    return () => events.close();
  }, []);
  return { listing, trouble };
}

async function ask<T>(question: string, asked: Record<string, string>): Promise<T> {
  const response = await fetch(`${question}?${new URLSearchParams(asked)}`);
  if (!response.ok) throw new Error((await response.text()).trim() || `${count(response.status, "status")}`);
  return (await response.json()) as T;
}
