/** A cohort report on a terminal: the consequence, what supports it, what could not be seen, the next command. */
import type { AspectResult, CohortReport, ReportedRun } from "@spoor/core/cohort/cohort-report";
import type { Interval } from "@spoor/core/cohort/intervals";
import type { RunOrigin } from "@spoor/core/cohort/run";
import { printable } from "../../document/printable.ts";
import { shellWord } from "../../document/shell-word.ts";
import { count, duration, integer, list, percent } from "../../document/words.ts";
import { columnsOf, cut, padEnd, padStart } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { hang, inSymbols } from "./flow.ts";
import { isTypical, itemSentence } from "./item-sentences.ts";
import {
  advice,
  aspectTitle,
  cautions,
  designWords,
  firstSeenSentences,
  headline,
  intervalSubject,
  loudest,
  methodSentence,
  signalSize,
  significantItems,
  spreadSentence,
} from "./sentences.ts";

const ITEMS_SHOWN = 4;
const RUNS_SHOWN = 3;
const INTERVALS_SHOWN = 5;
const ASPECT_WIDTH = 11;
const SIZE_WIDTH = 17;

export function renderCohortTerminal(report: CohortReport, style: TerminalStyle): string {
  const lines = [verdictLine(report, style), ""];
  if (report.cohort.scenarios > 0) lines.push(...basis(report, style));
  if (report.verdict === "changed") lines.push("", ...aspectTable(report, style));
  if (report.verdict === "not_enough_evidence") lines.push(...unsettled(report, style));
  if (report.verdict === "unchanged") lines.push(...assurance(report, style));
  lines.push(...firstSeen(report, style));
  if (report.verdict !== "unchanged") lines.push(...whereToLook(report, style));
  lines.push(...asides(report, style));
  lines.push(...closing(report, style));
  return inSymbols(`${lines.join("\n")}\n`, style);
}

function verdictLine(report: CohortReport, style: TerminalStyle): string {
  const { symbols, paint } = style;
  const [symbol, painter] =
    report.verdict === "changed"
      ? [symbols.failed, paint.bad]
      : report.verdict === "unchanged"
        ? [symbols.passed, paint.good]
        : [symbols.unknown, paint.warn];
  const text = hang(`${symbol} `, headline(report, printable), style.columns);
  return painter(symbol) + paint.bold(text.slice(symbol.length));
}

function basis(report: CohortReport, style: TerminalStyle): string[] {
  const { cohort } = report;
  const runs = `${count(cohort.runsBaseline, "baseline run")} and ${count(cohort.runsCandidate, "candidate run")}`;
  const text = `${designWords(report)}: ${runs}. ${methodSentence(report)}`;
  const small = cohort.scenarios < 6 && cohort.repeats.max === 1 ? [hang("  ", SMALL, style.columns)] : [];
  return [hang("  ", text, style.columns), ...small];
}

const SMALL = "Below six scenarios with one run a side, expect nothing: there are too few ways to relabel the runs.";

function aspectTable(report: CohortReport, style: TerminalStyle): string[] {
  const order = [...report.aspects].sort((left, right) => Number(right.changed) - Number(left.changed));
  const lines = [
    style.paint.dim(`  ${padEnd("aspect", ASPECT_WIDTH)} ${padEnd("size", SIZE_WIDTH)} what moved, candidate first`),
  ];
  for (const aspect of order.filter(({ changed }) => changed))
    lines.push(...changedAspect(aspect, report.alpha, style));
  const still = order.filter(({ changed }) => !changed);
  if (still.length > 0) {
    const names = still.map((aspect) => `${aspectTitle[aspect.aspect]}${sizeInBrackets(aspect)}`);
    lines.push(hang("  ", `No change found in ${list(names)}.`, style.columns));
  }
  const typical = order.some((aspect) => significantItems(aspect, report.alpha).slice(0, ITEMS_SHOWN).some(isTypical));
  lines.push(
    hang(
      "  ",
      `1.0 times noise is what relabelling the same runs gives on average.${typical ? ' "Typical" is the geometric mean over runs.' : ""} A change is not a verdict on better or worse.`,
      style.columns,
    ),
  );
  return lines;
}

function sizeInBrackets(aspect: AspectResult): string {
  const signal = loudest(aspect);
  return signal === undefined || signal.kind === "novel" ? "" : ` (${signalSize(signal)})`;
}

function changedAspect(aspect: AspectResult, alpha: number, style: TerminalStyle): string[] {
  const signal = loudest(aspect)!;
  const size = signal.kind === "novel" ? "new tool" : signalSize(signal);
  const indent = 2 + ASPECT_WIDTH + 1 + SIZE_WIDTH + 1;
  const moved = significantItems(aspect, alpha);
  const sentences = moved.slice(0, ITEMS_SHOWN).map((item) => itemSentence(item, printable));
  if (moved.length > ITEMS_SHOWN)
    sentences.push(`${style.symbols.ellipsis} ${moved.length - ITEMS_SHOWN} more: --format json`);
  if (sentences.length === 0) sentences.push(spreadSentence(aspect, alpha));
  if (aspect.words !== undefined && aspect.words.length > 0) {
    const words = aspect.words.slice(0, 4).map(({ word, baseline, candidate }) => {
      return `"${printable(word)}" ${percent(candidate)} (was ${percent(baseline)})`;
    });
    sentences.push(`for illustration, runs that say ${words.join(", ")}`);
  }
  const head = `  ${padEnd(aspectTitle[aspect.aspect], ASPECT_WIDTH)} ${padEnd(size, SIZE_WIDTH)} `;
  return sentences.map((sentence, index) => hang(index === 0 ? head : " ".repeat(indent), sentence, style.columns));
}

/** The most frequent verdict: say what could hide, and what to do about it. */
function unsettled(report: CohortReport, style: TerminalStyle): string[] {
  const lines: string[] = [];
  const wide = (report.intervals?.items ?? []).filter(({ inside }) => !inside).sort(byExcess);
  if (wide.length > 0) {
    lines.push("", "  What could have changed unseen, widest first");
    const shown = wide.slice(0, INTERVALS_SHOWN);
    const numbers = shown.map((item) => intervalNumbers(item, style));
    const room = style.columns - 6 - Math.max(...numbers.map(columnsOf));
    const width = Math.min(room, 44, Math.max(...shown.map((item) => columnsOf(intervalSubject(item, printable)))));
    for (const [index, item] of shown.entries()) {
      const subject = cut(intervalSubject(item, printable), width, style.symbols.ellipsis);
      lines.push(`    ${padEnd(subject, width)}  ${numbers[index]!}`);
    }
    if (wide.length > shown.length)
      lines.push(
        `    ${style.symbols.ellipsis} and ${wide.length - shown.length} more of ${report.intervals!.items.length} rates and sizes`,
      );
  }
  const todo = advice(report);
  if (todo.length > 0) lines.push("");
  for (const line of todo) lines.push(hang("  ", line, style.columns));
  lines.push("", hang("  ", "This is not a pass: a change may have happened and been missed.", style.columns));
  return lines;
}

function byExcess(left: Interval, right: Interval): number {
  const excess = ({ low, high, tolerance }: Interval) => Math.max(-low, high) / tolerance;
  return excess(right) - excess(left);
}

function intervalNumbers(item: Interval, style: TerminalStyle): string {
  const { low, high, tolerance } = item;
  if (item.kind === "rate") {
    const seen = `${percent(item.baselineMean)} ${style.symbols.arrow} ${percent(item.candidateMean)}`;
    return inSymbols(
      `${padStart(seen, 13)}, ${points(low)} to ${points(high)} points (±${integer(100 * tolerance)})`,
      style,
    );
  }
  return inSymbols(
    `${padStart("", 13)}  ${factor(low)} to ${factor(high)} (±${integer(100 * (2 ** tolerance - 1))} %)`,
    style,
  );
}

function points(value: number): string {
  const rounded = Math.round(100 * Math.max(-1, Math.min(1, value)));
  return rounded > 0 ? `+${rounded}` : `${rounded}`.replace("-", "−");
}

function factor(value: number): string {
  const rounded = Math.round(100 * (2 ** value - 1));
  return `${rounded > 0 ? "+" : ""}${rounded} %`.replace("-", "−");
}

function assurance(report: CohortReport, style: TerminalStyle): string[] {
  const reach =
    report.scope === "per_scenario"
      ? "This holds inside every scenario."
      : "This holds on average over scenarios; a change confined to single scenarios cannot be excluded without repeats.";
  return [hang("  ", reach, style.columns)];
}

function firstSeen(report: CohortReport, style: TerminalStyle): string[] {
  const sentences = firstSeenSentences(report, printable);
  if (sentences.length === 0) return [];
  const lines = ["", "  First seen: facts, whatever the verdict. To forbid a tool: policy rule no_call"];
  for (const sentence of sentences.slice(0, 5)) lines.push(hang("    ", `${sentence}.`, style.columns));
  if (sentences.length > 5) lines.push(`    ${style.symbols.ellipsis} and ${sentences.length - 5} more tools`);
  return lines;
}

function whereToLook(report: CohortReport, style: TerminalStyle): string[] {
  const runs = report.runs.filter(({ distance }) => distance > 0).slice(0, RUNS_SHOWN);
  if (runs.length === 0) return [];
  const title = "Candidate runs furthest from the baseline (0: same path and effects, 1: unrelated)";
  const lines = ["", hang("  ", title, style.columns)];
  for (const run of runs) lines.push(hang("    ", runSentence(run), style.columns));
  return lines;
}

function runSentence({ scenario, run, distance, baselineDistances }: ReportedRun): string {
  const own =
    baselineDistances.length === 0
      ? "no baseline repeats to compare with"
      : `baseline runs among themselves ${Math.min(...baselineDistances).toFixed(2)} to ${Math.max(...baselineDistances).toFixed(2)}`;
  return `scenario ${printable(scenario)}, ${printable(originName(run))}: ${distance.toFixed(2)}; ${own}`;
}

/** The name of a run as `spoor show` takes it. */
export function originName({ path, entry, traceId }: RunOrigin): string {
  const file = path === undefined ? undefined : path.slice(path.lastIndexOf("/") + 1);
  return entry === undefined ? (file ?? traceId ?? "a run") : `${file ?? ""} ${entry}`.trim();
}

function asides(report: CohortReport, style: TerminalStyle): string[] {
  const lines: string[] = [];
  const { latency, coverage } = report;
  if (latency !== null) {
    const text = `model time per run ${duration(latency.candidate.medianMs)} instead of ${duration(latency.baseline.medianMs)} (median). Shown, never tested: it differs between batches of an unchanged agent, too.`;
    lines.push(hang("  Latency   ", text, style.columns));
  }
  const notes = cautions(report, printable);
  for (const [index, note] of notes.entries())
    lines.push(hang(index === 0 ? "  Note      " : "            ", `${note}.`, style.columns));
  const parts = [
    `${count(coverage.traces, "trace")}, ${count(coverage.turns, "turn")} and ${count(coverage.toolCalls, "tool call")} read`,
  ];
  if (coverage.callsWithoutResult > 0) parts.push(`${count(coverage.callsWithoutResult, "call")} without a result`);
  if (coverage.skippedLines > 0) parts.push(`${count(coverage.skippedLines, "line")} skipped`);
  lines.push(hang("  Coverage  ", parts.join("; "), style.columns));
  return lines.length === 0 ? [] : ["", ...lines];
}

function closing(report: CohortReport, style: TerminalStyle): string[] {
  const { gate } = report;
  const code = gate.tripped ? 1 : 0;
  const next = nextCommand(report);
  const why = gate.tripped ? `Blocked by ${gate.failOn === "changed" ? "the verdict" : "--require unchanged"}.` : "";
  const exit = `exit code ${code}`;
  const head = `  ${why}`;
  const room = style.columns - columnsOf(head) - exit.length;
  const lines = [`${head}${" ".repeat(Math.max(1, room))}${exit}`.trimEnd()];
  if (next !== undefined) lines.push(`  Next: ${next}`);
  return lines;
}

/** Look at the furthest run after a change; plan more runs without enough evidence. */
export function nextCommand(report: CohortReport): string | undefined {
  const baseline = report.inputs.find(({ role }) => role === "baseline")?.path;
  if (report.verdict === "not_enough_evidence") {
    return baseline === undefined || baseline === "-" ? undefined : `spoor cohort plan ${shellWord(baseline)}`;
  }
  const furthest = report.runs.find(({ distance }) => distance > 0);
  if (report.verdict !== "changed" || furthest?.run.path === undefined || furthest.run.path === "-") return undefined;
  if (furthest.run.entry !== undefined)
    return `spoor show ${shellWord(furthest.run.path)} --trace ${shellWord(furthest.run.entry)}`;
  if (furthest.nearest.path === undefined || furthest.nearest.entry !== undefined)
    return `spoor show ${shellWord(furthest.run.path)}`;
  return `spoor diff ${shellWord(furthest.nearest.path)} ${shellWord(furthest.run.path)}`;
}
