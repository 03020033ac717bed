/** Which paths an agent takes, and which of them nobody approved. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { useState } from "preact/hooks";
import { AgentChoice } from "./agent-choice.tsx";
import { useAnswer } from "./ask.ts";
import type { Behaviour } from "./behaviour-shape.ts";
import type { PageProps } from "./page-props.ts";
import { PathGraph } from "./path-graph.tsx";
import { hrefOf } from "./place.ts";
import { Ribbon } from "./ribbon.tsx";
import { When } from "./time.tsx";
import { Answered } from "./trouble.tsx";
import { Said, type Words } from "./words.tsx";

interface BehavioursAnswer {
  readonly headline: Words;
  readonly detail: Words;
  readonly generation?: number;
  readonly behaviours: readonly Behaviour[];
}

/** Rarer paths are folded: they are many, and each says little. */
const RARE = 0.01;
const USEFUL_RUNS = 30;

export function Behaviours({ place, version }: PageProps) {
  return (
    <section className="page" aria-label="Behaviours">
      <AgentChoice place={place} version={version}>
        {(agent) => <OfAgent agent={agent} version={version} />}
      </AgentChoice>
    </section>
  );
}

function OfAgent({ agent, version }: { agent: string; version: number }) {
  const asked = useAnswer<BehavioursAnswer>(`/agents/${encodeURIComponent(agent)}/behaviours`, version);
  return <Answered asked={asked}>{(answer) => <Paths agent={agent} answer={answer} />}</Answered>;
}

function Paths({ agent, answer }: { agent: string; answer: BehavioursAnswer }) {
  const { behaviours, headline, detail, generation } = answer;
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
      isHit={behaviour === hit}
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
            Width is the number of runs. Point at a path below, or go to it with the keyboard, to follow it.
          </p>
          <PathGraph behaviours={rows.slice(0, 12)} followed={followed} />
          <ul className="ways">{rows.map(rowOf)}</ul>
          {rare.length === 0 ? null : (
            <details className="fold">
              <summary>{`${count(rare.length, "path")} more, each in fewer than 1 of 100 runs`}</summary>
              <ul className="ways">{rare.slice(0, 200).map(rowOf)}</ul>
              {rare.length > 200 ? (
                <p className="sub">{`${integer(rare.length - 200)} more are not listed here.`}</p>
              ) : null}
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
  isHit: boolean;
  onFollow: (on: boolean) => void;
}

function PathRow({ agent, behaviour, share, isHit, onFollow }: RowProps) {
  const { id, seen, steps, standing, lastSeenAt, hash } = behaviour;
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
      <div className="who">
        <span className={standing === "unknown" || standing === "rejected" ? "bad" : "muted"}>
          {STANDING_WORDS[standing]}
        </span>
        <small>
          last <When at={lastSeenAt} />, <code>{hash.slice(0, 8)}</code>
        </small>
      </div>
    </li>
  );
}
