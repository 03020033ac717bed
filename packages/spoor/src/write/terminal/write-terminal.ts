/**
 * A document on a terminal: blocks below each other with one empty line between them, a group without. No line is wider than the
 * terminal, except a command that someone will copy. In a pipe there are the same words without colours.
 */
import type { Block, Closing, Document, Fact, Section, Text, Verdict } from "../../document/document.ts";
import { command, isEmpty, say, sentences, styled } from "../../document/text.ts";
import { findingLines } from "./findings.ts";
import { cutLine, hangText, lineOf } from "./inline.ts";
import { columnsOf, padEnd } from "./layout.ts";
import { pathLines } from "./paths.ts";
import { sideBySide } from "./side-by-side.ts";
import { symbolOf } from "./symbol-of.ts";
import { tableLines } from "./table.ts";
import type { TerminalStyle } from "./terminal-style.ts";

export function writeTerminal(document: Document, style: TerminalStyle): string {
  const parts = document.blocks.map((block) => blockLines(block, 2, style)).filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The lines of a block that stands `indent` columns from the margin. */
export function blockLines(block: Block, indent: number, style: TerminalStyle): string[] {
  const margin = " ".repeat(indent);
  switch (block.kind) {
    case "verdict":
      return verdictLines(block, style);
    case "heading":
      return hangText("", block.text, style);
    case "paragraph":
      return isEmpty(block.text) ? [] : hangText(margin, block.text, style);
    case "lines":
      return block.lines.map((line) => (margin + cutLine(line, style.columns - indent, style)).trimEnd());
    case "facts":
      return factLines(block.facts, indent, style);
    case "table":
      return tableLines(block, indent, style);
    case "findings":
      return findingLines(block, indent, style, blockLines);
    case "section":
      return sectionLines(block, indent, style);
    case "fold":
      return block.open ? sectionLines(block, indent, style) : [];
    case "group":
      if (block.only !== undefined && !block.only.includes("terminal")) return [];
      return block.blocks.flatMap((inner) => blockLines(inner, block.inset ? indent + 2 : indent, style));
    case "side_by_side":
      return sideBySide(block, indent, style);
    case "paths":
      return pathLines(block, indent, style);
    case "patch":
      return [
        ...block.removed.map((line) => `${margin}${lineOf([styled("bad", `- ${line}`)], style)}`),
        ...block.added.map((line) => `${margin}${lineOf([styled("good", `+ ${line}`)], style)}`),
      ];
    case "closing":
      return closingLines(block, indent, style);
    case "plot":
    case "comparison":
    case "runs":
      return [];
  }
}

function verdictLines({ mark, word, headline, detail }: Verdict, style: TerminalStyle): string[] {
  const said = say`${word === undefined ? "" : `${word}: `}${headline}.`;
  return hangText(`${symbolOf(mark, style)} `, sentences(said, detail), style);
}

function factLines(facts: readonly Fact[], indent: number, style: TerminalStyle): string[] {
  const said = facts.filter((fact) => !isEmpty(fact.text));
  const width = Math.max(0, ...said.map((fact) => columnsOf(fact.label))) + 2;
  return said.flatMap(({ label, text, note }) =>
    hangText(`${" ".repeat(indent)}${padEnd(label, width)}`, sentences(text, note), style),
  );
}

function sectionLines(
  { title, blocks }: Pick<Section, "title" | "blocks">,
  indent: number,
  style: TerminalStyle,
): string[] {
  const inner = blocks.map((block) => blockLines(block, indent, style)).filter((lines) => lines.length > 0);
  if (inner.length === 0) return [];
  return [...(isEmpty(title) ? [] : hangText(" ".repeat(indent), [styled("strong", title)], style)), ...inner.flat()];
}

/** The exit code stands at the right end of the last sentence, or of the command where there is no sentence. */
function closingLines({ text, exitCode, page, next = [] }: Closing, indent: number, style: TerminalStyle): string[] {
  const margin = " ".repeat(indent);
  const said: string[] = isEmpty(text) ? [] : hangText(margin, text!, style);
  const commands = [
    ...(page === undefined ? [] : [`${margin}${lineOf([`The whole story: ${page}`], style)}`]),
    ...next.map((one) => `${margin}${lineOf(nextText(one), style)}`),
  ];
  if (exitCode === undefined) return [...said, ...commands];
  const tail = `exit code ${exitCode}`;
  const carrying = said.length > 0 ? said : commands;
  const last = carrying.pop() ?? "";
  const room = style.columns - columnsOf(last) - columnsOf(tail);
  carrying.push(
    ...(room >= 2
      ? [`${last}${" ".repeat(room)}${style.paint.dim(tail)}`]
      : [last, `${" ".repeat(style.columns - columnsOf(tail))}${style.paint.dim(tail)}`]),
  );
  return said.length > 0 ? [...said, ...commands] : commands.length > 0 ? commands : carrying;
}

function nextText(next: string): Text {
  return say`${styled("dim", "Next:")} ${command(next)}`;
}
