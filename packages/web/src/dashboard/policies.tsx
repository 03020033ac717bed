/** The rules by which runs are judged, and a place to edit and try them. */
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useState } from "preact/hooks";
import { type AskError, ask, troubleTo, useAnswer } from "./ask.ts";
import type { PageProps } from "./page-props.ts";
import { hrefOf } from "./place.ts";
import { type Preview, Previewed, previewOf, withOlder } from "./policy-preview.tsx";
import { When } from "./time.tsx";
import { Answered, Trouble } from "./trouble.tsx";

interface Listed {
  readonly name: string;
  readonly hash: string;
  readonly createdAt: number;
}

export function Policies({ place, me, version }: PageProps) {
  const asked = useAnswer<{ readonly policies: readonly Listed[] }>("/policies", version);
  const wanted = place.query.get("policy");
  return (
    <section className="page" aria-label="Policies">
      <Answered asked={asked}>
        {({ policies }) => {
          const shown = policies.find(({ name }) => name === wanted) ?? (wanted === "" ? undefined : policies[0]);
          return (
            <>
              <h1>
                {policies.length === 0
                  ? "No rule judges the runs yet"
                  : `${count(policies.length, "policy", "policies")}`}
              </h1>
              <p className="lede">
                {policies.length === 0
                  ? "Write rules below and try them on the newest runs before they count. Rules that already hold in your runs: "
                  : "A new text judges what comes from then on; runs that are kept are judged again."}
                {policies.length === 0 ? <code>npx spoor policy suggest TRACES</code> : null}
              </p>
              {policies.length < 2 ? null : (
                <ul className="ways-list">
                  {policies.map(({ name, createdAt }) => (
                    <li key={name}>
                      <a href={hrefOf("/policies", { policy: name })} aria-current={name === shown?.name}>
                        {printable(name)}
                      </a>{" "}
                      <span className="muted">
                        since <When at={createdAt} />
                      </span>
                    </li>
                  ))}
                </ul>
              )}
              <Editor
                key={shown?.name ?? ""}
                name={shown?.name}
                hash={shown?.hash ?? ""}
                mayWrite={me.scopes.includes("admin")}
                onSaved={asked.again}
              />
            </>
          );
        }}
      </Answered>
    </section>
  );
}

/** A page of a preview belongs to the text it was asked with, whatever is typed meanwhile. */
interface Tried {
  readonly text: string;
  readonly preview: Preview;
}

interface EditorProps {
  /** Undefined for the first one. */
  name: string | undefined;
  hash: string;
  mayWrite: boolean;
  onSaved: () => void;
}

const FIRST = `rules:
  - id: confirm-before-refund
    kind: must_call_before
    params: { first: confirm_refund_amount, then: issue_refund }
`;

function Editor({ name, hash, mayWrite, onSaved }: EditorProps) {
  const asked = useAnswer<string>(name === undefined ? undefined : `/policies/${encodeURIComponent(name)}`);
  const stored = name === undefined ? "" : asked.answer;
  const [text, setText] = useState<string | undefined>(name === undefined ? FIRST : undefined);
  const [tried, setTried] = useState<Tried | undefined>(undefined);
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what somebody else put is shown only where nothing was typed
  useEffect(() => {
    if (stored !== undefined && text === undefined) setText(stored);
  }, [stored, hash]);
  if (text === undefined) return <Answered asked={asked}>{() => null}</Answered>;
  const attempt = (work: () => Promise<void>) => () => {
    setAsking(true);
    work()
      .then(() => setTrouble(undefined), troubleTo(setTrouble))
      .finally(() => setAsking(false));
  };
  const tryIt = attempt(async () => setTried({ text, preview: await previewOf(text) }));
  const goOn = attempt(async () => {
    if (tried?.preview.next === undefined) return;
    const older = await previewOf(tried.text, tried.preview.next);
    setTried({ ...tried, preview: withOlder(tried.preview, older) });
  });
  const save = attempt(async () => {
    await ask(`/policies/${encodeURIComponent(name ?? "policy.yaml")}`, { method: "PUT", text });
    onSaved();
    asked.again();
  });
  return (
    <section className="block" aria-labelledby="policy-title">
      <h2 id="policy-title">{printable(name ?? "policy.yaml")}</h2>
      <label className="vh" htmlFor="policy-text">
        The policy as YAML
      </label>
      <textarea
        id="policy-text"
        className="policy-text"
        spellcheck={false}
        rows={Math.min(30, Math.max(8, text.split("\n").length + 1))}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p className="go">
        <button type="button" className="btn" disabled={isAsking} onClick={tryIt}>
          Try it on the newest runs
        </button>
        {mayWrite ? (
          <button type="button" className="btn quiet" disabled={isAsking || text === stored} onClick={save}>
            Put it in place
          </button>
        ) : (
          <span className="sub">
            Putting it in place needs the scope <code>admin</code>.
          </span>
        )}
      </p>
      <Trouble trouble={trouble} />
      {tried === undefined ? null : <Previewed preview={tried.preview} isAsking={isAsking} onOlder={goOn} />}
    </section>
  );
}
