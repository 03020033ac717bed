/** A diff on a terminal: the verdict, what supports it, where it begins, what went in, what was not seen, what to type next. */
import { axes } from "@spoor/core/diff/axes";
import { hasNoData } from "@spoor/core/diff/axis-row";
import type { DiffReport } from "@spoor/core/diff/diff-report";
import { SMALL_SAMPLE } from "@spoor/core/stats/power";
import { printable } from "../../document/printable.ts";
import { count, integer, inWords, list, percent } from "../../document/words.ts";
import { hang, wrap } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { axisTable } from "./axis-table.ts";
import { levelLines } from "./levels.ts";
import { cohortCommand, nextCommand } from "./next-command.ts";
import {
  calmSentence,
  coverageSentence,
  goingInSentence,
  matchingSentence,
  patternWords,
  policySentence,
  powerSentence,
  rowSentence,
  traceClause,
  unmatchedSentence,
} from "./sentences.ts";
import { sideBySide } from "./side-by-side.ts";
import { toneOf } from "./tone.ts";
import { verdictSentence } from "./verdict-sentence.ts";

export interface DiffTerminalOptions {
  readonly verbose?: boolean;
  /** Shown where a gate decided. */
  readonly exitCode?: number;
}

const LABEL = 10;
const TRACES_LISTED = 10;

export function renderDiffTerminal(
  report: DiffReport,
  style: TerminalStyle,
  options: DiffTerminalOptions = {},
): string {
  const verbose = options.verbose ?? false;
  const blocks: string[][] = [verdictLines(report, style)];
  const isQuiet =
    report.verdict.code === "unchanged" &&
    report.verdict.reworded === undefined &&
    !verbose &&
    !report.gate.tripped &&
    !hasMoved(report);
  if (report.verdict.code === "not_enough") blocks.push(indented(matchingSentence(report), style));
  else if (isQuiet) blocks[0]!.push(...indented(calmSentence(report), style));
  else {
    const small = report.pairCount < SMALL_SAMPLE;
    blocks.push(
      small
        ? indented(`${powerSentence(report)}`, style)
        : [...indented(matchingSentence(report), style), ...indented(powerSentence(report), style)],
    );
    blocks.push(axisTable(report, style, small));
    if (verbose) blocks.push(rowLines(report, style));
    blocks.push(indented(MEDIANS_ARE_BLIND, style));
    const first = firstDivergence(report, style);
    if (first.length > 0) blocks.push(first);
  }
  const levels = levelLines(report, style);
  if (levels.length > 0) blocks.push(levels);
  blocks.push(closingLines(report, style, verbose, options.exitCode));
  return `${blocks.map((block) => block.join("\n")).join("\n\n")}\n`;
}

const MEDIANS_ARE_BLIND = `The ${inWords(axes.length)} axes are medians, blind to what happens in fewer than half of the turns; structure counts every turn that does something else.`;

function verdictLines(report: DiffReport, style: TerminalStyle): string[] {
  const tone = toneOf(report);
  const symbol = {
    bad: style.symbols.failed,
    warn: style.symbols.warning,
    good: style.symbols.passed,
    unknown: style.symbols.unknown,
  }[tone];
  const paint = { bad: style.paint.bad, warn: style.paint.warn, good: style.paint.good, unknown: style.paint.dim }[
    tone
  ];
  const text = hang(`${symbol} `, verdictSentence(report.verdict, report.noun), style.columns);
  return [paint(symbol) + text.slice(symbol.length)];
}

function hasMoved(report: DiffReport): boolean {
  return report.rows.some((row) => row.severity !== "none" && !hasNoData(row));
}

function indented(text: string, style: TerminalStyle): string[] {
  return wrap(text, style.columns - 2).map((line) => `  ${line}`);
}

function rowLines(report: DiffReport, style: TerminalStyle): string[] {
  const measured = report.rows.filter((row) => !hasNoData(row));
  return measured.flatMap((row) => hang("  ", rowSentence(row, measured.length), style.columns).split("\n"));
}

function firstDivergence(report: DiffReport, style: TerminalStyle): string[] {
  const first = report.firstAction ?? report.firstDivergence;
  const trace = first === null ? undefined : report.traces[first.traceIndex];
  if (first === null || trace?.timeline === undefined) return [];
  const turn =
    first.reason.code === "turn_inserted"
      ? `turn ${first.candidateTurn + 1} of the candidate`
      : `turn ${first.baselineTurn + 1} of the baseline`;
  const name = report.traces.length > 1 ? `${printable(trace.name)}, ` : "";
  const lines = indented(`First divergence: ${name}${turn}`, style).map(style.paint.bold);
  const earlier = report.firstDivergence;
  if (earlier?.reason.code === "text_changed") {
    const alike = percent(earlier.reason.similarity);
    const where =
      earlier.baselineTurn === first.baselineTurn
        ? "Its words differ"
        : `Other words already in turn ${earlier.baselineTurn + 1}`;
    lines.push(`  ${where} (${alike} alike).`);
  }
  return [...lines, ...sideBySide(trace.timeline, style)];
}

function closingLines(
  report: DiffReport,
  style: TerminalStyle,
  verbose: boolean,
  exitCode: number | undefined,
): string[] {
  const lines: string[] = [];
  const say = (label: string, text: string | undefined) => {
    if (text !== undefined && text !== "") lines.push(hang(`  ${label.padEnd(LABEL)}`, text, style.columns));
  };
  alsoClauses(report, style).forEach((clause, index) => {
    say(index === 0 ? "Also" : "", clause);
  });
  if (report.verdict.code !== "not_enough") {
    for (const cause of report.recommendations)
      if (cause.pattern !== undefined) say("Likely", patternWords[cause.pattern]);
    if (verbose || report.verdict.code === "turns_differ") say("Runs", runsSentence(report));
    if (report.pairCount > 0) say("Going in", goingInSentence(report.goingIn));
  }
  if (report.policy !== undefined) say("Policy", policySentence(report.policy));
  say("Unmatched", unmatchedSentence(report));
  const cohort = cohortCommand(report);
  if (cohort !== undefined)
    say("Noise", "runs of an unchanged agent differ as well; the last line asks whether these differ more");
  say("Coverage", coverageSentence(report.coverage));
  for (const { what, why } of report.coverage.notEvaluated)
    if (verbose) say("Not seen", `${printable(what)}: ${printable(why)}`);
  say("Alignment", roughAlignment(report));
  if (report.gate.tripped && report.verdict.code !== "not_enough") {
    const reasons = list(report.gate.reasons.map((reason) => printable(reason.subject))).replace(" and ", ", ");
    const code = exitCode === undefined ? "" : `  exit code ${exitCode}`;
    lines.push(hang("  ", `Blocked by --fail-on ${report.gate.failOn}: ${reasons}.${code}`, style.columns));
  }
  if (report.verdict.code === "not_enough" && exitCode !== undefined)
    lines.push(`  No verdict is possible.  exit code ${exitCode}`);
  const next = nextCommand(report);
  for (const command of [next, cohort])
    if (command !== undefined) lines.push(`  ${style.paint.dim("Next:")} ${command}`);
  return lines;
}

/** Every other trace that changed; beyond ten the rest is counted by kind. */
function alsoClauses(report: DiffReport, style: TerminalStyle): string[] {
  const shown = report.firstDivergence?.traceIndex;
  const first = shown === undefined ? undefined : report.traces[shown];
  const others = report.traces.filter((trace, index) => index !== shown && trace.changes.length > 0);
  if (others.length <= TRACES_LISTED)
    return others.map((trace) => traceClause(trace, first, printable, style.symbols.arrow));
  const worst = [...others].sort((one, other) => other.changes.length - one.changes.length).slice(0, TRACES_LISTED - 1);
  const rest = others.filter((trace) => !worst.includes(trace));
  const turns = rest.reduce((sum, trace) => sum + trace.changes.length, 0);
  const kinds = new Map<string, number>();
  for (const trace of rest) {
    for (const { change } of trace.changes) kinds.set(KIND_WORDS[change], (kinds.get(KIND_WORDS[change]) ?? 0) + 1);
  }
  const counted = [...kinds].map(([kind, amount]) => `${integer(amount)} ${kind}`);
  return [
    ...worst.map((trace) => traceClause(trace, first, printable, style.symbols.arrow)),
    `${count(rest.length, "more trace")} with ${count(turns, "changed turn")}: ${list(counted)}`,
  ];
}

const KIND_WORDS = {
  calls: "with other calls",
  stop_reason: "with another end",
  calls_and_stop_reason: "with other calls and another end",
  only_baseline: "gone",
  only_candidate: "new",
} as const;

function runsSentence(report: DiffReport): string | undefined {
  const moved = report.traces.filter((trace) => trace.sessionDistance.calledWith > 0);
  if (moved.length === 0) return undefined;
  const calls = report.traces.reduce((sum, trace) => sum + trace.sessionDistance.calls, 0);
  const share = (key: "names" | "calledWith") =>
    report.traces.reduce((sum, trace) => sum + trace.sessionDistance[key] * trace.sessionDistance.calls, 0) /
    Math.max(1, calls);
  return `over whole runs ${percent(share("calledWith"))} of the tool calls differ (${percent(share("names"))} by name alone), in ${integer(moved.length)} of ${count(report.traces.length, "trace")}`;
}

/** Said only when not every possibility was weighed. */
function roughAlignment(report: DiffReport): string | undefined {
  const rough = report.traces.filter((trace) => trace.alignment === "banded" || trace.alignment === "by_index");
  if (rough.length === 0) return undefined;
  const byIndex = rough.filter((trace) => trace.alignment === "by_index").length;
  return byIndex > 0
    ? `${count(byIndex, "trace")} had stretches too long to compare every turn with every other; they were paired in order`
    : `${count(rough.length, "trace")} had long unlike stretches; there only turns near each other were compared`;
}
