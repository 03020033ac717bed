/** One row per agent: its last verdict, two weeks of it as a line, and its figures. */
import { integer } from "@spoor/core/internal/text/amounts";
import { inOrder } from "./agent-order.ts";
import { LongName } from "./long-name.tsx";
import type { HourSum } from "./noise-band.ts";
import { hrefOf } from "./place.ts";
import { Sparkline } from "./sparkline.tsx";
import { type Mark, MarkShape, Said, toneOf, type Words } from "./words.tsx";

export interface OverviewAgent {
  readonly name: string;
  readonly runs: number;
  readonly lastReceivedAt?: number;
  readonly isKnown: boolean;
  readonly knownSince?: number;
  readonly day: { readonly runs: number; readonly known: number; readonly violations: number };
  readonly hours: readonly HourSum[];
  readonly releases: readonly { readonly name: string; readonly firstSeenAt: number; readonly runs: number }[];
  readonly verdict?: {
    readonly release: string;
    readonly against: string;
    readonly status: string;
    readonly report: number;
    readonly at: number;
    readonly since?: number;
  };
  readonly mark: Mark;
  readonly word: string;
  readonly say: Words;
  readonly note: Words;
}

/** Where the last 24 hours begin, as a filter of runs: the hour in which they do, as the figures count them. */
export function dayBefore(now: number): string {
  const hour = 3_600_000;
  return new Date((Math.ceil(now / hour) - 24) * hour).toISOString();
}

/** Narrow screens draw the table as blocks, which takes its roles away: they are said. */
const as = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

/** One tinted row a screen: the first of those that changed. */
export function AgentTable({ agents: unordered, now }: { agents: readonly OverviewAgent[]; now: number }) {
  const agents = inOrder(unordered);
  const hit = agents.find(({ mark }) => mark === "failed");
  return (
    <section className="block" aria-labelledby="agents-title">
      <div className="head-row">
        <div>
          <h2 id="agents-title">Agents</h2>
          <p className="sub">
            The line is the share of runs on a known path. The band is the agent’s own noise, drawn equally high in
            every row; dotted where no baseline says what is known.
          </p>
        </div>
        <p className="keyline" aria-hidden="true">
          <span>
            <i className="k-band" />
            own noise
          </span>
          <span>
            <i className="k-line" />
            known path
          </span>
          <span>
            <i className="k-rel" />
            release
          </span>
        </p>
      </div>
      <table className="agents" {...as.table}>
        <thead {...as.rowgroup}>
          <tr {...as.row}>
            <th {...as.columnheader}>Agent</th>
            <th {...as.columnheader}>Last verdict</th>
            <th {...as.columnheader}>Two weeks</th>
            <th {...as.columnheader} className="num">
              Runs, 24 h
            </th>
            <th {...as.columnheader} className="num">
              Known path
            </th>
          </tr>
        </thead>
        <tbody {...as.rowgroup}>
          {agents.map((agent) => (
            <AgentRow key={agent.name} agent={agent} isHit={agent === hit} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function AgentRow({ agent, isHit, now }: { agent: OverviewAgent; isHit: boolean; now: number }) {
  const { name, note, mark, word, say, hours, releases, isKnown, knownSince, day } = agent;
  return (
    <tr {...as.row} className={isHit ? "hit" : undefined}>
      <td {...as.cell}>
        <span className="name">
          <LongName name={name} href={hrefOf("/runs", { agent: name })} />
        </span>
        <small>
          <Said words={note} />
        </small>
      </td>
      <td {...as.cell} className="v">
        <span className={`word ${toneOf[mark]}`}>
          <MarkShape mark={mark} />
          {word}
        </span>
        <small>
          <Said words={say} />
        </small>
      </td>
      <td {...as.cell} className="spark">
        <Sparkline
          hours={hours}
          releases={releases.map(({ firstSeenAt }) => firstSeenAt)}
          knownSince={isKnown ? knownSince : undefined}
          now={now}
        />
      </td>
      <td {...as.cell} className="num" data-l="24 h">
        {day.runs === 0 ? (
          "0"
        ) : (
          <a href={hrefOf("/runs", { agent: name, from: dayBefore(now) })}>{integer(day.runs)}</a>
        )}
      </td>
      <td {...as.cell} className="num" data-l="known">
        {isKnown && day.runs > 0 ? `${((100 * day.known) / day.runs).toFixed(1)} %` : "–"}
      </td>
    </tr>
  );
}
