/** Two runs, or two releases, beside each other: what differs and where it began. */
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useRef, useState } from "preact/hooks";
import { Comparison } from "../comparison.tsx";
import { listenToKeys } from "../keys.ts";
import { useAnswer } from "./ask.ts";
import { FindIn } from "./find-in.tsx";
import type { PageProps } from "./page-props.ts";
import { change, hrefOf, runHref } from "./place.ts";
import { Answered } from "./trouble.tsx";

interface CompareAnswer {
  readonly id: number;
  readonly headline: string;
  readonly detail?: string;
  readonly view?: ComparisonView;
  readonly problem?: string;
}

export function Compare({ place }: PageProps) {
  const { query } = place;
  const [baseline, candidate, scenario] = ["baseline", "candidate", "scenario"].map((name) => query.get(name) ?? "");
  const isAsked = baseline !== "" && candidate !== "";
  const question = hrefOf("/compare", { baseline, candidate, scenario });
  const asked = useAnswer<CompareAnswer>(isAsked ? question : undefined);
  if (!isAsked)
    return (
      <section className="lead alone">
        <h1>Choose two runs to compare</h1>
        <p className="lede">
          In the <a href="/runs">list of runs</a>, with <kbd>x</kbd>. The first is the baseline.
        </p>
      </section>
    );
  return (
    <section className="page" aria-label="Comparison">
      <p className="back">
        <a href="/runs">All runs</a> <Side name={baseline!} /> → <Side name={candidate!} />{" "}
        <a href={hrefOf("/compare", { baseline: candidate, candidate: baseline, scenario })}>the other way round</a>
      </p>
      <Answered asked={asked}>{(answer) => <Compared answer={answer} place={place} />}</Answered>
    </section>
  );
}

function Side({ name }: { name: string }) {
  return /^[0-9a-f]{32}$/i.test(name) ? (
    <a href={runHref(name)}>
      <code>{name.slice(0, 8)}</code>
    </a>
  ) : (
    <code>{printable(name)}</code>
  );
}

function Compared({ answer, place }: { answer: CompareAnswer; place: PageProps["place"] }) {
  const { headline, detail, view, problem, id } = answer;
  const { query, path } = place;
  const at = query.get("place") ?? "";
  const [jump, setJump] = useState(0);
  const last = useRef("");
  useEffect(() => {
    if (last.current !== at) setJump((old) => old + 1);
    last.current = at;
  }, [at]);
  return (
    <>
      <h1>{printable(headline)}</h1>
      {detail === undefined || detail === "" ? null : <p className="lede">{printable(detail)}</p>}
      {problem === undefined ? null : <p className="why">{printable(problem)}</p>}
      <p className="go">
        <a href={`/api/v1/reports/${id}.html`}>The whole report</a>
      </p>
      {view === undefined ? null : <FindIn label="Find in this comparison" text={query.get("q") ?? ""} />}
      {view === undefined ? null : (
        <Comparison
          view={view}
          query={(query.get("q") ?? "").trim()}
          place={at}
          jump={jump}
          onPlace={(next) => change({ place: next })}
          only={query.get("only") ?? ""}
          onOnly={(next) => change({ only: next })}
          hrefOf={(next, only) => hrefOf(path, { ...Object.fromEntries(query), place: next, only })}
          listen={listenToKeys}
        />
      )}
    </>
  );
}
