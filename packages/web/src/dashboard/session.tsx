/** Who looks: nobody has to say so on the machine itself as long as there is no token; then a token is exchanged for a cookie, once. */
import { useRef, useState } from "preact/hooks";
import { AskError, ask, troubleTo } from "./ask.ts";
import { Trouble } from "./trouble.tsx";

export interface Me {
  readonly project?: string;
  readonly scopes: readonly ("ingest" | "read" | "admin")[];
  readonly needsToken: boolean;
}

/** The cookie must have been kept: over plain HTTP a browser keeps it for this machine alone. */
export async function signIn(token: string): Promise<Me> {
  await ask("/session", { method: "POST", body: { token } });
  try {
    return await ask<Me>("/me");
  } catch (error) {
    if (!(error instanceof AskError) || error.status !== 401) throw error;
    throw new AskError(401, {
      code: "auth.cookie",
      message: "The token is right, but the browser did not keep the session.",
      hint: "Open the service over HTTPS, or on its own machine at 127.0.0.1.",
    });
  }
}

export async function signOut(): Promise<void> {
  await ask("/session", { method: "DELETE" });
}

export function SignIn({ onSignedIn }: { onSignedIn: (me: Me) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (token === "" || isAsking) return;
    setAsking(true);
    const refuse = troubleTo((error) => {
      setAsking(false);
      setTrouble(error);
      field.current?.focus();
    });
    signIn(token).then(onSignedIn, refuse);
  };
  return (
    <section className="sign-in" aria-labelledby="sign-in-title">
      <h1 id="sign-in-title">Sign in with a token</h1>
      <p className="lede">
        It needs the scope <code>read</code>, and <code>admin</code> to decide anything. On the machine of the service{" "}
        <code>spoor serve --new-token read,admin</code> prints one.
      </p>
      <Trouble trouble={trouble} />
      <form onSubmit={submit}>
        <label htmlFor="token">Token</label>
        {/* biome-ignore lint/a11y/noAutofocus: there is nothing else on the page */}
        <input ref={field} id="token" type="password" autoComplete="off" spellcheck={false} autoFocus required />
        <button type="submit" className="btn">
          Sign in
        </button>
      </form>
      <p className="sub">
        The browser keeps a cookie for twelve hours that no script can read; the token itself is not kept.
      </p>
    </section>
  );
}
