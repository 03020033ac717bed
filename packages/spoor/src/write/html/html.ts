/**
 * HTML that cannot be broken by what stands in it: every value in a template is escaped, unless it is HTML made here.
 * Invisible and reordering characters of traces are made visible on the way in.
 */

import { printable } from "@spoor/core/internal/text/printable";
import type { Mark, Text, Tone } from "../../document/document.ts";
import { runsOf } from "../../document/text.ts";
import { placeAddress } from "../live-links.ts";
import { MARKDOWN_SYMBOL } from "../markdown-text.ts";

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

/** Markup of our own that needs no escaping: the style and the script of the page. */
export function trusted(text: string): Html {
  return new Html(text);
}

/** A text with its names in code type and its places as links. */
export function inline(text: Text): Html[] {
  return runsOf(text).map(({ text: words, isName, tones, anchor, only, mark }) => {
    if (mark !== undefined)
      return html`<span class="mark ${MARK_TONE[mark]}" aria-hidden="true">${MARKDOWN_SYMBOL[mark]}</span>`;
    const word = isName ? html`<code>${words}</code>` : html`${words}`;
    const toned = tones.reduceRight((inner, tone) => TONED[tone](inner), word);
    return anchor === undefined ? toned : html`<a href="${placeAddress({ anchor, only })}">${toned}</a>`;
  });
}

const MARK_TONE: Readonly<Record<Mark, string>> = { passed: "ok", failed: "bad", warning: "warn", unknown: "muted" };

const TONED: Readonly<Record<Tone, (inner: Html) => Html>> = {
  strong: (inner) => html`<b>${inner}</b>`,
  dim: (inner) => html`<span class="muted">${inner}</span>`,
  good: (inner) => html`<span class="ok">${inner}</span>`,
  bad: (inner) => html`<span class="bad">${inner}</span>`,
  warn: (inner) => html`<span class="warn">${inner}</span>`,
};

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
