/**
 * The table: one row per signal, each with a bar on one scale. The middle is no change, the two dotted marks are where severe begins
 * for that axis, right is more.
 */
import { type AxisRow, hasNoData, severeStep } from "@spoor/core/diff/axis-row";
import type { DiffReport } from "@spoor/core/diff/diff-report";
import { structureSteps } from "@spoor/core/diff/structure";
import type { Severity } from "@spoor/core/judgement/severity";
import { integer } from "../../document/words.ts";
import { padEnd, padStart } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { amountOf, axisWords, noDataReason } from "./axis-words.ts";

/** Cells of a bar: the point in the middle, seven cells to a mark, two beyond it. */
const CENTRE = 9;
const TO_MARK = 7;
const CELLS = 2 * CENTRE + 1;

const NAME = 12;
const WHAT = 18;
const VALUE = 8;
/** Below this width the column "what it is" makes room. */
const FULL_WIDTH = 78;

export function axisTable(report: DiffReport, style: TerminalStyle, small: boolean): string[] {
  const wide = style.columns >= FULL_WIDTH;
  const what = (text: string) => (wide ? padEnd(text, WHAT) : "");
  const lines = [
    `  ${padEnd("axis", NAME)}${what("what it is")}${padStart("before", VALUE)} ${padStart("now", VALUE)} severe   0   severe grade`,
    structureLine(report, style, what, small),
  ];
  for (const row of report.rows) lines.push(axisLine(row, style, what, small));
  return lines.map((line) => `${line}`.trimEnd());
}

function structureLine(
  report: DiffReport,
  style: TerminalStyle,
  what: (text: string) => string,
  small: boolean,
): string {
  const { changed, turns, share, interval, severity } = report.structure;
  const now = `${integer(changed)} of ${integer(turns)}`;
  const drawn = bar(
    { value: share, low: interval.low, high: interval.high, severe: structureSteps.severe, seen: changed > 0 },
    style,
  );
  // A count this long takes its room from the empty column before it.
  const values = `${padStart("-", VALUE)} ${padStart(now, VALUE)}`;
  const fitted = values.length <= 2 * VALUE + 1 ? values : padStart(now, 2 * VALUE + 1);
  return `  ${padEnd("structure", NAME)}${what("turns that differ")}${fitted} ${drawn} ${gradeWord(severity, false, small, style)}`;
}

function axisLine(row: AxisRow, style: TerminalStyle, what: (text: string) => string, small: boolean): string {
  const head = `  ${padEnd(row.axis, NAME)}${what(axisWords[row.axis].is)}`;
  if (hasNoData(row)) return `${head}${style.paint.dim(noDataReason(row))}`;
  const values = `${padStart(amountOf(row.axis, row.baseline), VALUE)} ${padStart(amountOf(row.axis, row.candidate), VALUE)}`;
  const drawn = bar(
    { value: row.delta, low: row.ci95Low, high: row.ci95High, severe: severeStep(row), seen: true },
    style,
  );
  return `${head}${values} ${drawn} ${gradeWord(row.gateSeverity, row.direction === "better", small, style)}`;
}

interface Span {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly severe: number;
  /** Without any sighting the interval says nothing about a shift. */
  readonly seen: boolean;
}

function bar({ value, low, high, severe, seen }: Span, { symbols, ascii }: TerminalStyle): string {
  const { left, line, point, right, mark, zero, beyond } = symbols.bar;
  const cells = new Array<string>(CELLS).fill(" ");
  cells[CENTRE - TO_MARK] = mark;
  cells[CENTRE] = zero;
  cells[CENTRE + TO_MARK] = mark;
  const at = (shift: number) => CENTRE + Math.round((shift / severe) * TO_MARK);
  const middle = Math.min(CELLS - 1, Math.max(0, at(value)));
  if (seen) {
    const from = at(low);
    const to = at(high);
    for (let cell = Math.max(0, from); cell <= Math.min(CELLS - 1, to); cell++) cells[cell] = line;
    if (from >= 0 && from < middle) cells[from] = left;
    if (to < CELLS && to > middle) cells[to] = right;
    if (from < 0) cells[0] = ascii ? "<" : "◂";
    if (to >= CELLS) cells[CELLS - 1] = beyond;
  }
  const isBeyond = at(value) < 0 || at(value) >= CELLS;
  if (isBeyond) cells[middle] = at(value) < 0 ? (ascii ? "<" : "◂") : beyond;
  else cells[middle] = point;
  return cells.join("");
}

/** Improvements read `better`; grades that no statistics support stand in brackets. */
function gradeWord(severity: Severity, better: boolean, small: boolean, { paint }: TerminalStyle): string {
  const word = better ? "better" : severity === "severe" ? "SEVERE" : severity;
  const shown = small && severity !== "none" ? `(${word})` : word;
  if (better || severity === "none") return shown;
  return severity === "severe" ? paint.bad(shown) : severity === "moderate" ? paint.warn(shown) : shown;
}
