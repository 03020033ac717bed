/** Two tool paths one above the other, so that what is missing leaves a gap of its own width. */
import type { AlignedStep } from "@spoor/core/internal/fingerprint/similarity";
import { printable } from "../../document/printable.ts";
import { columnsOf, cut, padEnd } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";

interface Cell {
  readonly known: string;
  readonly now: string;
}

const SEPARATOR = " > ";
/** A stretch of equal steps longer than this is shown by its ends. */
const LONGEST_SAME = 4;
const LONGEST_NAME = 36;
const MOST_LINES = 8;

/** Lines for both paths under their labels; wrapped together when they do not fit. */
export function renderAlignment(
  alignment: readonly AlignedStep[],
  labels: { known: string; now: string },
  style: TerminalStyle,
): string[] {
  const width = Math.max(columnsOf(labels.known), columnsOf(labels.now), 3) + 2;
  const room = style.columns - 2 - width;
  const rows = wrapCells(shorten(alignment, style), room);
  const lines: string[] = [];
  for (const [index, row] of rows.slice(0, MOST_LINES).entries()) {
    const first = index === 0;
    const more = index < rows.length - 1 ? " >" : "";
    lines.push(
      `  ${padEnd(first ? labels.known : "", width)}${row.map((cell) => cell.known).join(SEPARATOR)}${more}`.trimEnd(),
    );
    lines.push(
      `  ${padEnd(first ? labels.now : "", width)}${row.map((cell) => cell.now).join(SEPARATOR)}${more}`.trimEnd(),
    );
  }
  if (rows.length > MOST_LINES)
    lines.push(`  ${padEnd("", width)}${style.symbols.ellipsis} ${rows.length - MOST_LINES} more lines`);
  return lines;
}

function shorten(alignment: readonly AlignedStep[], style: TerminalStyle): Cell[] {
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

function cellOf({ segment, side }: AlignedStep, style: TerminalStyle): Cell {
  const name = cut(printable(segment), LONGEST_NAME, style.symbols.ellipsis);
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
