/** A path as its steps, one after the other. */
import { count } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";

/** Longer paths say how many steps are left out. */
const MOST_STEPS = 24;

export function Ribbon({ steps }: { steps: readonly string[] }) {
  const shown = steps.slice(0, MOST_STEPS);
  return (
    <div className="ribbon">
      {shown.map((step, index) => (
        <b key={index}>{printable(step)}</b>
      ))}
      {steps.length > shown.length ? (
        <span className="muted">{`and ${count(steps.length - shown.length, "step")}`}</span>
      ) : null}
    </div>
  );
}
