/** Two tool paths one above the other, so that what is missing leaves a gap of its own width. */

import { printable } from "@spoor/core/internal/text/printable";
import type { Paths } from "../../document/document.ts";
import { columnsOf, cut, padEnd } from "./layout.ts";
import type { TerminalStyle } from "./terminal-style.ts";

interface Cell {
  readonly known: string;
  readonly now: string;
}

type Step = Paths["steps"][number];

const SEPARATOR = " > ";
/** A stretch of equal steps longer than this is shown by its ends. */
const LONGEST_SAME = 4;
const LONGEST_NAME = 36;
const LONGEST_LABEL = 16;
const MOST_LINES = 8;

/** Lines for both paths under their labels; wrapped together when they do not fit. */
export function pathLines({ steps, ...labels }: Paths, indent: number, style: TerminalStyle): string[] {
  const known = cut(printable(labels.known), LONGEST_LABEL, style.symbols.ellipsis);
  const now = cut(printable(labels.now), LONGEST_LABEL, style.symbols.ellipsis);
  const width = Math.max(columnsOf(known), columnsOf(now), 3) + 2;
  const margin = " ".repeat(indent);
  const rows = wrapCells(shorten(steps, style), style.columns - indent - width);
  const lines: string[] = [];
  for (const [index, row] of rows.slice(0, MOST_LINES).entries()) {
    const first = index === 0;
    const more = index < rows.length - 1 ? " >" : "";
    lines.push(
      `${margin}${padEnd(first ? known : "", width)}${row.map((cell) => cell.known).join(SEPARATOR)}${more}`.trimEnd(),
    );
    lines.push(
      `${margin}${padEnd(first ? now : "", width)}${row.map((cell) => cell.now).join(SEPARATOR)}${more}`.trimEnd(),
    );
  }
  if (rows.length > MOST_LINES)
    lines.push(`${margin}${padEnd("", width)}${style.symbols.ellipsis} ${rows.length - MOST_LINES} more lines`);
  return lines;
}

function shorten(alignment: readonly Step[], style: TerminalStyle): Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  while (at < alignment.length) {
    let end = at;
    while (end < alignment.length && alignment[end]!.side === "both") end++;
    const same = end - at;
    if (same > LONGEST_SAME) {
      const middle = `(${same - 2} the same)`;
      cells.push(cellOf(alignment[at]!, style), { known: middle, now: middle }, cellOf(alignment[end - 1]!, style));
      at = end;
    } else cells.push(cellOf(alignment[at++]!, style));
  }
  return cells;
}

function cellOf({ step, side }: Step, style: TerminalStyle): Cell {
  const name = cut(printable(step), LONGEST_NAME, style.symbols.ellipsis);
  const gap = "-".repeat(columnsOf(name));
  return { known: side === "now" ? gap : name, now: side === "known" ? gap : name };
}

function wrapCells(cells: readonly Cell[], room: number): Cell[][] {
  const rows: Cell[][] = [[]];
  let used = 0;
  for (const cell of cells) {
    const width = columnsOf(cell.known) + SEPARATOR.length;
    if (used > 0 && used + width > room) {
      rows.push([]);
      used = 0;
    }
    rows[rows.length - 1]!.push(cell);
    used += width;
  }
  return rows;
}
