/** A bar of nineteen cells: the middle is no change, the dotted marks are where severe begins, right is more. */
import type { Bar } from "../../document/document.ts";
import type { TerminalStyle } from "./terminal-style.ts";

/** The point in the middle, seven cells to a mark, two beyond it. */
const CENTRE = 9;
const TO_MARK = 7;
const CELLS = 2 * CENTRE + 1;

/** The title of a column of bars, above its marks. */
export const BAR_TITLE = "severe   0   severe";

export function barCells({ point: value, low, high }: Bar, { symbols }: TerminalStyle): string {
  const { left, line, point, right, mark, zero, beyond, below } = symbols.bar;
  const cells = new Array<string>(CELLS).fill(" ");
  cells[CENTRE - TO_MARK] = mark;
  cells[CENTRE] = zero;
  cells[CENTRE + TO_MARK] = mark;
  const at = (shift: number) => CENTRE + Math.round(shift * TO_MARK);
  const middle = Math.min(CELLS - 1, Math.max(0, at(value)));
  if (low !== high || value !== 0) {
    const from = at(low);
    const to = at(high);
    for (let cell = Math.max(0, from); cell <= Math.min(CELLS - 1, to); cell++) cells[cell] = line;
    if (from >= 0 && from < middle) cells[from] = left;
    if (to < CELLS && to > middle) cells[to] = right;
    if (from < 0) cells[0] = below;
    if (to >= CELLS) cells[CELLS - 1] = beyond;
  }
  const isBeyond = at(value) < 0 || at(value) >= CELLS;
  cells[middle] = isBeyond ? (at(value) < 0 ? below : beyond) : point;
  return cells.join("");
}
