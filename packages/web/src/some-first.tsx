/** The first rows of a list, and a button that brings more of them: nothing is left out without a way to it. */
import { integer } from "@spoor/core/internal/text/amounts";
import { useState } from "preact/hooks";

interface Props<T> {
  rows: readonly T[];
  first: number;
  /** The list around the rows that are shown. */
  children: (shown: readonly T[]) => preact.ComponentChildren;
}

export function SomeFirst<T>({ rows, first, children }: Props<T>) {
  const [most, setMost] = useState(first);
  const hidden = rows.length - most;
  return (
    <>
      {children(rows.slice(0, most))}
      {hidden > 0 ? (
        <button type="button" className="more" onClick={() => setMost(most * 10)}>
          {`Show ${integer(Math.min(hidden, most * 9))} more of ${integer(rows.length)}`}
        </button>
      ) : null}
    </>
  );
}
