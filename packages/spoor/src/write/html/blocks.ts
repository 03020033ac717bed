/** The blocks of a document as HTML. The classes are those of the page's one style sheet (packages/web/src/report.css). */

import type {
  Block,
  Cell,
  Column,
  Fact,
  Finding,
  Mark,
  Plot,
  Row,
  Section,
  Table,
  Text,
  Verdict,
} from "../../document/document.ts";
import { capitalised, isEmpty, plainText, sentences } from "../../document/text.ts";
import { ANYWHERE, typedCommand } from "../../document/typed-command.ts";
import { count } from "../../document/words.ts";
import { placeAddress } from "../live-links.ts";
import { sideBySide } from "../terminal/side-by-side.ts";
import { sparkline } from "../terminal/sparkline.ts";
import { createTerminalStyle } from "../terminal/terminal-style.ts";
import { chart, chartHead } from "./chart.ts";
import { type Html, html, inline, trusted } from "./html.ts";
import { svgOf } from "./svg.ts";

const PRE = createTerminalStyle({ columns: 96 });

export function blocksHtml(blocks: readonly Block[], depth: number): Html[] {
  const parts: Html[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]!;
    const next = blocks[at + 1];
    if (isHalf(block) && isHalf(next)) {
      parts.push(html`<div class="cols">${blockHtml(block, depth)}${blockHtml(next!, depth)}</div>`);
      at++;
    } else parts.push(blockHtml(block, depth));
  }
  return parts;
}

function isHalf(block: Block | undefined): boolean {
  return block?.kind === "section" && block.half === true;
}

/** `depth` 0 is the page itself, whose loose blocks are sections without a title. */
function blockHtml(block: Block, depth: number): Html {
  switch (block.kind) {
    case "verdict":
      return verdictHtml(block);
    case "heading":
      return html`<section class="verdict"><h1>${inline(block.text)}</h1></section>`;
    case "paragraph":
      return isEmpty(block.text) ? html`` : html`<p class="why">${inline(block.text)}</p>`;
    case "lines":
      return html`<pre class="lines" tabindex="0">${block.lines.map(plainText).join("\n")}</pre>`;
    case "facts":
      return html`<dl class="labels">${block.facts.filter(({ text }) => !isEmpty(text)).map(factHtml)}</dl>`;
    case "table":
      return tableHtml(block);
    case "findings":
      return html`<ul class="find">${block.items.map((item) => findingHtml(item, depth))}</ul>${moreHtml(block.more)}`;
    case "section":
      return sectionHtml(block, depth);
    case "fold":
      return html`<details class="fold"${block.open ? trusted(" open") : ""}><summary>${inline(block.title)}</summary>${blocksHtml(block.blocks, depth + 1)}</details>`;
    case "group":
      return block.only !== undefined && !block.only.includes("html")
        ? html``
        : html`${blocksHtml(block.blocks, depth)}`;
    case "side_by_side":
      return html`<pre class="lines" tabindex="0">${trusted(linesHtml(sideBySide(block, 0, PRE)))}</pre>`;
    case "paths":
      return html`<div class="rib" role="group" tabindex="0" aria-label="${block.now} against ${block.known}"><span class="path">${pathHtml(block.steps)}</span></div>`;
    case "patch":
      return patchHtml(block.removed, block.added, block.more);
    case "plot":
      return plotHtml(block.plot);
    case "comparison":
      return comparisonHtml();
    case "runs":
      return html`<div id="runs"><p class="empty">The timeline needs script; <code>spoor show</code> prints it too.</p></div>`;
    case "closing":
      return html`${isEmpty(block.text) ? "" : html`<p class="why">${inline(block.text!)}</p>`}${(block.next ?? []).map(
        (command) => html`<p class="next">Next: <code>${typedCommand(command, ANYWHERE)}</code></p>`,
      )}`;
  }
}

/** Wider ones scroll on a phone, where their letters would shrink to nothing. */
const NARROW_PLOT = 400;

function plotHtml(plot: Plot): Html {
  if (plot.width <= NARROW_PLOT) return html`<div class="plot narrow">${svgOf(plot)}</div>`;
  return html`<div class="plot" role="group" tabindex="0" aria-label="${plot.title}">${svgOf(plot)}</div>`;
}

/** Lines that keep their breaks; each was made harmless by the writer that laid them out. */
function linesHtml(lines: readonly string[]): string {
  return lines.map((line) => html`${line}`.text).join("\n");
}

const STATUS: Readonly<Record<Mark, readonly [symbol: string, tone: string, word: string]>> = {
  passed: ["✓", "ok", "passed"],
  failed: ["✗", "bad", "failed"],
  warning: ["!", "warn", "warning"],
  unknown: ["?", "muted", "not evaluated"],
};

/** The first screen: the consequence, where it begins, and the few facts that support it. */
function verdictHtml({ mark, word, headline, detail, beside, links = [], facts = [], patch }: Verdict): Html {
  const said = sentences(detail, beside);
  const [symbol, , plain] = STATUS[mark];
  const aside =
    facts.length === 0 && patch === undefined
      ? ""
      : html`<div class="facts"><dl>${facts.map(factHtml)}</dl>${patch === undefined ? "" : patchHtml(patch.removed, patch.added, patch.more)}</div>`;
  return html`<section class="verdict${aside === "" ? " alone" : ""}" aria-labelledby="verdict-title">
  <div>
    <p><span class="status ${mark}"><span aria-hidden="true">${symbol}</span>${word ?? plain.charAt(0).toUpperCase() + plain.slice(1)}</span></p>
    <h1 id="verdict-title">${inline(word === undefined ? headline : capitalised(headline))}</h1>
    ${isEmpty(said) ? "" : html`<p class="lede">${inline(said)}</p>`}
    ${links.length === 0 ? "" : html`<p class="go">${links.map((to, index) => html`<a${index === 0 ? trusted(' class="btn"') : ""} href="${placeAddress(to)}">${inline(to.text)}</a> `)}</p>`}
  </div>
  ${aside}
</section>`;
}

/** A sentence that goes on after a word elsewhere begins anew here; names stay as they are written. */
function factHtml({ label, text, note }: Fact): Html {
  return html`<dt>${label}</dt><dd>${inline(text)}${isEmpty(note) ? "" : html` <small>${inline(note!)}</small>`}</dd>`;
}

function sectionHtml({ id, title, sub, blocks }: Section, depth: number): Html {
  const inner = blocksHtml(blocks, depth + 1);
  const level = depth === 0 ? "h2" : "h3";
  const heading = isEmpty(title)
    ? ""
    : html`<${trusted(level)}${id === undefined ? "" : html` id="${id}-title"`}>${inline(title)}</${trusted(level)}>`;
  const subline = isEmpty(sub) ? "" : html`<p class="sub">${inline(sub!)}</p>`;
  return id === undefined
    ? html`<section class="block">${heading}${subline}${inner}</section>`
    : html`<section class="block" id="${id}" aria-labelledby="${id}-title">${heading}${subline}${inner}</section>`;
}

function tableHtml(table: Table): Html {
  const shown = table.columns.flatMap((column, index) =>
    column.only === undefined || column.only.includes("html") ? [index] : [],
  );
  const hasBars = table.rows.some((row) => row.cells.some((cell) => !isText(cell) && cell.kind === "bar"));
  const heads = shown.map((index) => {
    const { title, align } = table.columns[index]!;
    const isBar = table.rows.some((row) => isBarCell(row.cells[index]));
    if (isBar) return html`<th scope="col" class="chart scale">${chartHead()}</th>`;
    // A header without words would be read as nothing at all.
    if (title === "") return html`<td></td>`;
    return html`<th scope="col"${align === "right" ? trusted(' class="num"') : ""}>${title}</th>`;
  });
  const texts = shown.filter((index, position) => position > 0 && table.columns[index]!.align !== "right").length;
  const gridClass = hasBars ? "grid axes" : texts > 1 ? "grid wide" : "grid";
  const label = table.caption ?? "Table";
  const hasTitles = shown.some((index) => table.columns[index]!.title !== "");
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${label}"><table class="${gridClass}">${hasTitles ? html`<thead><tr>${heads}</tr></thead>` : ""}
    <tbody>${table.rows.map((row) => rowHtml(row, shown, table))}</tbody></table></div>${moreHtml(table.more)}`;
}

function isBarCell(cell: Cell | undefined): boolean {
  return cell !== undefined && !isText(cell) && cell.kind === "bar";
}

function rowHtml(row: Row, shown: readonly number[], table: Table): Html {
  const cells = shown
    .filter((index) => index < row.cells.length)
    .map((index, position) => {
      const { title } = table.columns[index]!;
      const cell = row.cells[index]!;
      const value = cellHtml(cell);
      const kind = cellClass(cell, table.columns[index]!, position === 0);
      const marked = kind === "" ? "" : html` class="${kind}"`;
      if (position === 0 && !(isText(cell) && isEmpty(cell))) return html`<th scope="row"${marked}>${value}</th>`;
      return html`<td${marked} data-title="${title}">${value}</td>`;
    });
  if (row.rest !== undefined || cells.length < shown.length)
    cells.push(
      html`<td class="void" colspan="${Math.max(1, shown.length - cells.length)}">${inline(row.rest ?? [])}</td>`,
    );
  return html`<tr${row.tone === "bad" ? trusted(' class="hit"') : ""}>${cells}</tr>`;
}

/** What fits the least width of its column stays on one line. */
function cellClass(cell: Cell, { align, min = 0 }: Column, isHead: boolean): string {
  const isKept = isText(cell) && plainText(cell).length <= min;
  if (isHead) return isKept ? "keep" : "";
  if (isBarCell(cell)) return "chart";
  if (align === "right") return "num";
  return isKept ? "keep" : !isText(cell) && cell.kind === "stack" ? "tall" : "";
}

function isText(cell: Cell): cell is Text {
  return Array.isArray(cell);
}

function cellHtml(cell: Cell): Html | Html[] {
  if (isText(cell)) return inline(cell);
  if (cell.kind === "stack")
    return cell.texts.map((text, index) => html`${index === 0 ? "" : trusted("<br>")}${inline(text)}`);
  return cell.kind === "bar"
    ? chart(cell)
    : html`<span class="spark" aria-hidden="true">${sparkline(cell.values, false)}</span>`;
}

function moreHtml(more: Text | undefined): Html {
  return more === undefined ? html`` : html`<p class="why">${inline(more)}</p>`;
}

function findingHtml({ mark, cells, right, body = [] }: Finding, depth: number): Html {
  const [symbol, tone, word] = mark === undefined ? ["", "", ""] : STATUS[mark];
  const shownMark =
    mark === undefined
      ? ""
      : html`<span class="mark ${tone}"><span aria-hidden="true">${symbol}</span><span class="vh">${word} </span></span>`;
  return html`<li><div class="h">${shownMark}${cells.map((cell) => html`<span class="cell">${inline(cell)}</span>`)}${isEmpty(right) ? "" : html`<span class="at">${inline(right!)}</span>`}</div>${blocksHtml(body, depth + 1)}</li>`;
}

const STEPS = 40;

function pathHtml(steps: readonly { readonly step: string; readonly side: "both" | "known" | "now" }[]): Html[] {
  const parts = steps.slice(0, STEPS).map(({ step, side }) => {
    if (side === "both") return html`<b>${step}</b>`;
    return side === "known"
      ? html`<b class="gap"><span class="vh">skipped: </span>${step}</b>`
      : html`<b class="new"><span class="vh">new: </span>${step}</b>`;
  });
  if (steps.length > STEPS) parts.push(html`<b>… ${steps.length - STEPS} more</b>`);
  return parts.flatMap((part, index) => (index === 0 ? [part] : [html`<i></i>`, part]));
}

function patchHtml(removed: readonly string[], added: readonly string[], more: number): Html {
  return html`<div class="patch">${removed.map((line) => html`<del><b>-</b><span>${line}</span></del>`)}${added.map(
    (line) => html`<ins><b>+</b><span>${line}</span></ins>`,
  )}${more > 0 ? html`<span><b></b><span>${count(more, "more line")}</span></span>` : ""}</div>`;
}

function comparisonHtml(): Html {
  return html`<div id="timeline"><p class="empty">The timeline needs script. Everything else on this page does not; <code>spoor diff</code> prints the timeline too.</p></div>`;
}
