/** Which paths an agent takes, and which of them nobody approved. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { SomeFirst } from "../some-first.tsx";
import { AgentChoice } from "./agent-choice.tsx";
import { useAnswer } from "./ask.ts";
import type { Behaviour } from "./behaviour-shape.ts";
import { Decision } from "./decision.tsx";
import type { PageProps } from "./page-props.ts";
import { PathGraph } from "./path-graph.tsx";
import { dayTotals, PathTrend, type Trend } from "./path-trend.tsx";
import { hrefOf } from "./place.ts";
import { Ribbon } from "./ribbon.tsx";
import type { Me } from "./session.tsx";
import { When } from "./time.tsx";
import { Answered } from "./trouble.tsx";
import { Said, type Words } from "./words.tsx";

interface BehavioursAnswer {
  readonly headline: Words;
  readonly detail: Words;
  readonly generation?: number;
  readonly trend: Trend;
  readonly behaviours: readonly Behaviour[];
}

/** Rarer paths are folded: they are many, and each says little. */
const RARE = 0.01;
const USEFUL_RUNS = 30;
const FIRST_PATHS = 50;
const DRAWN_PATHS = 12;

export function Behaviours({ place, me, version }: PageProps) {
  return (
    <section className="page" aria-label="Behaviours">
      <AgentChoice place={place} version={version}>
        {(agent) => <OfAgent key={agent} agent={agent} me={me} version={version} />}
      </AgentChoice>
    </section>
  );
}

function OfAgent({ agent, me, version }: { agent: string; me: Me; version: number }) {
  const asked = useAnswer<BehavioursAnswer>(`/agents/${encodeURIComponent(agent)}/behaviours`, version);
  return (
    <Answered asked={asked}>
      {(answer) => <Paths agent={agent} me={me} answer={answer} onDecided={asked.again} />}
    </Answered>
  );
}

interface PathsProps {
  agent: string;
  me: Me;
  answer: BehavioursAnswer;
  onDecided: () => void;
}

function Paths({ agent, me, answer, onDecided }: PathsProps) {
  const { behaviours, headline, detail, generation, trend } = answer;
  const totals = dayTotals(behaviours);
  const counted = [...totals.values()].reduce((sum, runs) => sum + runs, 0);
  const [followed, setFollowed] = useState<number | undefined>(undefined);
  const all = behaviours.reduce((sum, { seen }) => sum + seen, 0);
  // What nobody approved stands first; the others by how often they are taken.
  const ordered = behaviours.toSorted((left, right) => rank(left) - rank(right) || right.seen - left.seen);
  const rows = ordered.filter(({ seen, standing }) => standing === "unknown" || seen >= all * RARE);
  const rare = ordered.filter((behaviour) => !rows.includes(behaviour));
  const hit = rows.find(({ standing }) => standing === "unknown");
  const rowOf = (behaviour: Behaviour) => (
    <PathRow
      key={behaviour.id}
      agent={agent}
      behaviour={behaviour}
      share={behaviour.seen / all}
      trend={<PathTrend days={behaviour.days} trend={trend} totals={totals} />}
      isHit={behaviour === hit}
      me={me}
      onDecided={onDecided}
      onFollow={(on) => setFollowed(on ? behaviour.id : undefined)}
    />
  );
  return (
    <>
      <h1>
        <Said words={headline} />
      </h1>
      <p className="lede">
        <Said words={detail} />{" "}
        {generation === undefined ? (
          <a href={hrefOf("/baselines", { agent })}>How to make a baseline</a>
        ) : (
          <a href={hrefOf("/baselines", { agent })}>Baseline, generation {generation}</a>
        )}
      </p>
      {all > 0 && all < USEFUL_RUNS ? (
        <p className="why">{`${count(all, "run")}: about ${USEFUL_RUNS} make this useful.`}</p>
      ) : null}
      {behaviours.length === 0 ? null : (
        <section className="block" aria-labelledby="paths-title">
          <h2 id="paths-title">Paths</h2>
          <p className="sub">
            Width is the number of runs. Point at a path below, or go to it with the keyboard, to follow it. The line
            beside a path is its share of each day’s runs over two weeks
            {counted >= trend.most ? `, of the newest ${integer(trend.most)}` : ""}.
          </p>
          <SomeFirst rows={rows} first={DRAWN_PATHS}>
            {(drawn) => <PathGraph behaviours={drawn} followed={followed} />}
          </SomeFirst>
          <SomeFirst rows={rows} first={FIRST_PATHS}>
            {(shown) => <ul className="ways">{shown.map(rowOf)}</ul>}
          </SomeFirst>
          {rare.length === 0 ? null : (
            <details className="fold">
              <summary>{`${count(rare.length, "path")} more, each in fewer than 1 of 100 runs`}</summary>
              <SomeFirst rows={rare} first={FIRST_PATHS}>
                {(shown) => <ul className="ways">{shown.map(rowOf)}</ul>}
              </SomeFirst>
            </details>
          )}
        </section>
      )}
    </>
  );
}

function rank({ standing }: Behaviour): number {
  return standing === "unknown" ? 0 : standing === "rejected" ? 1 : 2;
}

const STANDING_WORDS: Readonly<Record<Behaviour["standing"], string>> = {
  approved: "approved",
  rejected: "turned down",
  unknown: "nobody approved it",
  no_baseline: "",
};

interface RowProps {
  agent: string;
  behaviour: Behaviour;
  share: number;
  trend: preact.ComponentChildren;
  isHit: boolean;
  me: Me;
  onDecided: () => void;
  onFollow: (on: boolean) => void;
}

function PathRow({ agent, behaviour, share, trend, isHit, me, onDecided, onFollow }: RowProps) {
  const { id, seen, steps, standing, lastSeenAt, hash } = behaviour;
  const [isOpen, setOpen] = useState(false);
  const path = `/agents/${encodeURIComponent(agent)}/behaviours/${id}`;
  const isOpenToDecide = standing === "unknown" || standing === "rejected";
  return (
    <li
      className={isHit ? "way hit" : "way"}
      onMouseEnter={() => onFollow(true)}
      onMouseLeave={() => onFollow(false)}
      onFocusCapture={() => onFollow(true)}
      onBlurCapture={() => onFollow(false)}
    >
      <div className="t">
        <a href={hrefOf("/runs", { agent, behaviour: String(id) })}>{count(seen, "run")}</a>
        <small>{`${(100 * share).toFixed(1)} %`}</small>
      </div>
      <Ribbon steps={steps} />
      <div className="mini">{trend}</div>
      <div className="who">
        <span className={standing === "unknown" || standing === "rejected" ? "bad" : "muted"}>
          {STANDING_WORDS[standing]}
        </span>
        {isOpenToDecide ? (
          <button
            type="button"
            className="more"
            aria-expanded={isOpen}
            aria-label={`Decide about ${steps.map(printable).join(", ")}`}
            onClick={() => setOpen(!isOpen)}
          >
            Decide
          </button>
        ) : null}
        <small>
          last <When at={lastSeenAt} />, <code>{hash.slice(0, 8)}</code>
        </small>
      </div>
      {isOpen && isOpenToDecide ? (
        <div className="decide">
          <p className="sub">
            Accepted, it is a known path from now on: the next generation of the baseline has it. Rules go on counting.
          </p>
          <Decision
            me={me}
            id={`path${id}`}
            ways={[
              { word: "Accept this path", path: `${path}/accept` },
              ...(standing === "unknown" ? [{ word: "Turn it down", path: `${path}/reject` }] : []),
            ]}
            onDecided={() => {
              setOpen(false);
              onDecided();
            }}
          />
        </div>
      ) : null}
    </li>
  );
}
