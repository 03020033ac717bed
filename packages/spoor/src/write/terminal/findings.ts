/** Findings on a terminal: a mark, cells that line up from item to item, something at the right margin, what belongs to it below. */
import type { Block, Finding, Findings } from "../../document/document.ts";
import { styled } from "../../document/text.ts";
import { cutLine, hangText, lineOf, wordsOf } from "./inline.ts";
import { columnsOf, padEnd } from "./layout.ts";
import { symbolOf } from "./symbol-of.ts";
import type { TerminalStyle } from "./terminal-style.ts";

/** Longer cells are cut, except the last one, which is broken into lines. */
const WIDEST = 36;
/** Where the right column begins, if what stands left of it leaves room. */
const RIGHT = 52;
const GAP = 2;

/** `inner` writes the blocks of a body. */
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
  const lines = items.flatMap((item) => itemLines(item, widths, indent, style, inner));
  if (more !== undefined) lines.push(...hangText(" ".repeat(indent), more, style));
  return lines;
}

function itemLines(
  item: Finding,
  widths: readonly number[],
  indent: number,
  style: TerminalStyle,
  inner: WriteBlock,
): string[] {
  const marks = Math.max(columnsOf(style.symbols.passed), columnsOf(style.symbols.failed));
  const mark = item.mark === undefined ? "" : `${padEnd(symbolOf(item.mark, style), marks)} `;
  const head = item.cells
    .slice(0, -1)
    .map((cell, index) => `${padEnd(cutLine(cell, widths[index]!, style), widths[index]!)}${" ".repeat(GAP)}`)
    .join("");
  const prefix = `${" ".repeat(indent)}${mark}${head}`;
  const last = item.cells[item.cells.length - 1] ?? [];
  return [
    ...headLines(prefix, last, item, style),
    ...(item.body ?? []).flatMap((block) => inner(block, indent + 4, style)),
  ];
}

function headLines(prefix: string, last: Finding["cells"][number], { right }: Finding, style: TerminalStyle): string[] {
  if (right === undefined) return hangText(prefix, last, style);
  const left = prefix + lineOf(last, style);
  const dim = lineOf([styled("dim", right)], style);
  const width = columnsOf(dim);
  const start = Math.max(columnsOf(left) + GAP, Math.min(RIGHT, style.columns - width));
  if (width === 0) return [left.trimEnd()];
  if (start + width <= style.columns) return [`${padEnd(left, start)}${dim}`];
  return [...hangText(prefix, last, style), ...hangText(" ".repeat(6), [styled("dim", right)], style)];
}
