/** The summary that replaces the live view: the consequence, the cases that need attention, rates, totals, what to do next. */
import type { CaseReport, EvalReport } from "@spoor/core/evals/eval-report";
import { printable } from "../../document/printable.ts";
import { columnsOf, cut, hang, padEnd, wrap } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import {
  caseName,
  nextCommand,
  type Outcome,
  powerSentence,
  rateSentence,
  reading,
  reasonSentences,
  share,
  shareOf,
  silenceSentences,
  totalsSentence,
  verdict,
} from "./sentences.ts";

export interface EvalTerminalOptions {
  readonly exitCode?: number;
  readonly verbose?: boolean;
}

export function renderEvalTerminal(
  report: EvalReport,
  style: TerminalStyle,
  options: EvalTerminalOptions = {},
): string {
  const { outcome, text } = verdict(report);
  const lines = [hang(`${symbol(outcome, style)} `, printable(text), style.columns)];
  const calm = outcome === "passed" && options.verbose !== true;
  if (!calm) lines.push("", ...renderTable(report, style, options.verbose === true));
  const notes = [
    ...(calm ? [] : [rateSentence(report)]),
    ...(calm ? [] : [powerSentence(report)]),
    ...(calm ? [] : cutReasons(reasonSentences(report), options.verbose === true)),
    ...silenceSentences(report),
    totalsSentence(report),
  ];
  for (const note of notes) if (note !== undefined) lines.push(indent(printable(note), style));
  lines.push(resultsLine(report, style, options.exitCode));
  const next = nextCommand(report);
  if (next !== undefined) lines.push(`  Next: ${next}`);
  return `${lines.join("\n")}\n`;
}

const REASONS_SHOWN = 5;

function cutReasons(reasons: readonly string[], verbose: boolean): string[] {
  if (verbose || reasons.length <= REASONS_SHOWN) return [...reasons];
  return [...reasons.slice(0, REASONS_SHOWN), `and ${reasons.length - REASONS_SHOWN} more reasons: --verbose`];
}

function renderTable(report: EvalReport, style: TerminalStyle, verbose: boolean): string[] {
  const isNotable = (entry: CaseReport) =>
    verbose || reading(entry).outcome !== "passed" || entry.reading.comparison?.change === "better";
  const notable = report.cases.filter(isNotable);
  const steady = report.cases.filter((entry) => !isNotable(entry));
  const compares = report.against !== undefined;
  const rows = notable.map((entry) => ({
    name: printable(caseName(report, entry)),
    now: entry.runs.length === 0 ? "-" : share(entry),
    before: entry.reading.comparison === undefined ? "-" : shareOf(entry.reading.comparison.stored),
    reading: reading(entry),
  }));
  if (steady.length > 0) {
    rows.push({
      name: `${steady.length} ${notable.length === 0 ? "" : "other "}${steady.length === 1 ? "case" : "cases"}`,
      now: common(steady.map(share)),
      before: common(
        steady.map((entry) =>
          entry.reading.comparison === undefined ? "-" : shareOf(entry.reading.comparison.stored),
        ),
      ),
      reading: reading(steady[0]!),
    });
  }
  const label = cut(printable(report.against?.label ?? ""), 14, style.symbols.ellipsis);
  const nameWidth = Math.min(32, Math.max(4, ...rows.map((row) => columnsOf(row.name))));
  const nowWidth = Math.max(3, ...rows.map((row) => columnsOf(row.now)));
  const beforeWidth = compares ? Math.max(columnsOf(label), ...rows.map((row) => columnsOf(row.before))) : 0;
  const columns = (name: string, now: string, before: string) =>
    `  ${padEnd(cut(name, nameWidth, style.symbols.ellipsis), nameWidth)}  ${padEnd(now, nowWidth)}  ${compares ? `${padEnd(before, beforeWidth)}  ` : ""}`;
  const head = `${columns("case", "now", label)}reading`;
  return [
    style.paint.dim(head),
    ...rows.map((row) => {
      const before = columns(row.name, row.now, row.before);
      const mark = `${symbol(row.reading.outcome, style)} `;
      const room = style.columns - columnsOf(before) - columnsOf(mark);
      const [first = ""] = wrap(row.reading.text, room);
      const rest =
        row.reading.text.length > first.length ? wrap(row.reading.text.slice(first.length + 1), room - 2) : [];
      const hanging = " ".repeat(columnsOf(before) + columnsOf(mark) + 2);
      return [before + mark + first, ...rest.map((line) => hanging + line)].join("\n");
    }),
  ];
}

function common(values: readonly string[]): string {
  return new Set(values).size === 1 ? values[0]! : "all";
}

function symbol(outcome: Outcome, { symbols, paint }: TerminalStyle): string {
  if (outcome === "passed") return paint.good(symbols.passed);
  if (outcome === "failed") return paint.bad(symbols.failed);
  return outcome === "warning" ? paint.warn(symbols.warning) : paint.dim(symbols.unknown);
}

function indent(text: string, style: TerminalStyle): string {
  return wrap(text, style.columns - 2)
    .map((line) => `  ${line}`)
    .join("\n");
}

function resultsLine(report: EvalReport, style: TerminalStyle, exitCode: number | undefined): string {
  const left = report.resultsFile === undefined ? "" : `  Results: ${printable(report.resultsFile)}`;
  if (exitCode === undefined) return left;
  const right = `exit code ${exitCode}`;
  const gap = style.columns - columnsOf(left) - columnsOf(right) - 1;
  return gap >= 2
    ? `${left}${" ".repeat(gap)}${style.paint.dim(right)}`
    : `${left}\n${" ".repeat(Math.max(2, style.columns - right.length - 1))}${style.paint.dim(right)}`;
}
