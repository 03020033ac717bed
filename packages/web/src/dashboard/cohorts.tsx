/** Changed, unchanged, or how many more runs it takes: each release beside the one before it, over all their runs. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { AgentChoice } from "./agent-choice.tsx";
import { useAnswer } from "./ask.ts";
import { Evidence, type EvidencePoint } from "./evidence.tsx";
import type { PageProps } from "./page-props.ts";
import { hrefOf } from "./place.ts";
import { When } from "./time.tsx";
import { Answered } from "./trouble.tsx";
import { type Mark, MarkShape } from "./words.tsx";

interface Counts {
  readonly baseline: number;
  readonly candidate: number;
}

interface Look {
  readonly release: string;
  readonly against: string;
  readonly looks: number;
  readonly lookedAt: number;
  readonly verdict: "changed" | "unchanged" | "not_enough_evidence";
  readonly alarm: boolean;
  readonly runs: Counts;
  readonly seen: Counts;
  readonly report?: number;
  readonly headline?: string;
  readonly detail?: string;
  readonly needed?: { readonly more?: Counts };
  readonly test?: { readonly asked: number };
  readonly sequential?: { readonly alpha: number; readonly sentence: string };
  readonly evidence?: readonly EvidencePoint[];
  readonly problem?: { readonly message: string };
}

const MARKS: Readonly<Record<Look["verdict"], Mark>> = {
  changed: "failed",
  unchanged: "passed",
  not_enough_evidence: "unknown",
};

export function Cohorts({ place, version }: PageProps) {
  return (
    <section className="page" aria-label="Cohorts">
      <AgentChoice place={place} version={version}>
        {(agent) => <OfAgent key={agent} agent={agent} version={version} wanted={place.query.get("release")} />}
      </AgentChoice>
    </section>
  );
}

function OfAgent({ agent, version, wanted }: { agent: string; version: number; wanted: string | null }) {
  const asked = useAnswer<{ readonly cohorts: readonly Look[] }>(
    `/agents/${encodeURIComponent(agent)}/cohorts`,
    version,
  );
  return (
    <Answered asked={asked}>
      {({ cohorts }) => {
        const shown = cohorts.find(({ release }) => release === wanted) ?? cohorts[0];
        if (shown === undefined) return <None agent={agent} />;
        const others = cohorts.filter((look) => look !== shown);
        return (
          <>
            <OneLook agent={agent} look={shown} />
            {others.length === 0 ? null : (
              <section className="block" aria-labelledby="other-looks">
                <h2 id="other-looks">Other releases</h2>
                <ul className="generations">
                  {others.map((look) => (
                    <li key={`${look.against} ${look.release}`}>
                      <a href={hrefOf("/cohorts", { agent, release: look.release })}>
                        <code>{printable(look.against)}</code> → <code>{printable(look.release)}</code>
                      </a>{" "}
                      {look.verdict.replaceAll("_", " ")}
                      {look.headline === undefined ? "" : `: ${printable(look.headline)}`}
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function OneLook({ agent, look }: { agent: string; look: Look }) {
  const title = look.headline ?? look.problem?.message ?? look.sequential?.sentence ?? "";
  const { verdict, detail, release, against, report, runs, seen, needed, test, sequential, evidence } = look;
  return (
    <>
      <section className="lead" aria-labelledby="cohort-title">
        <div>
          <p className={`status ${MARKS[verdict]}`}>
            <MarkShape mark={MARKS[verdict]} />
            {capital(verdict.replaceAll("_", " "))}
          </p>
          <h1 id="cohort-title">{printable(title)}</h1>
          <p className="lede">
            <code>{printable(agent)}</code>, <code>{printable(against)}</code> against <code>{printable(release)}</code>
            . {detail === undefined ? "" : printable(detail)}
          </p>
          <p className="go">
            {report === undefined ? null : (
              <a className="btn" href={`/api/v1/reports/${report}.html`}>
                Signals and what moved
              </a>
            )}
            <a href={hrefOf("/compare", { baseline: `${agent}@${against}`, candidate: `${agent}@${release}` })}>
              The releases side by side
            </a>
            <a href={hrefOf("/runs", { agent, release })}>The runs of {printable(release)}</a>
          </p>
        </div>
        <div className="facts">
          <dl>
            <dt>Runs</dt>
            <dd>
              {integer(runs.baseline)} + {integer(runs.candidate)}
              {seen.baseline + seen.candidate > runs.baseline + runs.candidate ? (
                <small>{`of ${integer(seen.baseline)} and ${integer(seen.candidate)}`}</small>
              ) : null}
            </dd>
            {needed?.more === undefined ? null : (
              <>
                <dt>Would settle it</dt>
                <dd>
                  {`${count(needed.more.candidate, "more run")}`}
                  <small>{`and ${integer(needed.more.baseline)} of ${printable(against)}`}</small>
                </dd>
              </>
            )}
            <dt>Looked</dt>
            <dd>
              {count(look.looks, "time")}
              <small>
                last <When at={look.lookedAt} />
                {test === undefined ? "" : `; the fixed test was asked ${count(test.asked, "time")}`}
              </small>
            </dd>
          </dl>
        </div>
      </section>
      {evidence === undefined || evidence.length === 0 || sequential === undefined ? null : (
        <section className="block" aria-labelledby="evidence-title">
          <h2 id="evidence-title">Evidence as runs arrived</h2>
          {sequential.sentence === title ? null : <p className="sub">{printable(sequential.sentence)}</p>}
          <Evidence points={evidence} alpha={sequential.alpha} />
        </section>
      )}
    </>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function None({ agent }: { agent: string }) {
  return (
    <>
      <h1>No two releases were compared yet</h1>
      <p className="lede">
        It takes two releases of <code>{printable(agent)}</code> with several runs of the same scenarios, six at least.
        How many runs the change that you care about takes, says
      </p>
      <pre className="commands">
        <code>{"npx spoor cohort plan\n"}</code>
      </pre>
    </>
  );
}
