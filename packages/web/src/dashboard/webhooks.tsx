/** Who is told what happens: webhooks are listed, added, tried and removed, and what became of the last letters stands below each. */
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { type AskError, ask, troubleTo, useAnswer } from "./ask.ts";
import type { Me } from "./session.tsx";
import { TextField } from "./text-field.tsx";
import { Ago, When } from "./time.tsx";
import { Answered, Trouble } from "./trouble.tsx";

interface Hook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly format: string;
  readonly events: readonly string[];
  readonly createdAt: number;
  readonly waiting: number;
  /** Letters that were given up. */
  readonly dead: number;
}

interface Delivery {
  readonly key: string;
  readonly event: string;
  readonly sentence?: string;
  readonly state: "waiting" | "delivered" | "dead";
  readonly attempts: number;
  readonly nextAt?: number;
  readonly error?: string;
  readonly createdAt: number;
}

const EVENT_WORDS = {
  verdict: "a release changed",
  cohort: "a comparison of releases ended",
  finding: "a rule was broken",
} as const;
type HookEvent = keyof typeof EVENT_WORDS;
const EVENTS = Object.keys(EVENT_WORDS) as readonly HookEvent[];

export function Webhooks({ me, version }: { me: Me; version: number }) {
  const isAdmin = me.scopes.includes("admin");
  const asked = useAnswer<{ readonly hooks: readonly Hook[] }>(isAdmin ? "/hooks" : undefined, version);
  const [secret, setSecret] = useState<string | undefined>(undefined);
  if (!isAdmin)
    return (
      <p className="sub">
        Seeing and adding webhooks needs the scope <code>admin</code>.
      </p>
    );
  return (
    <Answered asked={asked}>
      {({ hooks }) => (
        <>
          {hooks.length === 0 ? (
            <p className="sub">Nobody is told. A webhook is told in one sentence what happened, with a link.</p>
          ) : (
            <ul className="generations">
              {hooks.map((hook) => (
                <HookRow key={hook.id} hook={hook} version={version} onChanged={asked.again} />
              ))}
            </ul>
          )}
          {secret === undefined ? null : (
            <p className="made" role="status">
              Its requests are signed with this secret; copy it now, it is not shown again: <code>{secret}</code>
            </p>
          )}
          <NewHook
            onMade={(made) => {
              setSecret(made);
              asked.again();
            }}
          />
        </>
      )}
    </Answered>
  );
}

interface RowProps {
  hook: Hook;
  version: number;
  onChanged: () => void;
}

function HookRow({ hook, version, onChanged }: RowProps) {
  const { id, name, url, format, events, createdAt, waiting, dead } = hook;
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const [isAsked, setAsked] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const deliveries = useAnswer<{ readonly deliveries: readonly Delivery[] }>(
    isOpen ? `/hooks/${id}/deliveries` : undefined,
    version,
  );
  const send = (path: string, method: "POST" | "DELETE", then: () => void) => () =>
    void ask(path, { method }).then(() => {
      setTrouble(undefined);
      then();
    }, troubleTo(setTrouble));
  const shown = printable(name);
  return (
    <li>
      <p>
        <b>{shown}</b> <code>{printable(url)}</code> ({format}) is told of {events.map(printable).join(", ")}; added{" "}
        <When at={createdAt} />
        {waiting > 0 ? `, ${count(waiting, "letter")} waiting` : ""}
        {dead > 0 ? (
          <>
            , <span className="bad">{`${count(dead, "letter")} given up`}</span>
          </>
        ) : null}{" "}
        <button
          type="button"
          className="more"
          aria-label={`Send a test to ${shown}`}
          onClick={send(`/hooks/${id}/test`, "POST", () => {
            setOpen(true);
            deliveries.again();
            onChanged();
          })}
        >
          Send a test
        </button>{" "}
        <button
          type="button"
          className="more"
          aria-expanded={isOpen}
          aria-label={`What it was told: ${shown}`}
          onClick={() => setOpen(!isOpen)}
        >
          What it was told
        </button>{" "}
        {isAsked ? (
          <>
            <button type="button" className="more" onClick={send(`/hooks/${id}`, "DELETE", onChanged)}>
              Remove {shown} for good
            </button>{" "}
            <button type="button" className="more" onClick={() => setAsked(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button type="button" className="more" aria-label={`Remove ${shown}`} onClick={() => setAsked(true)}>
            Remove
          </button>
        )}
      </p>
      <Trouble trouble={trouble} />
      {isOpen ? (
        <Answered asked={deliveries}>
          {({ deliveries: letters }) => (
            <>
              {letters.length === 0 ? (
                <p className="sub">Nothing yet.</p>
              ) : (
                <ul className="feed">
                  {letters.map((letter) => (
                    <Letter key={letter.key} letter={letter} />
                  ))}
                </ul>
              )}
              <button type="button" className="more" onClick={deliveries.again}>
                Look again
              </button>
            </>
          )}
        </Answered>
      ) : null}
    </li>
  );
}

function Letter({ letter: { event, sentence, state, attempts, nextAt, error, createdAt } }: { letter: Delivery }) {
  return (
    <li>
      <Ago at={createdAt} />
      <span>
        <b className={state === "dead" ? "bad" : undefined}>{state === "dead" ? "given up" : state}</b>{" "}
        {attempts > 1 ? `after ${count(attempts, "try", "tries")} ` : ""}
        <code className="muted">{printable(event)}</code> {printable(sentence ?? "")}
        {error === undefined ? null : ` ${printable(error)}`}
        {nextAt === undefined || attempts === 0 ? null : (
          <>
            ; again <When at={nextAt} />
          </>
        )}
      </span>
    </li>
  );
}

function NewHook({ onMade }: { onMade: (secret: string) => void }) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [isSlack, setSlack] = useState(false);
  const [events, setEvents] = useState<readonly HookEvent[]>(EVENTS);
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const toggle = (event: HookEvent) =>
    setEvents((old) => EVENTS.filter((one) => (one === event ? !old.includes(one) : old.includes(one))));
  const add = (submitted: Event) => {
    submitted.preventDefault();
    const body = { name, url, events, format: isSlack ? "slack" : "plain", base: location.origin };
    ask<{ secret: string }>("/hooks", { method: "POST", body }).then(({ secret }) => {
      setName("");
      setUrl("");
      setTrouble(undefined);
      onMade(secret);
    }, troubleTo(setTrouble));
  };
  return (
    <form className="new-token" onSubmit={add}>
      <Trouble trouble={trouble} />
      <TextField
        id="hook-name"
        label="A webhook for"
        value={name}
        onValue={setName}
        placeholder="the channel of support"
      />
      <TextField
        id="hook-url"
        label="at the address"
        type="url"
        value={url}
        onValue={setUrl}
        placeholder="https://hooks.example.com/…"
      />
      <fieldset>
        <legend>which is told when</legend>
        {EVENTS.map((event) => (
          <label key={event}>
            <input type="checkbox" checked={events.includes(event)} onChange={() => toggle(event)} />{" "}
            {EVENT_WORDS[event]}
          </label>
        ))}
        <label>
          <input type="checkbox" checked={isSlack} onChange={() => setSlack(!isSlack)} /> as Slack reads it
        </label>
      </fieldset>
      <button type="submit" className="btn" disabled={name.trim() === "" || url.trim() === "" || events.length === 0}>
        Add it
      </button>
    </form>
  );
}
