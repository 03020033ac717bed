/** Who may do what, who is told what happens, what is kept and for how long, and what could not be read. */
import { bytes, count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { useAnswer } from "./ask.ts";
import type { PageProps } from "./page-props.ts";
import { runHref } from "./place.ts";
import { Ago, When } from "./time.tsx";
import { Tokens } from "./tokens.tsx";
import { Answered } from "./trouble.tsx";
import { Webhooks } from "./webhooks.tsx";

interface Storage {
  readonly engine: "libsql" | "postgres";
  /** Of all projects: told to the service's own, or where there is one. */
  readonly bytes?: number;
  readonly runs: number;
  readonly limits: {
    readonly bodiesMs: number;
    readonly rejectedMs: number;
    readonly eventsMs: number;
    readonly reports: { readonly reports: number };
  };
  readonly waiting: number;
  readonly oldestReceivedAt?: number;
}

interface Rejected {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly receivedAt: number;
}

interface RejectedPage {
  readonly rejected: readonly Rejected[];
  readonly next?: number;
}

const DAY_MS = 24 * 3_600_000;

export function Settings({ me, version }: PageProps) {
  const storage = useAnswer<Storage>("/storage", version);
  const rejected = useAnswer<RejectedPage>("/rejected", version);
  return (
    <section className="page" aria-labelledby="settings-title">
      <h1 id="settings-title">Settings of {printable(me.project ?? "")}</h1>
      <p className="lede">
        You may {me.scopes.length === 3 ? "do everything" : me.scopes.map((scope) => SCOPE_WORDS[scope]).join(" and ")}
        {me.needsToken
          ? ", with the token you signed in with."
          : ", because this is the machine of the service and there is no token yet."}
      </p>
      <section className="block" aria-labelledby="tokens-title">
        <h2 id="tokens-title">Tokens</h2>
        <Tokens me={me} />
      </section>
      <section className="block" aria-labelledby="hooks-title">
        <h2 id="hooks-title">Webhooks</h2>
        <Webhooks me={me} version={version} />
      </section>
      <section className="block" aria-labelledby="kept-title">
        <h2 id="kept-title">What is kept</h2>
        <Answered asked={storage}>{(kept) => <Kept kept={kept} />}</Answered>
      </section>
      <section className="block" aria-labelledby="arrivals">
        <h2 id="arrivals">Arrivals that could not be read</h2>
        <Answered asked={rejected}>
          {({ rejected: rows, next }) =>
            rows.length === 0 ? (
              <p className="sub">None.</p>
            ) : (
              <>
                <Arrivals rows={rows} />
                {next === undefined ? null : <OlderArrivals before={next} />}
              </>
            )
          }
        </Answered>
      </section>
    </section>
  );
}

function Arrivals({ rows }: { rows: readonly Rejected[] }) {
  return (
    <ul className="feed">
      {rows.map(({ id, message, receivedAt, code }) => (
        <li key={id}>
          <Ago at={receivedAt} />
          <span>
            <a href={runHref(id)}>
              <code>{id.slice(0, 8)}</code>
            </a>{" "}
            {printable(message)} <code className="muted">{code}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The page after the last one that is shown, and the way to those behind it. */
function OlderArrivals({ before }: { before: number }) {
  const [isWanted, setWanted] = useState(false);
  const asked = useAnswer<RejectedPage>(isWanted ? `/rejected?before=${before}` : undefined);
  if (!isWanted)
    return (
      <button type="button" className="more" onClick={() => setWanted(true)}>
        Show older ones
      </button>
    );
  return (
    <Answered asked={asked}>
      {({ rejected, next }) => (
        <>
          <Arrivals rows={rejected} />
          {next === undefined ? null : <OlderArrivals before={next} />}
        </>
      )}
    </Answered>
  );
}

const SCOPE_WORDS = { ingest: "send recordings", read: "look", admin: "decide and administer" } as const;

function Kept({ kept }: { kept: Storage }) {
  const days = (ms: number) => count(Math.round(ms / DAY_MS), "day");
  return (
    <div className="facts kept">
      <dl>
        <dt>Store</dt>
        <dd>
          {kept.engine === "libsql" ? "One file on this machine" : "PostgreSQL"}
          {kept.bytes === undefined ? null : <small>{bytes(kept.bytes)}, of all projects</small>}
        </dd>
        <dt>Runs of this project</dt>
        <dd>
          {integer(kept.runs)}
          <small>their figures are kept for ever</small>
        </dd>
        <dt>Recordings</dt>
        <dd>
          {days(kept.limits.bodiesMs)}
          <small>longer where a baseline or a report names them</small>
        </dd>
        <dt>Reports of one kind</dt>
        <dd>
          {integer(kept.limits.reports.reports)}
          <small>beyond that the oldest go first</small>
        </dd>
        <dt>What could not be read</dt>
        <dd>{days(kept.limits.rejectedMs)}</dd>
        <dt>Waiting for evaluation</dt>
        <dd>
          {kept.waiting === 0 ? "nothing" : count(kept.waiting, "arrival")}
          {kept.oldestReceivedAt === undefined ? null : (
            <small>
              the oldest came <When at={kept.oldestReceivedAt} />
            </small>
          )}
        </dd>
      </dl>
    </div>
  );
}
