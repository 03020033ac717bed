/** Tables on a terminal: columns as wide as their widest cell, within what each allows; the widest give way first. */
import type { Cell, Column, Row, Table, Text } from "../../document/document.ts";
import { styled } from "../../document/text.ts";
import { BAR_TITLE, barCells } from "./bar.ts";
import { cutLine, hangText, lineOf, wordsOf } from "./inline.ts";
import { columnsOf, padEnd, padStart, wrap } from "./layout.ts";
import { sparkline } from "./sparkline.ts";
import type { TerminalStyle } from "./terminal-style.ts";

const GAP = 2;
/** A column that must give way keeps at least this much. */
const NARROWEST = 8;

export function tableLines(table: Table, indent: number, style: TerminalStyle): string[] {
  const shown = table.columns.flatMap((column, index) => (isShown(column, style) ? [index] : []));
  const columns = shown.map((index): Column => {
    const column = table.columns[index]!;
    return table.rows.some((row) => isBar(row.cells[index])) ? { ...column, title: BAR_TITLE } : column;
  });
  const rows = table.rows.map((row) => ({
    ...row,
    cells: shown.filter((index) => index < row.cells.length).map((index) => row.cells[index]!),
  }));
  const widths = columnWidths(columns, rows, style.columns - indent, style);
  const margin = " ".repeat(indent);
  const titles = columns.some((column) => column.title !== "")
    ? [
        margin +
          joinCells(
            columns.map((column, index) => align(column.title, widths[index]!, column, index === columns.length - 1)),
            columns,
          ),
      ]
    : [];
  const lines = titles.map((line) => style.paint.dim(line.trimEnd()));
  for (const row of rows) lines.push(...rowLines(row, columns, widths, indent, style));
  if (table.more !== undefined) lines.push(...hangText(margin, table.more, style));
  return lines;
}

function isShown({ dropBelow = 0, only }: Column, style: TerminalStyle): boolean {
  return style.columns >= dropBelow && (only === undefined || only.includes("terminal"));
}

function columnWidths(columns: readonly Column[], rows: readonly Row[], room: number, style: TerminalStyle): number[] {
  const widths = columns.map((column, index) => {
    const cells = rows.flatMap((row) => (index < row.cells.length ? [cellColumns(row.cells[index]!, style)] : []));
    const natural = Math.max(columnsOf(column.title), column.min ?? 0, ...cells);
    return Math.min(natural, column.max ?? natural);
  });
  const gaps = columns.slice(1).reduce((sum, column) => sum + gapOf(column), 0);
  let excess = widths.reduce((sum, width) => sum + width, gaps) - room;
  // The last column is cut or broken where it stands; before it, the widest gives way first.
  const last = widths.length - 1;
  if (excess > 0 && last >= 0) {
    const spare = Math.max(0, widths[last]! - Math.max(columns[last]!.min ?? 0, 20));
    widths[last]! -= Math.min(spare, excess);
    excess -= Math.min(spare, excess);
  }
  // A title is never cut: a column keeps its width.
  const least = columns.map(({ min = 0, title }, index) =>
    Math.max(NARROWEST, min, index === last ? 0 : columnsOf(title)),
  );
  while (excess > 0) {
    const widest = widths.reduce(
      (best, width, index) => (width > least[index]! && (best < 0 || width > widths[best]!) ? index : best),
      -1,
    );
    if (widest < 0) break;
    widths[widest]!--;
    excess--;
  }
  return widths;
}

function cellColumns(cell: Cell, style: TerminalStyle): number {
  if (isText(cell)) return columnsOf(wordsOf(cell, style));
  if (cell.kind === "stack") return Math.max(0, ...cell.texts.map((text) => columnsOf(wordsOf(text, style))));
  return cell.kind === "bar" ? columnsOf(barCells(cell, style)) : cell.values.length;
}

function rowLines(
  row: Row,
  columns: readonly Column[],
  widths: readonly number[],
  indent: number,
  style: TerminalStyle,
): string[] {
  const margin = " ".repeat(indent);
  const last = columns.length - 1;
  const before = columns.slice(0, last).reduce((sum, _, index) => sum + widths[index]! + gapOf(columns[index + 1]!), 0);
  const cells = row.cells.map((cell, index) =>
    index === last
      ? lastLines(cell, Math.max(widths[last]!, style.columns - indent - before), columns[last]!, row, style)
      : cellLines(cell, widths[index]!, columns[index]!, row, style),
  );
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  const lines = Array.from({ length: height }, (_, at) => {
    const parts = cells.map((own, index) => align(own[at] ?? "", widths[index]!, columns[index]!, index === last));
    return margin + joinCells(parts, columns);
  });
  if (row.rest === undefined) return lines.map((line) => line.trimEnd());
  const head = lines[0]! + " ".repeat(gapOf(columns[row.cells.length]));
  return [...hangText(head, row.rest, style), ...lines.slice(1).map((line) => line.trimEnd())];
}

/** The last column may use all that is left of the line. */
function lastLines(cell: Cell, room: number, column: Column, row: Row, style: TerminalStyle): string[] {
  if (column.fit !== "wrap") return cellLines(cell, room, column, row, style);
  return textsOf(cell).flatMap((text) => hangText("", toned(text, row), { ...style, columns: room }));
}

/** A cell that is broken into lines before the last column has one tone throughout, or a colour would run into its neighbour. */
function cellLines(cell: Cell, width: number, column: Column, row: Row, style: TerminalStyle): string[] {
  if (!isText(cell) && cell.kind === "bar") return [barCells(cell, style)];
  if (!isText(cell) && cell.kind === "spark") return [sparkline(cell.values.slice(-width), style.ascii)];
  return textsOf(cell).flatMap((text) =>
    column.fit === "wrap"
      ? wrap(wordsOf(text, style), width).map((line) => lineOf(toned([line], row), style))
      : [cutLine(toned(text, row), width, style, column.fit === "middle" ? "middle" : "end")],
  );
}

function textsOf(cell: Cell): readonly Text[] {
  if (isText(cell)) return [cell];
  return cell.kind === "stack" ? cell.texts : [];
}

function toned(text: Text, { tone }: Row): Text {
  return tone === undefined ? text : [styled(tone, text)];
}

function align(text: string, width: number, { align: side = "left" }: Column, isLast: boolean): string {
  if (side === "right") return padStart(text, width);
  return isLast ? text : padEnd(text, width);
}

function joinCells(cells: readonly string[], columns: readonly Column[]): string {
  return cells.map((cell, index) => (index === 0 ? "" : " ".repeat(gapOf(columns[index]))) + cell).join("");
}

function gapOf(column: Column | undefined): number {
  return column?.gap ?? GAP;
}

function isBar(cell: Cell | undefined): boolean {
  return cell !== undefined && !isText(cell) && cell.kind === "bar";
}

export function isText(cell: Cell): cell is Text {
  return Array.isArray(cell);
}
