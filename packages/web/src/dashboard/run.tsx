/** One run: what it did, turn by turn, with what rules found where it happened, and its recording. */
import { statusWords } from "@spoor/core/internal/fingerprint/classify";
import type { RunView } from "@spoor/core/internal/report/run-view";
import { count, dollars } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { listenToKeys } from "../keys.ts";
import { RunPage } from "../run-page.tsx";
import { type AskError, ask, troubleTo, useAnswer } from "./ask.ts";
import { FindIn } from "./find-in.tsx";
import type { PageProps } from "./page-props.ts";
import { change, go, hrefOf, runHref } from "./place.ts";
import { figuresOf } from "./run-line.tsx";
import type { ListedRun } from "./run-shape.ts";
import { When } from "./time.tsx";
import { Answered, Trouble } from "./trouble.tsx";

type RunAnswer =
  | {
      readonly state: "run";
      readonly id: string;
      readonly run: ListedRun;
      readonly findings: readonly Finding[];
      readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[];
      readonly stages: readonly { readonly stage: string; readonly result: unknown }[];
    }
  | { readonly state: "runs"; readonly runs: readonly ListedRun[] }
  | { readonly state: "waiting" }
  | { readonly state: "refused"; readonly code: string; readonly message: string };

interface Finding {
  readonly id: number;
  readonly ruleId: string;
  readonly severity: string;
  readonly turnIndex?: number;
}

export function Run({ place, version, id }: PageProps & { id: string }) {
  const asked = useAnswer<RunAnswer>(`/runs/${encodeURIComponent(id)}`, version);
  useEffect(() => listenToKeys({ u: () => (history.length > 1 ? history.back() : go("/runs")) }), []);
  return (
    <section className="page" aria-label="Run">
      <p className="back">
        <a href="/runs">All runs</a>
      </p>
      <Answered asked={asked}>
        {(answer) => {
          switch (answer.state) {
            case "run":
              return <OneRun answer={answer} place={place} />;
            case "runs":
              return <Several runs={answer.runs} />;
            case "waiting":
              return <h1>This run has come and waits for its evaluation</h1>;
            case "refused":
              return (
                <>
                  <h1>This arrival could not be read</h1>
                  <p className="lede">{printable(answer.message)}</p>
                </>
              );
          }
        }}
      </Answered>
    </section>
  );
}

function Several({ runs }: { runs: readonly ListedRun[] }) {
  return (
    <>
      <h1>{`${count(runs.length, "run")} came in one recording`}</h1>
      <ul className="ways-list">
        {runs.map((run) => (
          <li key={run.id}>
            <a href={runHref(run.id)}>{printable(run.scenario ?? run.name)}</a>{" "}
            <span className="muted">{figuresOf(run)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function OneRun({ answer, place }: { answer: Extract<RunAnswer, { state: "run" }>; place: PageProps["place"] }) {
  const { run, findings } = answer;
  const { view, of, trouble } = useView(run.id);
  return (
    <>
      <h1>{printable(run.scenario ?? run.name)}</h1>
      <p className="lede">
        <a href={hrefOf("/runs", { agent: run.agent })}>{printable(run.agent)}</a>
        {run.release === undefined ? null : (
          <>
            {", "}
            <a href={hrefOf("/runs", { agent: run.agent, release: run.release })}>{printable(run.release)}</a>
          </>
        )}
        {", came "}
        <When at={run.receivedAt} />. {figuresOf(run)}
        {run.costMicro === undefined ? "" : `, ${dollars(run.costMicro / 1e6)}`}.
      </p>
      <ul className="run-facts">
        <li>
          {run.status === "not_evaluated" ? (
            "No rule judged it."
          ) : findings.length === 0 ? (
            <span className="ok">Every rule holds.</span>
          ) : (
            <FindingList findings={findings} id={run.id} />
          )}
        </li>
        <li>
          Path beside the baseline: <b>{statusWords[run.verdict] ?? run.verdict}</b>.{" "}
          <a href={hrefOf("/runs", { agent: run.agent, behaviour: String(run.behaviour) })}>All runs on this path</a>
        </li>
        {run.replayed + run.standIns > 0 ? (
          <li>{`${count(run.replayed, "call")} answered from a recording, ${run.standIns} by stand-ins.`}</li>
        ) : null}
        {run.callsWithoutResult > 0 ? (
          <li>
            {`${count(run.callsWithoutResult, "call")} without a result. `}
            <code>spoor record</code> also records what tools return.
          </li>
        ) : null}
        <li>
          <a href={`/api/v1/runs/${run.id}/export`} download={`${run.id}.agentlog`}>
            The recording
          </a>
          , which every command of Spoor reads: <code>{`spoor show ${run.id}.agentlog`}</code>
        </li>
      </ul>
      <Trouble trouble={trouble} />
      {view === undefined ? (
        trouble === undefined ? (
          <p className="empty">Reading the run …</p>
        ) : null
      ) : (
        <>
          {view.turns.length < of ? (
            <p className="sub" role="status">{`${view.turns.length} of ${count(of, "turn")} read …`}</p>
          ) : null}
          <View view={view} place={place} />
        </>
      )}
    </>
  );
}

function FindingList({ findings, id }: { findings: readonly Finding[]; id: string }) {
  return (
    <>
      <span className="bad">{count(findings.length, "finding")}:</span>{" "}
      {findings.map(({ id: key, ruleId, turnIndex }, index) => (
        <span key={key}>
          {index === 0 ? "" : ", "}
          {turnIndex === undefined ? (
            <code>{printable(ruleId)}</code>
          ) : (
            <a href={runHref(id, { place: `turn-${turnIndex + 1}` })}>
              <code>{printable(ruleId)}</code> at turn {turnIndex + 1}
            </a>
          )}
        </span>
      ))}
    </>
  );
}

function View({ view, place }: { view: RunView; place: PageProps["place"] }) {
  const { query } = place;
  const at = query.get("place") ?? "";
  const only = query.get("only") ?? "";
  const find = query.get("q") ?? "";
  const [jump, setJump] = useState(0);
  const last = useRef(at);
  // The address may have been gone to by a link.
  useEffect(() => {
    if (last.current !== at) setJump((old) => old + 1);
    last.current = at;
  }, [at]);
  return (
    <>
      <h2 className="block">What it did</h2>
      <FindIn label="Find in this run" text={find} />
      <RunPage
        run={view}
        place={at}
        jump={jump}
        query={find.trim()}
        only={only}
        onPlace={(next) => change({ place: next })}
        onOnly={(next) => change({ only: next })}
        hrefOf={(next) => hrefOf(place.path, { ...Object.fromEntries(query), place: next })}
        listen={listenToKeys}
      />
    </>
  );
}

interface TraceSlice {
  readonly of: number;
  readonly next?: number;
  readonly view: RunView | Pick<RunView, "turns">;
}

/** The run in slices, each shown as it comes. */
function useView(id: string): { view: RunView | undefined; of: number; trouble: AskError | undefined } {
  const [first, setFirst] = useState<{ view: RunView; of: number } | undefined>(undefined);
  const [more, setMore] = useState<RunView["turns"]>([]);
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    const read = async () => {
      for (let from: number | undefined = 0; from !== undefined && isWanted; ) {
        const slice: TraceSlice = await ask<TraceSlice>(`/runs/${encodeURIComponent(id)}/trace?from=${from}`);
        if (!isWanted) return;
        if (from === 0) setFirst({ view: slice.view as RunView, of: slice.of });
        else setMore((old) => [...old, ...slice.view.turns]);
        from = slice.next;
      }
    };
    read().catch(troubleTo((error) => isWanted && setTrouble(error)));
    return () => {
      isWanted = false;
    };
  }, [id]);
  const view = useMemo(
    () => first && (more.length === 0 ? first.view : { ...first.view, turns: [...first.view.turns, ...more] }),
    [first, more],
  );
  return { view, of: first?.of ?? 0, trouble };
}
