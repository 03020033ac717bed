/** Sentences of the service: words, and names that are data. Both stand on the page as text. */
import { printable } from "@spoor/core/internal/text/printable";

export type Words = readonly (string | { readonly name: string })[];

export function Said({ words }: { words: Words }) {
  return (
    <>
      {words.map((part, index) => (typeof part === "string" ? part : <code key={index}>{printable(part.name)}</code>))}
    </>
  );
}

export type Mark = "passed" | "failed" | "warning" | "unknown";

const SHAPES: Readonly<Record<Mark, preact.JSX.Element>> = {
  failed: <path d="m3.5 3.5 7 7m0-7-7 7" />,
  passed: <path d="m2.5 7.5 3 3 6-7" />,
  warning: <path d="M7 2.5v6m0 2.8v.2" />,
  unknown: <circle cx="7" cy="7" r="4.5" stroke-dasharray="3 2.6" />,
};

export const toneOf: Readonly<Record<Mark, string>> = {
  failed: "bad",
  passed: "ok",
  warning: "warn",
  unknown: "muted",
};

/** Beside a word, never alone. */
export function MarkShape({ mark }: { mark: Mark }) {
  return (
    <svg
      className="mark-shape"
      width="14"
      height="14"
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {SHAPES[mark]}
    </svg>
  );
}
