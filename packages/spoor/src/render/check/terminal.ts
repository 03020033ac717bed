/** A check on the terminal: the consequence, each rule with its places, the counts, the next command. */
import type { CheckReport, RuleReport } from "@spoor/core/policy/check-report";
import { printable } from "../../document/printable.ts";
import { columnsOf, cut, hang, padEnd, wrap } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import {
  type CheckView,
  distinctViolations,
  lookedAt,
  nextCommand,
  notesOf,
  placeOf,
  totalsSentence,
  verdictSentence,
  whatHappened,
} from "./words.ts";

const MAX_PLACES = 10;
/** Two lines for one place, and no more. */
const MAX_PLACE_COLUMNS = 140;
/** Where the column on the right begins: file and line of the rule, or what it looked at. */
const RIGHT = 52;

export function renderCheckTerminal(report: CheckReport, view: CheckView, style: TerminalStyle): string {
  const { symbols, paint, columns } = style;
  const broken = report.rules.filter((rule) => rule.status === "failed");
  const severe = broken.some((rule) => rule.severity === "severe");
  const judged = report.rules.some((rule) => rule.status !== "not_evaluated");
  const held = judged ? paint.good(symbols.passed) : paint.dim(symbols.unknown);
  const bad = severe ? paint.bad(symbols.failed) : paint.warn(symbols.warning);
  const mark = broken.length > 0 ? bad : held;
  const blocks = report.rules.map((rule) => renderRule(rule, report, view, style));
  const lines = [hang(`${mark} `, printable(verdictSentence(report, view)), columns), ""];
  for (const warning of report.policy.warnings) {
    const place = `${report.policy.file ?? "policy"}:${warning.at.line ?? 1}:${warning.at.column ?? 1}`;
    lines.push(hang(`  ${paint.warn(symbols.warning)} `, printable(`${place} ${warning.message}`), columns));
  }
  lines.push(...blocks, "");
  lines.push(...wrap(totalsSentence(report, view), columns - 2).map((line) => `  ${line}`));
  const next = nextCommand(report);
  const tail = `exit code ${view.exitCode}`;
  const left = next === undefined ? "  " : `  Next: ${printable(next)}`;
  const room = columns - columnsOf(left) - tail.length;
  lines.push(room >= 2 ? `${left}${" ".repeat(room)}${paint.dim(tail)}` : `${left}\n  ${paint.dim(tail)}`);
  return `${lines.join("\n")}\n`;
}

function renderRule(rule: RuleReport, report: CheckReport, view: CheckView, style: TerminalStyle): string {
  const lines = [renderHead(rule, report, view, style)];
  const paragraph = (text: string) =>
    lines.push(...wrap(printable(text), style.columns - 6).map((line) => `      ${line}`));
  if (rule.description !== "" && (rule.status === "failed" || view.verbose)) paragraph(rule.description);
  if (view.verbose) paragraph(rule.explanation);
  if (rule.status === "failed") renderPlaces(rule, report, style, lines);
  for (const note of notesOf(rule.violations)) paragraph(note);
  for (const { reason, until, ...violation } of rule.excused.slice(0, MAX_PLACES)) {
    paragraph(`excused until ${until}: ${placeOf(violation, report)}  ${whatHappened(violation)} (${reason})`);
  }
  for (const why of new Set(rule.notEvaluated.map((one) => one.why))) {
    const traces = rule.notEvaluated.filter((one) => one.why === why);
    const where = report.traces.length > 1 ? ` (${traces.length} of ${report.traces.length} ${view.noun}s)` : "";
    paragraph(`not evaluated: ${why}${where}`);
  }
  for (const { until, reason } of rule.expired)
    paragraph(`an exception ended on ${until} and no longer applies: ${reason}`);
  return lines.join("\n");
}

function renderHead(rule: RuleReport, report: CheckReport, view: CheckView, style: TerminalStyle): string {
  const { mark, word } = markOf(rule, style);
  const place = rule.at.file === undefined ? "" : `${rule.at.file}:${rule.at.line ?? 1}:${rule.at.column ?? 1}`;
  const right = printable(rule.status === "failed" ? place : lookedAt(rule, report, view));
  const symbolWidth = style.ascii ? 2 : 1;
  const left = `  ${mark}${" ".repeat(Math.max(0, symbolWidth - columnsOf(mark)))} ${padEnd(word, 8)} `;
  const id = printable(rule.id);
  const start = Math.max(columnsOf(left) + columnsOf(id) + 2, Math.min(RIGHT, style.columns - columnsOf(right)));
  if (start + columnsOf(right) <= style.columns) return `${padEnd(left + id, start)}${style.paint.dim(right)}`;
  return `${left}${id}\n      ${style.paint.dim(right)}`;
}

function markOf(rule: RuleReport, { symbols, paint }: TerminalStyle): { mark: string; word: string } {
  switch (rule.status) {
    case "failed":
      if (rule.severity === "minor") return { mark: paint.dim(symbols.warning), word: "info" };
      if (rule.severity === "moderate") return { mark: paint.warn(symbols.warning), word: "warning" };
      return { mark: paint.bad(symbols.failed), word: "error" };
    case "passed":
      return rule.reason === "excused"
        ? { mark: paint.warn(symbols.warning), word: "excused" }
        : { mark: paint.good(symbols.passed), word: "passed" };
    case "not_evaluated":
      return { mark: paint.dim(symbols.unknown), word: rule.reason === "not_applicable" ? "idle" : "unknown" };
  }
}

function renderPlaces(rule: RuleReport, report: CheckReport, style: TerminalStyle, lines: string[]): void {
  const violations = distinctViolations(rule);
  for (const violation of violations.slice(0, MAX_PLACES)) {
    const line = `${placeOf(violation, report)}  ${whatHappened(violation)}`;
    lines.push(hang("      ", cut(printable(line), MAX_PLACE_COLUMNS, style.symbols.ellipsis), style.columns));
  }
  if (violations.length > MAX_PLACES)
    lines.push(`      ${style.symbols.ellipsis} ${violations.length - MAX_PLACES} more`);
}
