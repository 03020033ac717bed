/** A path as its steps, one after the other; of a long one the first, and all of them when they are asked for. */
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";

const FIRST_STEPS = 24;

export function Ribbon({ steps }: { steps: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? steps : steps.slice(0, FIRST_STEPS);
  return (
    <div className="ribbon">
      {shown.map((step, index) => (
        <b key={index}>{printable(step)}</b>
      ))}
      {steps.length > shown.length ? (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          {`and ${count(steps.length - shown.length, "step")}`}
        </button>
      ) : null}
    </div>
  );
}
