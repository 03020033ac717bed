/** A person's word: who, and why. Both are asked for, as on the command line. */
import { useState } from "preact/hooks";
import { type AskError, ask, troubleTo } from "./ask.ts";
import type { Me } from "./session.tsx";
import { TextField } from "./text-field.tsx";
import { Trouble } from "./trouble.tsx";

interface Props {
  me: Me;
  /** Tells apart several on one page. */
  id: string;
  /** The words on the buttons, and where each is sent. */
  ways: readonly { readonly word: string; readonly path: string }[];
  onDecided: () => void;
}

const NAME_KEY = "spoor-name";

export function Decision({ me, id, ways, onDecided }: Props) {
  const [by, setBy] = useState(keptName);
  const [why, setWhy] = useState("");
  const [trouble, setTrouble] = useState<AskError | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  if (!me.scopes.includes("admin"))
    return (
      <p className="sub">
        Deciding needs a token with the scope <code>admin</code>.
      </p>
    );
  const decide = (path: string) => (event: Event) => {
    event.preventDefault();
    if (isAsking) return;
    setAsking(true);
    keepName(by);
    ask(path, { method: "POST", body: { by, why } })
      .then(() => {
        setWhy("");
        setTrouble(undefined);
        onDecided();
      }, troubleTo(setTrouble))
      .finally(() => setAsking(false));
  };
  const isSaid = by.trim() !== "" && why.trim() !== "";
  return (
    <form className="decision" onSubmit={(event) => event.preventDefault()}>
      <Trouble trouble={trouble} />
      <TextField id={`by-${id}`} label="Who decides" value={by} onValue={setBy} propose="name" />
      <TextField id={`why-${id}`} label="Why" value={why} onValue={setWhy} />
      <p className="go">
        {ways.map(({ word, path }, index) => (
          <button
            key={word}
            type="submit"
            className={index === 0 ? "btn" : "btn quiet"}
            disabled={!isSaid || isAsking}
            onClick={decide(path)}
          >
            {word}
          </button>
        ))}
        {isSaid ? null : <span className="sub">A name and a reason are kept with the decision.</span>}
      </p>
    </form>
  );
}

function keptName(): string {
  try {
    return localStorage.getItem(NAME_KEY) ?? "";
  } catch {
    return "";
  }
}

function keepName(name: string): void {
  try {
    localStorage.setItem(NAME_KEY, name.trim());
  } catch {
    // Asked again the next time.
  }
}
