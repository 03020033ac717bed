/** The tokens of the project: made, listed, revoked. A new one is shown once. */
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { type AskError, ask, troubleTo, useAnswer } from "./ask.ts";
import { type Me, signIn } from "./session.tsx";
import { TextField } from "./text-field.tsx";
import { Ago, When } from "./time.tsx";
import { Answered, Trouble } from "./trouble.tsx";

interface Token {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

const SCOPES = ["ingest", "read", "admin"] as const;
type Scope = (typeof SCOPES)[number];

export function Tokens({ me }: { me: Me }) {
  const isAdmin = me.scopes.includes("admin");
  const asked = useAnswer<{ readonly tokens: readonly Token[] }>(isAdmin ? "/tokens" : undefined);
  const [made, setMade] = useState<string | undefined>(undefined);
  if (!isAdmin)
    return (
      <p className="sub">
        Seeing and making tokens needs the scope <code>admin</code>.
      </p>
    );
  return (
    <Answered asked={asked}>
      {({ tokens }) => (
        <>
          {tokens.length === 0 ? (
            <p className="sub">
              None: only this machine is answered. From the first token on, every request needs one; this browser is
              signed in with it.
            </p>
          ) : (
            <ul className="generations">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} onRevoked={asked.again} />
              ))}
            </ul>
          )}
          {made === undefined ? null : (
            <p className="made" role="status">
              Copy it now, it is not shown again: <code>{made}</code>
            </p>
          )}
          <NewToken
            isFirst={tokens.length === 0}
            onMade={(token) => {
              setMade(token);
              asked.again();
            }}
          />
        </>
      )}
    </Answered>
  );
}

function TokenRow({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const { id, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = token;
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const [isAsked, setAsked] = useState(false);
  const revoke = () => ask(`/tokens/${id}`, { method: "DELETE" }).then(onRevoked, troubleTo(setTrouble));
  return (
    <li>
      <p>
        <b>{printable(name)}</b> <code>{prefix}…</code> {scopes.join(", ")}; made <When at={createdAt} />
        {lastUsedAt === undefined ? (
          ", never used"
        ) : (
          <>
            , used <Ago at={lastUsedAt} />
          </>
        )}
        {expiresAt === undefined ? null : (
          <>
            , ends <When at={expiresAt} />
          </>
        )}{" "}
        {revokedAt !== undefined ? (
          <span className="muted">
            revoked <When at={revokedAt} />
          </span>
        ) : isAsked ? (
          <>
            <button type="button" className="more" onClick={() => void revoke()}>
              Revoke {printable(name)} for good
            </button>{" "}
            <button type="button" className="more" onClick={() => setAsked(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button
            type="button"
            className="more"
            aria-label={`Revoke ${printable(name)}`}
            onClick={() => setAsked(true)}
          >
            Revoke
          </button>
        )}
      </p>
      <Trouble trouble={trouble} />
    </li>
  );
}

function NewToken({ isFirst, onMade }: { isFirst: boolean; onMade: (token: string) => void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(isFirst ? ["read", "admin"] : ["ingest"]);
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const toggle = (scope: Scope) =>
    setScopes((old) => SCOPES.filter((one) => (one === scope ? !old.includes(one) : old.includes(one))));
  const make = async () => {
    const { token } = await ask<{ token: string }>("/tokens", { method: "POST", body: { name, scopes } });
    // From here on nobody is answered without one: whoever made it goes on with it, if it may look.
    if (isFirst && scopes.includes("read")) await signIn(token);
    setName("");
    setTrouble(undefined);
    onMade(token);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    make().catch(troubleTo(setTrouble));
  };
  return (
    <form className="new-token" onSubmit={submit}>
      <Trouble trouble={trouble} />
      <TextField id="token-name" label="A token for" value={name} onValue={setName} placeholder="the CI of support" />
      <fieldset>
        <legend>which may</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} /> {scope}
          </label>
        ))}
      </fieldset>
      <button type="submit" className="btn" disabled={name.trim() === "" || scopes.length === 0}>
        Make it
      </button>
    </form>
  );
}
