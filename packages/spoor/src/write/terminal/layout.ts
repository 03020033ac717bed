/** Widths, cuts and line breaks of terminal text. Widths are columns: wide characters count two, combining ones none. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ZERO = /\p{Mark}|\u200d|[\ufe00-\ufe0f]/u;
const COLOUR = /\u001b\[[0-9;]*m/g;

/** Columns a text takes on a terminal; colour codes take none. */
export function columnsOf(text: string): number {
  const plain = text.includes("\u001b") ? text.replace(COLOUR, "") : text;
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let columns = 0;
  for (const char of plain) columns += charColumns(char);
  return columns;
}

function charColumns(char: string): number {
  if (char.length === 1 && char >= " " && char <= "~") return 1;
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - columnsOf(text))) + text;
}

/** Cuts plain text (no colour codes) to at most `columns`, ending in the ellipsis when something was lost. */
export function cut(text: string, columns: number, ellipsis: string): string {
  if (columnsOf(text) <= columns) return text;
  const room = columns - columnsOf(ellipsis);
  if (room <= 0) return ellipsis.slice(0, Math.max(0, columns));
  let used = 0;
  let kept = "";
  for (const char of text) {
    const width = charColumns(char);
    if (used + width > room) break;
    used += width;
    kept += char;
  }
  return kept + ellipsis;
}

/** Cuts plain text in its middle: names of one family differ at their ends. */
export function cutMiddle(text: string, columns: number, ellipsis: string): string {
  const room = columns - columnsOf(ellipsis);
  if (columnsOf(text) <= columns || room < 2) return cut(text, columns, ellipsis);
  const characters = [...text];
  let tail = "";
  while (columnsOf(tail + characters.at(-1)!) <= Math.floor(room / 2)) tail = characters.pop()! + tail;
  return cut(text, columns - columnsOf(tail), ellipsis) + tail;
}

/** Breaks a paragraph at spaces so that no line is wider than `columns`; a word that is longer is broken where it can be read on. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    let used = 0;
    for (const word of paragraph.split(" ").flatMap((one) => breakWord(one, columns))) {
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

/** A chain of names breaks after a bar, a path after a slash, anything else where the line ends. */
function breakWord(word: string, columns: number): string[] {
  if (columnsOf(word) <= columns || columns < 8 || word.includes("\u001b")) return [word];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const part of word.split(/(?<=[|/,>])/)) {
    const width = columnsOf(part);
    if (piece !== "" && used + width > columns) {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += part;
    used += width;
    while (used > columns) {
      const head = cut(piece, columns, "");
      pieces.push(head);
      piece = piece.slice(head.length);
      used = columnsOf(piece);
    }
  }
  return [...pieces, piece];
}

/** A paragraph with a first-line prefix and a hanging indent, as one string. */
export function hang(prefix: string, text: string, columns: number): string {
  const indent = " ".repeat(columnsOf(prefix));
  return wrap(text, columns - indent.length)
    .map((line, index) => (index === 0 ? prefix : indent) + line)
    .join("\n");
}
