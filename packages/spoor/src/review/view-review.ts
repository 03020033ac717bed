/** The review as lines of a screen: as many as fit, none wider than it is. Trace text passes through the writers alone. */

import { printable } from "@spoor/core/internal/text/printable";
import {
  DECISION_WORDS,
  REVIEW_KEYS,
  RUN_KEYS,
  reviewCardBlocks,
  reviewHeadline,
  reviewHelp,
  reviewNotice,
  reviewQuestion,
  reviewRunBlocks,
  reviewTitle,
} from "../describe/review.ts";
import type { Block, Text } from "../document/document.ts";
import { say, styled, symbol } from "../document/text.ts";
import { count } from "../document/words.ts";
import { toAscii } from "../write/terminal/ascii.ts";
import { cutLine } from "../write/terminal/inline.ts";
import { columnsOf, cut, padEnd } from "../write/terminal/layout.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import { blockLines } from "../write/terminal/write-terminal.ts";
import type { ReviewMaterial } from "./review-cards.ts";
import { blockingRules, type Extent, pendingItems, type ReviewState, visibleItems } from "./review-state.ts";

export interface ReviewView extends Extent {
  readonly lines: readonly string[];
}

/** The head and an empty line, an empty line, what is asked, and the keys. */
const FRAME_ROWS = 5;

export function viewReview(
  state: ReviewState,
  material: ReviewMaterial,
  style: TerminalStyle,
  rows: number,
): ReviewView {
  const room = Math.max(1, rows - FRAME_ROWS);
  const { lines: body, title } = bodyOf(state, material, style);
  const furthest = Math.max(0, body.length - room);
  const from = Math.min(Math.max(0, title - 1), furthest);
  const top = Math.min(from + state.scroll, furthest);
  const shown = body.slice(top, top + room);
  const more = body.length - top - shown.length;
  const frame = [
    cutLine(reviewHeadline(material.agent, state.decisions), style.columns, style),
    "",
    ...shown,
    ...Array.from({ length: room - shown.length }, () => ""),
    more > 0 ? style.paint.dim(`  ${style.symbols.ellipsis} ${count(more, "more line")}, PgDn`) : "",
    askLine(state, style),
    keysLine(state, style),
  ];
  // A screen lower than its frame keeps what can be answered.
  const kept = rows < FRAME_ROWS + 1 ? frame.slice(-Math.max(1, rows)) : frame;
  return { lines: kept.map((line) => fitted(line, style)), rows: room, most: furthest - from };
}

function fitted(line: string, style: TerminalStyle): string {
  const plain = style.ascii ? toAscii(line) : line;
  if (columnsOf(plain) <= style.columns) return plain;
  return cut(plain.replace(/\u001b\[[0-9;]*m/g, ""), style.columns, style.symbols.ellipsis);
}

interface Body {
  readonly lines: readonly string[];
  /** The line that stays to be seen. */
  readonly title: number;
}

function bodyOf(state: ReviewState, material: ReviewMaterial, style: TerminalStyle): Body {
  const card = material.cards[state.at]!;
  if (state.screen === "help") return { lines: linesOf(reviewHelp(), 2, style), title: 0 };
  const run = () => material.runOf(state.at, state.run);
  if (state.screen === "run") return { lines: linesOf(reviewRunBlocks(card, run(), state.run), 2, style), title: 0 };
  const lines: string[] = [];
  let title = 0;
  for (const at of visibleItems(state)) {
    const selected = at === state.at;
    if (selected) title = lines.length;
    lines.push(titleLine(state, material, at, style));
    if (!selected || state.folded) continue;
    lines.push(...linesOf(reviewCardBlocks(material.cards[at]!, material.runOf(at, 0)), 4, style), "");
  }
  return { lines, title };
}

function linesOf(blocks: readonly Block[], indent: number, style: TerminalStyle): string[] {
  return blocks.flatMap((block, index) => {
    const lines = blockLines(block, indent, style);
    return index > 0 && lines.length > 0 && block.kind !== "side_by_side" ? ["", ...lines] : lines;
  });
}

function titleLine(state: ReviewState, { cards, noun }: ReviewMaterial, at: number, style: TerminalStyle): string {
  const card = cards[at]!;
  const decision = state.decisions[at];
  const selected = at === state.at;
  const head = say`${selected ? ">" : " "} ${symbol(card.blocks ? "failed" : "warning")} ${card.number}  `;
  const title: Text = selected ? [styled("strong", reviewTitle(card))] : reviewTitle(card);
  const right = `${count(card.runs.length, noun)}${decision === undefined ? "" : `  ${DECISION_WORDS[decision]}`}`;
  const shown = cut(printable(right), Math.floor(style.columns / 2), style.symbols.ellipsis);
  const room = style.columns - columnsOf(shown) - 2;
  return `${padEnd(cutLine([...head, ...title], room, style), room)}  ${shown}`;
}

function askLine(state: ReviewState, style: TerminalStyle): string {
  const { screen, notice, typed } = state;
  const asks = screen === "quit" || screen === "rules" || screen === "reason" || screen === "filter";
  if (notice !== undefined && !asks) return cutLine([styled("warn", reviewNotice(notice))], style.columns, style);
  if (!asks)
    return state.filter === ""
      ? ""
      : cutLine([`Only cards with: ${state.filter} (Esc shows all)`], style.columns, style);
  const question = reviewQuestion(screen, pendingItems(state).length, blockingRules(state));
  if (screen === "quit" || screen === "rules") return cutLine([styled("strong", question)], style.columns, style);
  const warned = notice === undefined ? question : [...reviewNotice(notice), " ", ...question];
  const words = cutLine([styled("strong", warned)], style.columns - 2, style);
  // The end of what is typed is what one wants to see.
  let tail = printable(typed);
  while (tail !== "" && columnsOf(words) + columnsOf(tail) + 1 > style.columns) tail = [...tail].slice(1).join("");
  return `${words}${tail}_`;
}

function keysLine({ screen }: ReviewState, style: TerminalStyle): string {
  const keys = screen === "run" ? RUN_KEYS : screen === "cards" ? REVIEW_KEYS : [];
  let line = "";
  for (const [key, does] of keys) {
    const next = `${line === "" ? "" : `${line}  `}${key} ${does}`;
    if (columnsOf(next) > style.columns) break;
    line = next;
  }
  return style.paint.dim(line);
}
