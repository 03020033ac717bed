/** The gate on a terminal: the consequence, one line per lens, what went in, what was not evaluated, what to do next. */
import type { CheckStatus, GateReport } from "@spoor/core/gate/gate-report";
import { printable } from "../../document/printable.ts";
import { shellWord } from "../../document/shell-word.ts";
import { list } from "../../document/words.ts";
import { columnsOf, cut, hang, padEnd } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { goingInSentence } from "../diff/sentences.ts";
import { beginsText, gateSentence, reasonsSentence, statusWord } from "./words.ts";

export interface GateView {
  readonly exitCode: number;
  /** Where the HTML report was written. */
  readonly htmlPath?: string;
}

export function renderGateTerminal(report: GateReport, view: GateView, style: TerminalStyle): string {
  const { paint } = style;
  const word = statusWord(report);
  const sentence = gateSentence(report, printable);
  const mark = symbolOf(report.status === "blocked" ? "failed" : report.status, style);
  const lines = [hang(`${mark} `, word === "" ? sentence : `${word}: ${sentence}`, style.columns), ""];
  lines.push(...lensTable(report, style));
  const diff = report.reports.diff;
  if (diff !== undefined && diff.goingIn.compared > 0) {
    lines.push("", hang("  Going in       ", goingInSentence(diff.goingIn), style.columns));
  }
  const missing = report.coverage.notEvaluated;
  if (missing.length > 0) {
    const names = missing.map(({ what, why }) => `${what} (${why.replace(/^(no data|not run): /, "")})`);
    lines.push(hang("  Not evaluated  ", printable(list(names)), style.columns));
  }
  const reasons = reasonsSentence(report);
  const tail = `exit code ${view.exitCode}`;
  const last = reasons === "" ? "" : `${report.mode === "warn" ? "Would be blocked" : "Blocked"}: ${reasons}.`;
  const room = style.columns - 2 - columnsOf(last) - columnsOf(tail);
  lines.push("");
  if (room >= 2) lines.push(`  ${last}${" ".repeat(room)}${paint.dim(tail)}`);
  else lines.push(hang("  ", last, style.columns), `  ${paint.dim(tail)}`);
  if (report.mode === "warn" && report.gate.reasons.length > 0) {
    lines.push("  The configuration says mode: warn, so this does not block.");
  }
  if (view.htmlPath !== undefined) lines.push(`  The whole story: ${printable(view.htmlPath)}`);
  const next = nextCommand(report);
  if (next !== undefined) lines.push(`  Next: ${next}`);
  return `${lines.join("\n")}\n`;
}

function lensTable(report: GateReport, style: TerminalStyle): string[] {
  const begins = report.lenses.map((result) => beginsText(result, printable));
  const beginsWidth = Math.min(28, Math.max(0, ...begins.map(columnsOf)));
  const room = style.columns - 2 - 12 - 3 - (beginsWidth > 0 ? beginsWidth + 2 : 0);
  return report.lenses.map((result, index) => {
    const mark = symbolOf(result.status, style);
    const summary = cut(printable(result.summary), room, style.symbols.ellipsis);
    const place =
      begins[index] === "" ? "" : `  ${style.paint.dim(cut(begins[index]!, beginsWidth, style.symbols.ellipsis))}`;
    return `  ${padEnd(result.lens, 12)}${padEnd(mark, 3)}${place === "" ? summary : padEnd(summary, room)}${place}`;
  });
}

function symbolOf(status: CheckStatus, { symbols, paint }: TerminalStyle): string {
  switch (status) {
    case "passed":
      return paint.good(symbols.passed);
    case "warned":
      return paint.warn(symbols.warning);
    case "failed":
      return paint.bad(symbols.failed);
    case "not_evaluated":
      return paint.dim(symbols.unknown);
  }
}

/** Shows the first finding with its turn. */
function nextCommand(report: GateReport): string | undefined {
  const begins = report.lenses.find(
    (result) => result.status === "failed" && result.begins?.path !== undefined,
  )?.begins;
  if (begins?.path === undefined) return undefined;
  const entry = begins.entry === undefined ? "" : ` --trace ${shellWord(begins.entry)}`;
  return `spoor show ${shellWord(begins.path)}${entry}${begins.turnIndex === undefined ? "" : ` --turn ${begins.turnIndex + 1}`}`;
}
