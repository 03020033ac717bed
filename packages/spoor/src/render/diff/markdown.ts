/**
 * A diff as Markdown, for pull requests and step summaries. The same words as on the terminal. Text from traces stands in code spans
 * with backticks, `@`, `<` and `|` made harmless; no images, no badges.
 */
import { type AxisRow, hasNoData } from "@spoor/core/diff/axis-row";
import type { DiffReport } from "@spoor/core/diff/diff-report";
import { SMALL_SAMPLE } from "@spoor/core/stats/power";
import { count, integer, list, percent } from "../../document/words.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { codeBlock, codeSpan, fold } from "../text/markdown.ts";
import { amountOf, axisWords, noDataReason, signedAmount } from "./axis-words.ts";
import { cohortCommand, nextCommand } from "./next-command.ts";
import {
  coverageSentence,
  goingInSentence,
  matchingSentence,
  patternWords,
  policySentence,
  powerSentence,
  traceClause,
  unmatchedSentence,
} from "./sentences.ts";
import { sideBySide } from "./side-by-side.ts";
import { toneOf } from "./tone.ts";
import { verdictSentence } from "./verdict-sentence.ts";

const MAX_LENGTH = 60_000;
const TRACES_LISTED = 10;

export function renderDiffMarkdown(report: DiffReport): string {
  const { verdict, structure } = report;
  const [headline, ...rest] = verdictSentence(verdict, report.noun, codeSpan).split(/(?<=\.) (?=In the baseline)/);
  const symbol = { bad: "✗", warn: "!", good: "✓", unknown: "?" }[toneOf(report)];
  const parts = [`### ${symbol} ${report.gate.tripped ? "Blocked: " : ""}${headline!.replace(/\.$/, "")}`];
  if (rest.length > 0) parts.push(rest.join(" "));
  if (verdict.code !== "not_enough") {
    const differ = `${integer(structure.changed)} of ${integer(structure.turns)} turns differ`;
    const plausible =
      structure.changed > 0
        ? ` (${percent(structure.share)}; ${percent(structure.interval.low)} to ${percent(structure.interval.high)} is plausible)`
        : "";
    const goingIn = report.pairCount === 0 ? "" : ` Going in: ${goingInSentence(report.goingIn, codeSpan)}`;
    parts.push(`${differ}${plausible}.${goingIn}`);
  }
  parts.push(`${matchingSentence(report)} ${verdict.code === "not_enough" ? "" : powerSentence(report)}`.trim());
  const facts = factLines(report);
  if (facts.length > 0) parts.push(facts.map((line) => `- ${line}`).join("\n"));
  parts.push(...details(report));
  const text = `${parts.join("\n\n")}\n`;
  if (text.length <= MAX_LENGTH) return text;
  const cutAt = text.lastIndexOf("\n", MAX_LENGTH - 100);
  return `${text.slice(0, cutAt)}\n\nCut here: ${integer(text.length - cutAt)} characters more are in the full report.\n`;
}

function factLines(report: DiffReport): string[] {
  const lines: string[] = [];
  for (const cause of report.recommendations)
    if (cause.pattern !== undefined) lines.push(`Likely: ${patternWords[cause.pattern]}`);
  if (report.policy !== undefined) lines.push(`Policy: ${policySentence(report.policy)}`);
  const unmatched = unmatchedSentence(report);
  if (unmatched !== undefined) lines.push(`Unmatched: ${unmatched}`);
  const cohort = cohortCommand(report);
  if (cohort !== undefined)
    lines.push(`Noise: runs of an unchanged agent differ as well; whether these differ more: ${codeSpan(cohort)}`);
  lines.push(`Coverage: ${coverageSentence(report.coverage)}`);
  if (report.gate.tripped) {
    const reasons = report.gate.reasons.map((reason) => codeSpan(reason.subject));
    lines.push(`Blocked by \`--fail-on ${report.gate.failOn}\`: ${reasons.join(", ")}`);
  }
  const next = nextCommand(report);
  if (next !== undefined) lines.push(`Next: ${codeSpan(next)}`);
  return lines;
}

function details(report: DiffReport): string[] {
  if (report.verdict.code === "not_enough") return [];
  const parts: string[] = [];
  const shown = report.firstDivergence?.traceIndex;
  const first = shown === undefined ? undefined : report.traces[shown];
  if (first?.timeline !== undefined) {
    const lines = sideBySide(first.timeline, createTerminalStyle({ columns: 96 }));
    parts.push(fold(`First divergence, side by side: ${first.name}`, codeBlock(lines)));
  }
  const others = report.traces.filter((trace, index) => index !== shown && trace.changes.length > 0);
  if (others.length > 0) {
    const clauses = others.slice(0, TRACES_LISTED).map((trace) => `- ${traceClause(trace, first, codeSpan, "→")}`);
    const more = others.length > TRACES_LISTED ? [`- and ${integer(others.length - TRACES_LISTED)} more traces`] : [];
    parts.push(fold(`${count(others.length, "other trace")} changed`, [...clauses, ...more].join("\n")));
  }
  parts.push(fold("All signals with their intervals", signalTable(report)));
  const missing = report.rows.filter(hasNoData);
  if (missing.length > 0) {
    const names = list(missing.map((row) => row.axis));
    parts.push(
      fold(
        `Not evaluated: ${missing.length} (${names})`,
        missing.map((row) => `- ${row.axis}: ${noDataReason(row)}`).join("\n"),
      ),
    );
  }
  return parts;
}

/** The signals as a table. */
export function signalTable(report: DiffReport): string {
  const small = report.pairCount < SMALL_SAMPLE;
  const { structure } = report;
  const grade = (severity: string, better = false) => {
    const word = better ? "better" : severity;
    return small && severity !== "none" ? `(${word})` : severity === "severe" && !better ? `**${word}**` : word;
  };
  const rows = [
    "| signal | what it is | before | now | change | 95 % interval | grade |",
    "|---|---|--:|--:|--:|---|---|",
    `| structure | turns that differ | - | ${integer(structure.changed)} of ${integer(structure.turns)} | ${percent(structure.share)} | ${percent(structure.interval.low)} to ${percent(structure.interval.high)} | ${grade(structure.severity)} |`,
    ...report.rows.filter((row) => !hasNoData(row)).map((row) => signalRow(row, grade)),
  ];
  return rows.join("\n");
}

function signalRow(row: AxisRow, grade: (severity: string, better?: boolean) => string): string {
  const cells = [
    row.axis,
    axisWords[row.axis].is,
    amountOf(row.axis, row.baseline),
    amountOf(row.axis, row.candidate),
    signedAmount(row.axis, row.delta),
    `${signedAmount(row.axis, row.ci95Low)} to ${signedAmount(row.axis, row.ci95High)}`,
    grade(row.gateSeverity, row.direction === "better"),
  ];
  return `| ${cells.join(" | ")} |`;
}
