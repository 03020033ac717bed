/** What an agent is known to do: the generation that counts, what approving another one would change, and a person's word on it. */
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { SomeFirst } from "../some-first.tsx";
import { AgentChoice } from "./agent-choice.tsx";
import { useAnswer } from "./ask.ts";
import { Decision } from "./decision.tsx";
import type { PageProps } from "./page-props.ts";
import { Ribbon } from "./ribbon.tsx";
import { When } from "./time.tsx";
import { Answered } from "./trouble.tsx";
import { Said, type Words } from "./words.tsx";

interface Generation {
  readonly generation: number;
  readonly state: "candidate" | "approved" | "rejected" | "archived";
  readonly by?: string;
  readonly why?: string;
  readonly at: number;
}

export function Baselines({ place, me, version }: PageProps) {
  return (
    <section className="page" aria-label="Baselines">
      <AgentChoice place={place} version={version}>
        {(agent) => <OfAgent key={agent} agent={agent} me={me} version={version} />}
      </AgentChoice>
    </section>
  );
}

function OfAgent({ agent, me, version }: { agent: string; me: PageProps["me"]; version: number }) {
  const path = `/agents/${encodeURIComponent(agent)}/baselines`;
  const asked = useAnswer<{ readonly baselines: readonly Generation[] }>(path, version);
  return (
    <Answered asked={asked}>
      {({ baselines }) => {
        const approved = baselines.find(({ state }) => state === "approved");
        const proposed = baselines.filter(({ state }) => state === "candidate");
        const others = baselines.filter((row) => row !== approved && !proposed.includes(row));
        return (
          <>
            <h1>{titleOf(approved, proposed)}</h1>
            {approved === undefined ? null : (
              <p className="lede">
                Generation {approved.generation} counts, approved by <b>{printable(approved.by ?? "")}</b>{" "}
                <When at={approved.at} />: “{printable(approved.why ?? "")}”
              </p>
            )}
            {baselines.length === 0 ? <HowTo agent={agent} /> : null}
            {proposed.map(({ generation, at }) => (
              <section key={generation} className="block" aria-labelledby={`g-${generation}`}>
                <h2 id={`g-${generation}`}>Generation {generation} is proposed</h2>
                <p className="sub">
                  Since <When at={at} />.
                </p>
                <Changes path={`${path}/${generation}`} />
                <Decision
                  me={me}
                  id={`g${generation}`}
                  ways={[
                    { word: "Approve", path: `${path}/${generation}/approve` },
                    { word: "Turn down", path: `${path}/${generation}/reject` },
                  ]}
                  onDecided={asked.again}
                />
              </section>
            ))}
            {others.length === 0 ? null : (
              <section className="block" aria-labelledby="earlier">
                <h2 id="earlier">Earlier decisions</h2>
                <ul className="generations">
                  {others.map((row) => (
                    <Earlier key={row.generation} row={row} path={path} me={me} onDecided={asked.again} />
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

function titleOf(approved: Generation | undefined, proposed: readonly Generation[]): string {
  if (proposed.length > 0) return `${count(proposed.length, "baseline")} to review`;
  return approved === undefined ? "No baseline is approved" : "Nothing to review";
}

interface ChangesAnswer {
  readonly sentence: Words;
  readonly added: readonly KnownPath[];
  readonly dropped: readonly KnownPath[];
}

interface KnownPath {
  readonly hash: string;
  readonly name?: string;
  readonly steps: readonly string[];
  readonly runs: number;
}

function Changes({ path }: { path: string }) {
  const asked = useAnswer<ChangesAnswer>(`${path}/changes`);
  return (
    <Answered asked={asked}>
      {({ sentence, added, dropped }) => (
        <>
          <p className="lede">
            <Said words={sentence} />.
          </p>
          <PathList title="Known from then on" paths={added} />
          <PathList title="Not known any more" paths={dropped} />
        </>
      )}
    </Answered>
  );
}

const FIRST_PATHS = 50;

function PathList({ title, paths }: { title: string; paths: readonly KnownPath[] }) {
  if (paths.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <SomeFirst rows={paths} first={FIRST_PATHS}>
        {(shown) => (
          <ul className="ways">
            {shown.map(({ hash, name, steps, runs }) => (
              <li key={hash} className="way">
                <div className="t">
                  {name === undefined ? <code>{hash.slice(0, 8)}</code> : printable(name)}
                  <small>{count(runs, "run")}</small>
                </div>
                <Ribbon steps={steps} />
              </li>
            ))}
          </ul>
        )}
      </SomeFirst>
    </>
  );
}

interface EarlierProps {
  row: Generation;
  path: string;
  me: PageProps["me"];
  onDecided: () => void;
}

function Earlier({ row, path, me, onDecided }: EarlierProps) {
  const { generation, state, by, why, at } = row;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <p>
        <b>Generation {generation}</b> {state === "archived" ? "counted before" : "was turned down"},{" "}
        {printable(by ?? "")} <When at={at} />: “{printable(why ?? "")}”{" "}
        <a href={`/api/v1${path}/${generation}`}>the file</a>{" "}
        {state === "archived" ? (
          <button type="button" className="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Go back to it
          </button>
        ) : null}
      </p>
      {isOpen ? (
        <>
          <Changes path={`${path}/${generation}`} />
          <Decision
            me={me}
            id={`back${generation}`}
            ways={[{ word: "Make it count again", path: `${path}/${generation}/rollback` }]}
            onDecided={onDecided}
          />
        </>
      ) : null}
    </li>
  );
}

function HowTo({ agent }: { agent: string }) {
  const lines = [
    `mkdir good && curl "${location.origin}/api/v1/export?agent=${encodeURIComponent(agent)}&last=30" | tar -x -C good`,
    "npx spoor baseline build good --baseline baseline.json",
    `curl --data-binary @baseline.json "${location.origin}/api/v1/agents/${encodeURIComponent(agent)}/baselines"`,
  ];
  return (
    <>
      <p className="lede">
        A baseline is made of runs that are as they should be, about thirty of them; then it is proposed here, and a
        person approves it.
      </p>
      <pre className="commands">
        {lines.map((line) => (
          <code key={line}>{`${line}\n`}</code>
        ))}
      </pre>
    </>
  );
}
