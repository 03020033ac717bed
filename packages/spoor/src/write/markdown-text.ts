/** Text inside Markdown: nothing in it may become a mention, a link, a tag, a table cell or a fence. */

import { printable } from "@spoor/core/internal/text/printable";
import type { Mark, Text } from "../document/document.ts";
import { plainText, type Run, runsOf } from "../document/text.ts";
import { placeAddress } from "./live-links.ts";

/** A text on one line: names in code spans, everything else with its marks made harmless. */
export function markdownText(text: Text): string {
  const line = linkedRuns(text)
    .map(({ address, runs }) => {
      const words = runs.map(runMarkdown).join("");
      return address === undefined || words.trim() === "" ? words : around(words, "[", `](${address})`);
    })
    .join("");
  // At the beginning of a line these would make a list, a rule or a heading of the line above.
  return line.replace(/^(\s*)([-+](?=\s|$|[-+])|=+\s*$|\d+(?=[.)](\s|$)))/, (_, space: string, sign: string) =>
    /\d/.test(sign) ? `${space}${sign}\\` : `${space}\\${sign}`,
  );
}

/** Runs that lead to the same place are one link. */
function linkedRuns(text: Text): { readonly address: string | undefined; readonly runs: Run[] }[] {
  const groups: { address: string | undefined; runs: Run[] }[] = [];
  for (const run of runsOf(text)) {
    const address = run.page === undefined ? undefined : addressOf(run);
    const last = groups.at(-1);
    if (last !== undefined && last.address === address) last.runs.push(run);
    else groups.push({ address, runs: [run] });
  }
  return groups;
}

function runMarkdown({ text, isName, tones, mark }: Run): string {
  if (mark !== undefined) return MARKDOWN_SYMBOL[mark];
  const safe = isName ? codeSpan(text) : plainMarkdown(text);
  return tones.includes("strong") && safe.trim() !== "" ? around(safe, "**", "**") : safe;
}

/** The symbols of marks, as every page writes them. */
export const MARKDOWN_SYMBOL: Readonly<Record<Mark, string>> = { passed: "✓", failed: "✗", warning: "!", unknown: "?" };

/** Emphasis and links end at the words, or Markdown would not see their end. */
function around(safe: string, open: string, close: string): string {
  const [, before, words, after] = /^(\s*)(.*?)(\s*)$/s.exec(safe)!;
  return `${before}${open}${words}${close}${after}`;
}

/** A page, or a place on it. */
export function addressOf({ page = "", anchor, only }: Pick<Run, "page" | "anchor" | "only">): string {
  const place = anchor === undefined ? "" : placeAddress({ anchor, only });
  return `${encodeURI(page.toWellFormed())}${place}`.replace(/[()]/g, (char) => (char === "(" ? "%28" : "%29"));
}

/** A code span whose fence is longer than any run of backticks inside. */
export function codeSpan(text: string): string {
  const safe = printable(text);
  if (safe.trim() === "") return "``` ```";
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  const pad = safe.startsWith("`") || safe.endsWith("`") ? " " : "";
  return `${fence}${pad}${safe}${pad}${fence}`;
}

/** Prose that may hold text from a trace: every mark that Markdown would act on is escaped. Bars are the tables' business. */
function plainMarkdown(text: string): string {
  return inert(printable(text).replace(/[\\`*_[\]<>#~&]/g, (char) => `\\${char}`));
}

/** GitHub reads mentions, issue numbers and addresses out of finished HTML, where no escape is left: a space of no width breaks them. */
function inert(text: string): string {
  return text
    .replaceAll("@", "@\u200b")
    .replace(/#(?=\d)/g, "#\u200b")
    .replace(/\bGH-(?=\d)/gi, (start) => `${start}\u200b`)
    .replace(/(\w):\/\//g, "$1:\u200b//")
    .replace(/\bwww\./gi, (start) => `${start.slice(0, 3)}\u200b.`);
}

/** A folded section. The summary is HTML, so it is escaped as such. */
export function fold(summary: Text, body: string): string {
  return `<details><summary>${escapeHtml(plainText(summary))}</summary>\n\n${body}\n\n</details>`;
}

/** A block of literal lines whose fence no line can close. */
export function codeBlock(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Text inside a tag, where Markdown is not read, but mentions and addresses are. */
function escapeHtml(text: string): string {
  return inert(printable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
}
