/** Padding, cuts and line breaks of terminal text. */
import { breakWord, columnsOf, cut } from "@spoor/core/internal/text/columns";

export { columnsOf, cut };

/** A chain of names breaks after a bar, a path after a slash. */
const BETWEEN_NAMES = /(?<=[|/,>])/;

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - columnsOf(text))) + text;
}

/** Cuts plain text in its middle: names of one family differ at their ends. */
export function cutMiddle(text: string, columns: number, ellipsis: string): string {
  const room = columns - columnsOf(ellipsis);
  if (columnsOf(text) <= columns || room < 2) return cut(text, columns, ellipsis);
  const tail = endWithin(text, Math.floor(room / 2));
  return cut(text, columns - columnsOf(tail), ellipsis) + tail;
}

/** As much of the end of a text as fits into so many columns. */
export function endWithin(text: string, columns: number): string {
  let end = "";
  for (const char of [...text].reverse()) {
    if (columnsOf(char + end) > columns) break;
    end = char + end;
  }
  return end;
}

/** Breaks a paragraph at spaces so that no line is wider than `columns`; a word that is longer is broken where it can be read on. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    let used = 0;
    for (const word of paragraph.split(" ").flatMap((one) => breakWord(one, columns, BETWEEN_NAMES))) {
      const width = columnsOf(word);
      if (line !== "" && used + 1 + width > columns) {
        lines.push(line);
        line = word;
        used = width;
      } else {
        used = line === "" ? width : used + 1 + width;
        line = line === "" ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines;
}

/** A paragraph with a first-line prefix and a hanging indent, as one string. */
export function hang(prefix: string, text: string, columns: number): string {
  const indent = " ".repeat(columnsOf(prefix));
  return wrap(text, columns - indent.length)
    .map((line, index) => (index === 0 ? prefix : indent) + line)
    .join("\n");
}
