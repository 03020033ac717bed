/** Findings on a terminal: a mark, cells that line up from item to item, something at the right margin, what belongs to it below. */
import type { Block, Finding, Findings, Text } from "../../document/document.ts";
import { styled } from "../../document/text.ts";
import { cutLine, hangText, lineOf, wordsOf } from "./inline.ts";
import { columnsOf, padEnd } from "./layout.ts";
import { symbolOf } from "./symbol-of.ts";
import type { TerminalStyle } from "./terminal-style.ts";

/** Longer cells are cut, except the last one, which is broken into lines. */
const WIDEST = 36;
/** Where the right column begins, unless what stands left of it needs more room. */
const RIGHT = 52;
const GAP = 2;

/** Writes the blocks of a body. */
export type WriteBlock = (block: Block, indent: number, style: TerminalStyle) => string[];

export function findingLines(
  { items, more }: Findings,
  indent: number,
  style: TerminalStyle,
  inner: WriteBlock,
): string[] {
  const amount = Math.max(0, ...items.map((item) => item.cells.length));
  const widths = Array.from({ length: amount }, (_, index) =>
    Math.min(WIDEST, Math.max(0, ...items.map((item) => columnsOf(wordsOf(item.cells[index] ?? [], style))))),
  );
  const heads = items.map((item) => ({ item, ...headOf(item, widths, indent, style) }));
  const left = Math.max(0, ...heads.map(({ prefix, last }) => columnsOf(prefix) + columnsOf(wordsOf(last, style))));
  const start = Math.max(RIGHT, left + GAP);
  const lines = heads.flatMap(({ item, prefix, last }) => [
    ...headLines(prefix, last, item.right ?? [], start, style),
    ...(item.body ?? []).flatMap((block) => inner(block, indent + 4, style)),
  ]);
  if (more !== undefined) lines.push(...hangText(" ".repeat(indent), more, style));
  return lines;
}

/** Everything before the last cell, and the last cell. */
function headOf(
  item: Finding,
  widths: readonly number[],
  indent: number,
  style: TerminalStyle,
): { readonly prefix: string; readonly last: Text } {
  const marks = Math.max(columnsOf(style.symbols.passed), columnsOf(style.symbols.failed));
  const mark = item.mark === undefined ? "" : `${padEnd(symbolOf(item.mark, style), marks)} `;
  const cells = item.cells
    .slice(0, -1)
    .map((cell, index) => `${padEnd(cutLine(cell, widths[index]!, style), widths[index]!)}${" ".repeat(GAP)}`);
  return { prefix: `${" ".repeat(indent)}${mark}${cells.join("")}`, last: item.cells[item.cells.length - 1] ?? [] };
}

function headLines(prefix: string, last: Text, right: Text, start: number, style: TerminalStyle): string[] {
  const dim = lineOf([styled("dim", right)], style);
  const width = columnsOf(dim);
  if (width === 0) return hangText(prefix, last, style);
  const left = prefix + lineOf(last, style);
  const own = Math.max(columnsOf(left) + GAP, Math.min(start, style.columns - width));
  if (own + width <= style.columns) return [`${padEnd(left, own)}${dim}`];
  return [...hangText(prefix, last, style), ...hangText(" ".repeat(6), [styled("dim", right)], style)];
}
