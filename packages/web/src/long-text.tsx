import { integer } from "@spoor/core/internal/text/amounts";
import { printableLines } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { MarkedQuery } from "./marked-query.tsx";

/** A text with its lines; a very long one shows its beginning and opens on demand, or when what is looked for stands further in. */
const SHORT = 3_000;

export function LongText({ text, query, className = "prose" }: { text: string; query: string; className?: string }) {
  const [open, setOpen] = useState(false);
  const isHidden = text.length > SHORT && !open && !(query !== "" && text.toLowerCase().includes(query.toLowerCase()));
  const shown = printableLines(isHidden ? text.slice(0, SHORT) : text).join("\n");
  return (
    <>
      <p className={className}>
        <MarkedQuery text={shown} query={query} />
        {isHidden ? "…" : ""}
      </p>
      {isHidden ? (
        <button type="button" className="more" onClick={() => setOpen(true)}>
          {`Show ${integer(text.length - SHORT)} more characters`}
        </button>
      ) : null}
    </>
  );
}
