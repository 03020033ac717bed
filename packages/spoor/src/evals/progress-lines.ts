/** The live view of runs: one line per case, one mark per run, a line of totals. Pure: state in, text out. */

import { printable } from "@spoor/core/internal/text/printable";
import { count, dollars, duration, integer, tokens } from "../document/words.ts";
import { columnsOf, cut, padEnd } from "../write/terminal/layout.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";

export type RunMark = "passed" | "failed" | "lost" | "running" | "waiting";

export interface ProgressState {
  /** What is run, by how many, how often. */
  readonly head: readonly string[];
  /** What is said of runs that ended well, and of the others. */
  readonly words: { readonly passed: string; readonly failed: string };
  readonly cases: readonly CaseProgress[];
  readonly elapsedMs: number;
  /** Runs that were already done when this invocation began. */
  readonly resumed: number;
  readonly tokens?: number;
  readonly costUsd?: number;
}

export interface CaseProgress {
  readonly name: string;
  readonly marks: readonly RunMark[];
  /** What the latest running run does, and for how long. */
  readonly activity?: { readonly text: string; readonly forMs: number };
}

/** At most `maxRows` lines, so that the view can be redrawn in place: finished cases are the first to be folded away. */
export function renderProgress(state: ProgressState, style: TerminalStyle, maxRows = 24): string {
  const head = state.head.map(printable).join("   ");
  const totals = renderTotals(state, style);
  const rows = chooseRows(state.cases, Math.max(1, maxRows - 4 - totals.split("\n").length));
  const nameWidth = Math.min(30, Math.max(...rows.shown.map((row) => columnsOf(printable(row.name)))));
  const markWidth = Math.max(...rows.shown.map((row) => row.marks.length));
  const lines = rows.shown.map((row) => renderCase(row, nameWidth, markWidth, style));
  const folded = rows.folded === 0 ? [] : [style.paint.dim(`  ${style.symbols.ellipsis} ${rows.folded} more`)];
  return [cut(head, style.columns, style.symbols.ellipsis), "", ...lines, ...folded, "", totals, ""].join("\n");
}

function chooseRows(cases: readonly CaseProgress[], room: number): { shown: readonly CaseProgress[]; folded: number } {
  if (cases.length <= room) return { shown: cases, folded: 0 };
  const rank = (row: CaseProgress) =>
    row.marks.includes("running") ? 0 : row.marks.includes("failed") ? 1 : row.marks.includes("waiting") ? 2 : 3;
  const kept = new Set([...cases].sort((left, right) => rank(left) - rank(right)).slice(0, room - 1));
  return { shown: cases.filter((row) => kept.has(row)), folded: cases.length - kept.size };
}

function renderCase(row: CaseProgress, nameWidth: number, markWidth: number, style: TerminalStyle): string {
  const { symbols, paint } = style;
  const name = padEnd(cut(printable(row.name), nameWidth, symbols.ellipsis), nameWidth);
  const counts = { passed: 0, failed: 0 };
  const shown = row.marks.length > MARKS_SHOWN ? row.marks.slice(-MARKS_SHOWN) : row.marks;
  for (const mark of row.marks) if (mark === "passed" || mark === "failed") counts[mark]++;
  const finished = counts.passed + counts.failed;
  const marks = shown.map((mark) => paintMark(mark, symbols.run[mark], paint)).join("");
  const share = finished === 0 ? "" : `${integer(counts.passed)} of ${integer(finished)}`;
  const activity = row.activity === undefined ? "" : `${printable(row.activity.text)}, ${duration(row.activity.forMs)}`;
  const marksColumns = Math.min(markWidth, MARKS_SHOWN);
  const before = `  ${name}  ${marks}${" ".repeat(Math.max(0, marksColumns - shown.length))}  ${padEnd(share, 9)}`;
  const room = style.columns - columnsOf(before);
  return (before + (room > 8 ? paint.dim(cut(activity, room, symbols.ellipsis)) : "")).trimEnd();
}

const MARKS_SHOWN = 20;

function paintMark(mark: RunMark, symbol: string, paint: TerminalStyle["paint"]): string {
  if (mark === "passed") return paint.good(symbol);
  if (mark === "failed") return paint.bad(symbol);
  if (mark === "lost") return paint.warn(symbol);
  return mark === "running" ? symbol : paint.dim(symbol);
}

function renderTotals(state: ProgressState, style: TerminalStyle): string {
  const marks = state.cases.flatMap((row) => row.marks);
  const passed = marks.filter((mark) => mark === "passed").length;
  const failed = marks.filter((mark) => mark === "failed").length;
  const lost = marks.filter((mark) => mark === "lost").length;
  const done = passed + failed + lost;
  const fresh = done - state.resumed;
  const left =
    fresh > 0 && done < marks.length
      ? `, about ${duration((state.elapsedMs / fresh) * (marks.length - done))} left`
      : "";
  const parts = [
    `${integer(done)} of ${integer(marks.length)} runs`,
    `${integer(passed)} ${state.words.passed}, ${integer(failed)} ${state.words.failed}${lost === 0 ? "" : `, ${count(lost, "outage")}`}`,
    `${duration(state.elapsedMs)}${left}`,
  ];
  const spent = [
    ...(state.tokens === undefined ? [] : [tokens(state.tokens)]),
    ...(state.costUsd === undefined ? [] : [dollars(state.costUsd)]),
  ];
  const whole = [...parts, ...spent].join("   ");
  const lines = columnsOf(whole) + 2 <= style.columns ? [whole] : [parts.join("   "), spent.join("   ")];
  return lines.map((line) => cut(`  ${line}`, style.columns, style.symbols.ellipsis)).join("\n");
}
