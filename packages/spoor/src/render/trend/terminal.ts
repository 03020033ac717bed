/** A trend on the terminal: the consequence, a sparkline per measure, each point, what changed between them. */
import type { TrendReport } from "@spoor/core/fingerprint/trend";
import { printable } from "../../document/printable.ts";
import { count, integer, list, percent } from "../../document/words.ts";
import { columnsOf, cut, hang, padEnd, padStart, wrap } from "../../write/terminal/layout.ts";
import { sparkline } from "../../write/terminal/sparkline.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { assumptionWords, detectorWords, measureValue, responsesWords, trendSentence } from "./words.ts";

const MOST_POINTS = 20;
const LONGEST_SPARK = 24;

export function renderTrendTerminal(report: TrendReport, style: TerminalStyle): string {
  const { symbols, paint } = style;
  const { trend } = report;
  const mark = report.gate.tripped
    ? paint.bad(symbols.failed)
    : trend.points.length < 2
      ? paint.dim(symbols.unknown)
      : paint.good(symbols.passed);
  const changed = trend.changes.some((change) => change.newTools.length > 0 || change.lostTools.length > 0);
  const drifted = trend.measures.some((measure) => measure.detector.state === "drift");
  const shown = !report.gate.tripped && (changed || drifted) ? paint.warn(symbols.warning) : mark;
  const lines = [hang(`${shown} `, printable(trendSentence(report, plain)), style.columns), ""];
  lines.push(...measureRows(report, style), "", ...pointRows(report, style));
  for (const change of trend.changes.slice(-MOST_POINTS)) lines.push(...changeLines(change, style));
  lines.push(...wrap(printable(responsesWords(report)), style.columns - 2).map((line) => `  ${line}`));
  const assumed = wrap(printable(assumptionWords(report)), style.columns - 2);
  lines.push(...assumed.map((line) => `  ${style.paint.dim(line)}`));
  return `${lines.join("\n")}\n`;
}

const plain = (name: string) => name;

function measureRows(report: TrendReport, style: TerminalStyle): string[] {
  const { measures, points } = report.trend;
  const width = Math.min(LONGEST_SPARK, points.length);
  const lines = [
    style.paint.dim(
      `  ${padEnd("measure", 18)}  ${padStart("first", 9)}  ${padStart("last", 9)}  ${padEnd("trend", Math.max(5, width))}  reading`,
    ),
  ];
  for (const measure of measures) {
    const spark = sparkline(measure.values.slice(-LONGEST_SPARK), style.ascii);
    const first = measureValue(measure, measure.values[0] ?? null);
    const last = measureValue(measure, measure.values.at(-1) ?? null);
    const prefix = `  ${padEnd(measure.label, 18)}  ${padStart(first, 9)}  ${padStart(last, 9)}  ${padEnd(spark, Math.max(5, width))}  `;
    lines.push(hang(prefix, printable(detectorWords(measure, plain)), style.columns));
  }
  return lines;
}

function pointRows(report: TrendReport, style: TerminalStyle): string[] {
  const { points } = report.trend;
  const shown = points.slice(-MOST_POINTS);
  const width = Math.min(32, Math.max(5, ...shown.map((point) => columnsOf(printable(point.name)))));
  const lines = [style.paint.dim(`  ${padEnd("point", width)}  runs  behaviours  families  known paths  models`)];
  for (const point of shown) {
    const known = point.knownPaths === null ? "-" : percent(point.knownPaths);
    const prefix = `  ${padEnd(cut(printable(point.name), width, style.symbols.ellipsis), width)}  ${padStart(integer(point.runs), 4)}  ${padStart(integer(point.intents), 10)}  ${padStart(integer(point.families), 8)}  ${padStart(known, 11)}  `;
    lines.push(
      prefix +
        cut(printable(list(point.models)), Math.max(8, style.columns - columnsOf(prefix)), style.symbols.ellipsis),
    );
  }
  if (points.length > shown.length)
    lines.push(`  ${style.symbols.ellipsis} ${count(points.length - shown.length, "earlier point")}`);
  return lines;
}

function changeLines(change: TrendReport["trend"]["changes"][number], style: TerminalStyle): string[] {
  const parts: string[] = [];
  if (change.newTools.length > 0) parts.push(`now uses ${list(change.newTools)}`);
  if (change.lostTools.length > 0) parts.push(`no longer uses ${list(change.lostTools)}`);
  if (
    change.modelsBefore.join() !== change.modelsNow.join() &&
    change.modelsBefore.length > 0 &&
    change.modelsNow.length > 0
  ) {
    parts.push(`model ${list(change.modelsBefore)} ${style.symbols.arrow} ${list(change.modelsNow)}`);
  }
  if (parts.length === 0) return [];
  return [hang("  ", printable(`${change.to}: ${parts.join("; ")}`), style.columns)];
}
