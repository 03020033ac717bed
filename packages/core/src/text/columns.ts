/** How wide text is and where it breaks, in columns: wide characters count two, combining ones none. */
import { printable } from "./printable.ts";

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ZERO = /\p{Mark}|\u200d|[\ufe00-\ufe0f]/u;
const COLOUR = /\u001b\[[0-9;]*m/g;

/** Columns a text takes; colour codes take none. */
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

/** Enough for a loop of six long names; a text of a megabyte would fill the page. */
const MOST_LINES = 40;
const BETWEEN_WORDS = /(?<=[_\-./: ])(?![_\-./: ])|(?<=[\p{Ll}\d])(?=\p{Lu})/u;

/** A name, harmless, on lines of at most `columns`: broken between its words (`_`, `-`, `.`, `/`, camel case), else where the line ends. */
export function foldName(name: string, columns: number): string[] {
  const lines = breakWord(printable(name), columns, BETWEEN_WORDS).map((line) => line.trim());
  return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), "…"];
}

/** Broken where `between` says, and where the line ends if that is not often enough. */
export function breakWord(word: string, columns: number, between: RegExp): string[] {
  if (columnsOf(word) <= columns || columns < 8 || word.includes("\u001b")) return [word];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  const end = () => {
    pieces.push(piece);
    piece = "";
    used = 0;
  };
  for (const part of word.split(between)) {
    if (piece !== "" && used + columnsOf(part) > columns) end();
    for (const char of part) {
      const width = charColumns(char);
      if (used + width > columns) end();
      piece += char;
      used += width;
    }
  }
  end();
  return pieces;
}
