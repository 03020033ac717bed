/** Text from traces inside Markdown: nothing in it may become a mention, a link, a tag, a table cell or a fence. */
import { printable } from "../../document/printable.ts";

/** A code span whose fence is longer than any run of backticks inside; bars are escaped for tables. */
export function codeSpan(text: string): string {
  const safe = printable(text).replaceAll("|", "\\|");
  if (safe === "") return "``` ```";
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  const pad = safe.startsWith("`") || safe.endsWith("`") ? " " : "";
  return `${fence}${pad}${safe}${pad}${fence}`;
}

/** Prose that may hold text from a trace: every mark that Markdown or GitHub would act on is made harmless. */
export function plainMarkdown(text: string): string {
  return printable(text)
    .replace(/[\\`*_[\]<>|#~]/g, (char) => `\\${char}`)
    .replaceAll("@", "@\u200b")
    .replace(/\bhttps?:\/\//gi, (scheme) => scheme.replace("://", ":\u200b//"));
}

/** A folded section. The summary is HTML, so it is escaped as such. */
export function fold(summary: string, body: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** A block of literal lines whose fence no line can close. */
export function codeBlock(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Text inside a tag, where Markdown is not read. */
export function escapeHtml(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "@\u200b");
}
