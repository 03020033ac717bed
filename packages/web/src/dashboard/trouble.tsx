/** What the service refused, and that it is still asked. */
import { printable } from "@spoor/core/internal/text/printable";
import type { AskError, Asked } from "./ask.ts";

export function Trouble({ trouble }: { trouble: AskError | undefined }) {
  if (trouble === undefined) return null;
  return (
    <div className="trouble" role="alert">
      <p>
        <b>{printable(trouble.message)}</b> {trouble.hint === undefined ? null : printable(trouble.hint)}
      </p>
      {trouble.problems.length === 0 ? null : (
        <ul>
          {trouble.problems.map(({ message }, index) => (
            <li key={index}>{printable(message)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The answer's part of a page: words while it is asked for, and the last answer beside a trouble. */
export function Answered<T>({
  asked,
  children,
}: {
  asked: Asked<T>;
  children: (answer: T) => preact.ComponentChildren;
}) {
  const { answer, trouble } = asked;
  return (
    <>
      <Trouble trouble={trouble} />
      {answer !== undefined ? children(answer) : trouble === undefined ? <p className="empty">Asking …</p> : null}
    </>
  );
}
