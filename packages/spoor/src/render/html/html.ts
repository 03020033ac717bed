/**
 * HTML that cannot be broken by what stands in it: every value in a template is escaped, unless it is HTML made here.
 * Invisible and reordering characters of traces are made visible on the way in.
 */
import { printable } from "../../document/printable.ts";

/** HTML made by `html`: the only thing that is not escaped again. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | undefined | null | false | readonly Value[];

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0]!;
  for (const [index, value] of values.entries()) text += write(value) + strings[index + 1]!;
  return new Html(text);
}

function write(value: Value): string {
  if (value === undefined || value === null || value === false) return "";
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return (value as readonly Value[]).map(write).join("");
  return escapeHtml(String(value));
}

/** Markup of our own that needs no escaping, such as a plot. */
export function trusted(text: string): Html {
  return new Html(text);
}

/** A name from a trace in code type. */
export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** Sentences whose names were marked with `quoteMark` become HTML with those names in code type. */
export function withCode(sentence: string): Html {
  const parts = sentence.split(MARK);
  return new Html(
    parts.map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part))).join(""),
  );
}

const MARK = "\uE001";

/** For sentence makers that take a quoting function. */
export function quoteMark(name: string): string {
  return `${MARK}${name.replaceAll(MARK, "")}${MARK}`;
}

function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The address of a trace or turn inside the page, by the trace's key. */
export function turnLink(trace: string, turnIndex: number | undefined): string {
  return `#${encodeURIComponent(turnIndex === undefined ? trace : `${trace}:${turnIndex + 1}`)}`;
}
