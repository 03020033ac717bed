/** A name that leads somewhere; a very long one takes two lines until it is asked for. */
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";

/** More than two lines of the narrowest column. */
const SHORT = 48;

export function LongName({ name, href }: { name: string; href: string }) {
  const [isWhole, setWhole] = useState(false);
  const text = printable(name);
  if (text.length <= SHORT) return <a href={href}>{text}</a>;
  return (
    <>
      <a className={isWhole ? undefined : "clamped"} href={href} title={text}>
        {text}
      </a>
      <button
        type="button"
        className="more"
        aria-expanded={isWhole}
        aria-label={`The whole name of ${text}`}
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? "Less" : "Whole name"}
      </button>
    </>
  );
}
