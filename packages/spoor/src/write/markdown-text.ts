/** Text inside Markdown: nothing in it may become a mention, a link, a tag, a table cell or a fence. */

import { printable } from "@spoor/core/internal/text/printable";
import type { Mark, Text } from "../document/document.ts";
import { plainText, runsOf } from "../document/text.ts";

/** A text on one line: names in code spans, everything else with its marks made harmless. */
export function markdownText(text: Text): string {
  const line = runsOf(text)
    .map(({ text: words, isName, tones, mark }) => {
      if (mark !== undefined) return MARKDOWN_SYMBOL[mark];
      const safe = isName ? codeSpan(words) : plainMarkdown(words);
      return tones.includes("strong") && safe.trim() !== "" ? strong(safe) : safe;
    })
    .join("");
  // At the beginning of a line these would make a list, a rule or a heading of the line above.
  return line.replace(/^(\s*)([-+](?=\s|$|[-+])|=+\s*$|\d+(?=[.)](\s|$)))/, (_, space: string, sign: string) =>
    /\d/.test(sign) ? `${space}${sign}\\` : `${space}\\${sign}`,
  );
}

/** The symbols of marks, as every page writes them. */
export const MARKDOWN_SYMBOL: Readonly<Record<Mark, string>> = { passed: "✓", failed: "✗", warning: "!", unknown: "?" };

/** Emphasis ends at the words, or Markdown would not see its end. */
function strong(safe: string): string {
  const [, before, words, after] = /^(\s*)(.*?)(\s*)$/s.exec(safe)!;
  return `${before}**${words}**${after}`;
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
