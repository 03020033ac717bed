/**
 * A document as Markdown, for pull requests and job summaries. The verdict is the heading, details are folded. Planned for 60,000
 * characters, never above 65,536, which is where GitHub cuts: whole folds are left out, the last first, and what was cut is said.
 */

import type { Block, Cell, Document, Fact, Finding, Findings, Table, Text } from "../document/document.ts";
import { isEmpty, joined, plainText, say, sentences } from "../document/text.ts";
import { ANYWHERE, typedCommand } from "../document/typed-command.ts";
import { withLiveLinks } from "./live-links.ts";
import { addressOf, codeBlock, codeSpan, fold, markdownText, MARKDOWN_SYMBOL as SYMBOL } from "./markdown-text.ts";
import { pathLines } from "./terminal/paths.ts";
import { sideBySide } from "./terminal/side-by-side.ts";
import { sparkline } from "./terminal/sparkline.ts";
import { createTerminalStyle } from "./terminal/terminal-style.ts";

export interface MarkdownOptions {
  /** Address of the full report. Where it is the page itself, places lead into it; that of a job leads nowhere further. */
  readonly link?: string | undefined;
  /** A hidden marker lets the next run edit the same comment. */
  readonly marker?: boolean;
}

const PLANNED = 60_000;
/** Wider than a terminal: a code block scrolls. */
const PRE = createTerminalStyle({ columns: 96 });

export function writeMarkdown(document: Document, options: MarkdownOptions = {}): string {
  const { link } = options;
  const isPage = link !== undefined && /\.html?$/i.test(link);
  const { blocks } = isPage ? withLiveLinks(document, link) : document;
  const footer = footerLine(document, options);
  const marker = options.marker ? `<!-- ${document.id.replace(/[^\w.:-]/g, "_")} -->\n` : "";
  const parts = blocks.flatMap(topParts);
  const fixed = parts.filter((part) => part.name === undefined).reduce((sum, part) => sum + part.text.length + 2, 0);
  let left = PLANNED - fixed - footer.length - 200;
  const cut: string[] = [];
  const kept = parts.filter((part) => {
    if (part.name === undefined) return true;
    if (part.text.length + 2 > left) {
      cut.push(part.name);
      return false;
    }
    left -= part.text.length + 2;
    return true;
  });
  const note =
    cut.length === 0 ? [] : [`<sub>Cut for length: ${cut.join(", ")}. The full report has everything.</sub>`];
  const whole = [...kept.map((part) => part.text), ...note, ...(footer === "" ? [] : [footer])].join("\n\n");
  return `${marker}${hardLimit(whole)}\n`;
}

/** Text that no fold holds can still be too long; it ends at a line. */
function hardLimit(text: string): string {
  if (text.length <= PLANNED) return text;
  const end = text.lastIndexOf("\n", PLANNED);
  return `${text.slice(0, end < 1 ? PLANNED : end)}\n\nCut here: ${text.length - end} characters more are in the full report.`;
}

interface Part {
  readonly text: string;
  /** What may be left out is called this. */
  readonly name?: string;
}

function topParts(block: Block): Part[] {
  if (block.kind === "group") return shownHere(block.only) ? block.blocks.flatMap(topParts) : [];
  const text = blockText(block);
  if (text === "") return [];
  return block.kind === "fold" ? [{ text, name: block.name }] : [{ text }];
}

function shownHere(only: readonly string[] | undefined): boolean {
  return only === undefined || only.includes("markdown");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "verdict": {
      const word = block.word === undefined ? "" : `${block.word}: `;
      const heading = `### ${SYMBOL[block.mark]} ${markdownText(say`${word}${block.headline}`)}`;
      const said = sentences(block.detail, block.beside);
      return isEmpty(said) ? heading : `${heading}\n${markdownText(said)}`;
    }
    case "heading":
      return `### ${markdownText(block.text)}`;
    case "paragraph":
      return markdownText(block.text);
    case "lines":
      return block.lines.length === 0 ? "" : codeBlock(block.lines.map(plainText));
    case "facts":
      return bullets(block.facts.filter((fact) => !isEmpty(fact.text)).map(factText));
    case "table":
      return tableText(block);
    case "findings":
      return findingsText(block);
    case "section": {
      const inner = innerText([
        ...(block.sub === undefined ? [] : [{ kind: "paragraph" as const, text: block.sub }]),
        ...block.blocks,
      ]);
      return inner === "" ? "" : isEmpty(block.title) ? inner : `**${markdownText(block.title)}**\n\n${inner}`;
    }
    case "fold": {
      const inner = innerText(block.blocks);
      return inner === "" ? "" : fold(block.title, inner);
    }
    case "group":
      return shownHere(block.only) ? innerText(block.blocks) : "";
    case "side_by_side":
      return codeBlock(sideBySide(block, 0, PRE));
    case "paths":
      return codeBlock(pathLines(block, 0, PRE));
    case "patch":
      return codeBlock([...block.removed.map((line) => `- ${line}`), ...block.added.map((line) => `+ ${line}`)]);
    case "closing":
      return [
        ...(isEmpty(block.text) ? [] : [markdownText(block.text!)]),
        ...(block.next ?? []).map((command) => `Next: ${codeSpan(typedCommand(command, ANYWHERE))}`),
      ].join("\n\n");
    case "plot":
    case "comparison":
    case "runs":
      return "";
  }
}

function innerText(blocks: readonly Block[]): string {
  return blocks
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n\n");
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function factText({ label, text, note }: Fact): string {
  return markdownText(say`${label === "" ? "" : `${label}: `}${sentences(text, note)}`);
}

function tableText(table: Table): string {
  const shown = table.columns.flatMap((column, index) => (shownHere(column.only) ? [index] : []));
  const titles = shown.map((index) => table.columns[index]!.title);
  const rows = table.rows.map((row) => {
    const cells = shown.filter((index) => index < row.cells.length).map((index) => cellText(row.cells[index]!));
    if (row.rest !== undefined) cells.push(markdownText(row.rest));
    return [...cells, ...Array.from({ length: Math.max(0, shown.length - cells.length) }, () => "")];
  });
  const aligned = shown.map((index) => table.columns[index]!.align ?? "left");
  return withMore(gridText(titles, rows, aligned), table.more);
}

/** Nothing in a text can end its cell: bars are escaped, line breaks are gone. */
function gridText(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  aligned: readonly ("left" | "right")[] = titles.map(() => "left"),
): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    line(titles.map((title) => markdownText([title]))),
    `|${aligned.map((side) => (side === "right" ? "---:|" : "---|")).join("")}`,
    ...rows.map(line),
  ].join("\n");
}

function withMore(text: string, more: Text | undefined): string {
  return more === undefined ? text : `${text}\n\n${markdownText(more)}`;
}

function cellText(cell: Cell): string {
  if (Array.isArray(cell)) return markdownText(cell as Text);
  const special = cell as Exclude<Cell, Text>;
  if (special.kind === "stack") return special.texts.map(markdownText).join("<br>");
  return special.kind === "bar" ? markdownText(special.says) : sparkline(special.values, false);
}

/** One row each, then what belongs to them, folded; without titles a list, with what belongs to them inside. */
function findingsText({ titles, items, more }: Findings): string {
  if (titles.length === 0) return withMore(items.map(itemText).join("\n"), more);
  const rows = items.map((item) => {
    const cells = item.cells.map(markdownText);
    if (item.mark !== undefined) cells[0] = `${SYMBOL[item.mark]} ${cells[0] ?? ""}`;
    const filled = Array.from({ length: titles.length }, (_, index) => cells[index] ?? "");
    if (item.right !== undefined) filled[titles.length - 1] = markdownText(item.right);
    return filled;
  });
  const bodies = items.flatMap((item) => {
    const body = innerText(item.body ?? []);
    return body === "" ? [] : [fold(titleOf(item), body)];
  });
  return withMore([gridText(titles, rows), ...bodies].join("\n\n"), more);
}

function itemText({ mark, cells, right, body = [] }: Finding): string {
  const words = markdownText(joined([...cells, ...(right === undefined ? [] : [right])], " "));
  const inner = body.map(blockText).filter((text) => text !== "");
  const line = `- ${mark === undefined ? "" : `${SYMBOL[mark]} `}${words}`;
  return [line, ...inner.map((text) => (text.startsWith("- ") ? text : `\n${text}`).replace(/^(?=.)/gm, "  "))].join(
    "\n",
  );
}

function titleOf({ cells, named = 0 }: Finding): Text {
  return cells[named] ?? [];
}

function footerLine({ footer }: Document, { link }: MarkdownOptions): string {
  const parts = [
    ...(link === undefined ? [] : [`[Full report](${addressOf({ page: link })})`]),
    ...footer.map(markdownText),
  ];
  return parts.length === 0 ? "" : `<sub>${parts.join(" · ")}</sub>`;
}
