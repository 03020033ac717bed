/** How far a text was looked for, and the way on: recordings are looked at from the newest back, some hundred at a time. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useEffect, useState } from "preact/hooks";
import { Found } from "./nearest.tsx";
import type { RunPages } from "./use-run-pages.ts";

/** Found without being asked again: what a screen or two show. */
const ENOUGH = 40;
/** Looked at without being asked again. */
const AT_ONCE = 2_000;

export function Searched({ text, pages }: { text: string; pages: RunPages }) {
  const { runs, looked, hasNext, loadNext } = pages;
  const [most, setMost] = useState(AT_ONCE);
  const found = runs?.length ?? 0;
  const goesOn = hasNext && found < ENOUGH && looked < most;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer that was looked through asks for the next; a refusal does not
  useEffect(() => {
    if (goesOn) loadNext();
  }, [goesOn, looked]);
  return (
    <>
      <Found word={text} />
      <p className="sub" role="status">
        {runs === undefined ? "" : lookedWords(pages)}
      </p>
      {hasNext && !goesOn ? (
        <p>
          <button
            type="button"
            className="more"
            onClick={() => {
              setMost(looked + AT_ONCE);
              loadNext();
            }}
          >
            Look at older runs too
          </button>
        </p>
      ) : null}
    </>
  );
}

function lookedWords({ looked, notKept, hasNext }: RunPages): string {
  const where = hasNext
    ? `Looked at the newest ${count(looked, "run")} so far`
    : `Looked at all ${count(looked, "run")}`;
  const gone = notKept === 0 ? "" : `; of ${integer(notKept)} only names and findings are kept`;
  return `${where}: names, findings, and what they said and did${gone}. Runs that come now are not looked at.`;
}

/** What stands above the list. */
export function foundTitle(text: string, { runs, hasNext }: RunPages): string {
  const found = runs?.length ?? 0;
  const amount = found === 0 ? "No run" : count(found, "run");
  return `${amount}${hasNext ? " so far" : ""} ${found === 1 || found === 0 ? "holds" : "hold"} ${printable(text)}`;
}
