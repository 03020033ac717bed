import { printable } from "@spoor/core/internal/text/printable";

/**
 * Text as XML, on one line: the five marks escaped, and what XML 1.0 forbids made visible instead of breaking the file. A line
 * break of a trace would begin a line of its own, and on standard output a CI system reads commands at the beginning of lines.
 */
export function escapeXml(text: string): string {
  return printable(text)
    .replace(/[\ufffe\uffff]/g, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
    .replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
