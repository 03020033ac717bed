/** Which agent changed, since when; how every agent is; what waits for a person; what happened just now. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { useEffect } from "preact/hooks";
import { AgentTable, dayBefore, type OverviewAgent } from "./agent-table.tsx";
import { useAnswer } from "./ask.ts";
import { FirstRun } from "./first-run.tsx";
import type { PageProps } from "./page-props.ts";
import { hrefOf } from "./place.ts";
import { Ago, When } from "./time.tsx";
import { Answered } from "./trouble.tsx";
import { type Mark, MarkShape, Said, toneOf, type Words } from "./words.tsx";

interface Waiting {
  readonly about: "verdict" | "baseline" | "behaviours" | "rejected";
  readonly agent?: string;
  readonly mark: Mark;
  readonly title: Words;
  readonly detail: Words;
}

interface OverviewAnswer {
  readonly version: string;
  readonly now: number;
  readonly mark: Mark;
  readonly word: string;
  readonly headline: Words;
  readonly detail: Words;
  readonly agent?: string;
  readonly agents: readonly OverviewAgent[];
  readonly waiting: readonly Waiting[];
  readonly recent: readonly { readonly id: number; readonly at: number; readonly say: Words }[];
  readonly rejected: number;
  readonly lag: { readonly waiting: number; readonly oldestReceivedAt?: number };
}

/** While nothing has come, the page also looks by itself: the stream of events may be held back by a proxy. */
const LOOK_MS = 5_000;

export function Overview({ me, version }: PageProps) {
  const asked = useAnswer<OverviewAnswer>("/overview", version);
  const isEmpty = asked.answer?.agents.length === 0;
  useEffect(() => {
    if (!isEmpty) return undefined;
    const timer = setInterval(asked.again, LOOK_MS);
    return () => clearInterval(timer);
  }, [isEmpty, asked.again]);
  return (
    <Answered asked={asked}>
      {(overview) =>
        overview.agents.length === 0 && overview.rejected === 0 ? (
          <FirstRun needsToken={me.needsToken} />
        ) : (
          <Filled overview={overview} />
        )
      }
    </Answered>
  );
}

function Filled({ overview }: { overview: OverviewAnswer }) {
  const { mark, word, headline, detail, agents, waiting, recent, now } = overview;
  const about = agents.find(({ name }) => name === overview.agent);
  return (
    <>
      <section className="lead" aria-labelledby="o-title">
        <div>
          <p className={`status ${mark}`}>
            <MarkShape mark={mark} />
            {word}
          </p>
          <h1 id="o-title">
            <Said words={headline} />
          </h1>
          <p className="lede">
            <Said words={detail} />{" "}
            {about?.verdict?.since === undefined ? null : (
              <>
                First seen <When at={about.verdict.since} />.
              </>
            )}
          </p>
          {about?.verdict === undefined ? null : (
            <p className="go">
              <a className="btn" href={`/api/v1/reports/${about.verdict.report}.html`}>
                See what changed
              </a>
              <a href={hrefOf("/runs", { agent: about.name, release: about.verdict.release })}>
                The runs of this release
              </a>
            </p>
          )}
        </div>
        <Facts overview={overview} />
      </section>
      {agents.length === 0 ? null : <AgentTable agents={agents} now={now} />}
      <section className="block two">
        <div>
          <h2>Waiting for a person</h2>
          {waiting.length === 0 ? (
            <p className="sub">Nothing: no change to decide, no baseline to approve, nothing unreadable.</p>
          ) : (
            <ul className="todo">
              {waiting.map((item, index) => (
                <li key={index}>
                  <span className={`m ${toneOf[item.mark]}`}>
                    <MarkShape mark={item.mark} />
                  </span>
                  <b>
                    <Said words={item.title} />
                  </b>
                  <WayTo item={item} agents={agents} />
                  <p>
                    <Said words={item.detail} />
                  </p>
                </li>
              ))}
            </ul>
          )}
        </div>
        <div>
          <h2>Just now</h2>
          {recent.length === 0 ? (
            <p className="sub">Nothing happened in the last day.</p>
          ) : (
            <ul className="feed">
              {recent.map(({ id, at, say }) => (
                <li key={id}>
                  <Ago at={at} />
                  <span>
                    <Said words={say} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </section>
    </>
  );
}

function WayTo({ item, agents }: { item: Waiting; agents: readonly OverviewAgent[] }) {
  const report = agents.find(({ name }) => name === item.agent)?.verdict?.report;
  switch (item.about) {
    case "verdict":
      return (
        <a className="act" href={`/api/v1/reports/${report}.html`}>
          Look
        </a>
      );
    case "baseline":
      return (
        <a className="act" href={hrefOf("/baselines", { agent: item.agent })}>
          Review
        </a>
      );
    case "behaviours":
      return (
        <a className="act" href={hrefOf("/behaviours", { agent: item.agent })}>
          Look
        </a>
      );
    case "rejected":
      return (
        <a className="act" href="/settings#arrivals">
          Look
        </a>
      );
  }
}

function Facts({ overview: { agents, rejected, lag, now } }: { overview: OverviewAnswer }) {
  const from = dayBefore(now);
  const sum = (of: (agent: OverviewAgent) => number) => agents.reduce((total, agent) => total + of(agent), 0);
  const runs = sum(({ day }) => day.runs);
  const violations = sum(({ day }) => day.violations);
  const known = agents.filter(({ isKnown }) => isKnown);
  const knownRuns = known.reduce((total, { day }) => total + day.runs, 0);
  const onKnown = known.reduce((total, { day }) => total + day.known, 0);
  const newest = Math.max(...agents.map(({ lastReceivedAt }) => lastReceivedAt ?? 0), 0);
  return (
    <div className="facts">
      <dl>
        <dt>Runs, last 24 hours</dt>
        <dd>
          {runs === 0 ? "0" : <a href={hrefOf("/runs", { from })}>{integer(runs)}</a>}
          {newest === 0 ? null : (
            <small>
              newest <Ago at={newest} />
            </small>
          )}
        </dd>
        <dt>On a known path</dt>
        <dd>
          {knownRuns === 0 ? "–" : `${((100 * onKnown) / knownRuns).toFixed(1)} %`}
          <small>
            {known.length === 0 ? "no baseline is approved" : `of ${count(knownRuns, "run")} with a baseline`}
          </small>
        </dd>
        <dt>Rules broken</dt>
        <dd>
          {violations === 0 ? (
            "never"
          ) : (
            <a className="bad" href={hrefOf("/runs", { status: "failed", from })}>
              {count(violations, "time")}
            </a>
          )}
          <small>in 24 hours</small>
        </dd>
        <dt>Not readable</dt>
        <dd>{rejected === 0 ? "none" : <a href="/settings#arrivals">{count(rejected, "arrival")}</a>}</dd>
        <dt>Evaluated</dt>
        <dd>
          {lag.waiting === 0 ? "everything" : `${count(lag.waiting, "arrival")} waiting`}
          {lag.oldestReceivedAt === undefined ? null : (
            <small>
              oldest came <Ago at={lag.oldestReceivedAt} />
            </small>
          )}
        </dd>
      </dl>
    </div>
  );
}
