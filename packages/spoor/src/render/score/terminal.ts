/**
 * The scores of recorded traces for a terminal: the verdict first, then each evaluator; a failing trajectory step says
 * what came closest and at which argument path it differs.
 */
import type { EvaluatorResult } from "@spoor/core/evaluators/evaluation";
import type { ScoreReport, TraceScore } from "@spoor/core/evaluators/score-report";
import { printable } from "../../document/printable.ts";
import { shellWord } from "../../document/shell-word.ts";
import { count, list } from "../../document/words.ts";
import { columnsOf, cut, hang, padEnd } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { renderTrajectory } from "./trajectory.ts";
import { evaluatorSummary, mark } from "./words.ts";

export interface ScoreOptions {
  /** Show the steps of evaluators that passed, too. */
  readonly verbose?: boolean;
  /** Printed where the verdict ends, unless it is 0. */
  readonly exitCode?: number;
}

/** Traces beyond this many failing ones are counted instead of shown. */
const MAX_SHOWN = 10;

export function renderScore(report: ScoreReport, style: TerminalStyle, options: ScoreOptions = {}): string {
  const { results } = report;
  const lines = [headline(report, style), ""];
  if (results.length === 1) {
    lines.push(
      ...traceLines(results[0]!, style, options),
      ...caseLines(results[0]!, exitCodeOf(report, options), style),
    );
  } else {
    lines.push(...manyLines(report, style, options));
  }
  lines.push(...notChecked(report, style), ...diagnosticLines(report, style), ...nextLine(report));
  return `${lines.join("\n")}\n`;
}

function headline({ results }: ScoreReport, style: TerminalStyle): string {
  const failed = results.filter((result) => result.verdict !== "pass");
  const symbol = `${mark(failed.length === 0, style)} `;
  if (results.length === 1) return hang(symbol, oneTrace(results[0]!), style.columns);
  const noun = isOneTrace(results) ? "case" : "trace";
  const words =
    failed.length === 0
      ? `All ${count(results.length, noun)} reach the pass line${passLines(results)}.`
      : `${failed.length} of ${count(results.length, noun)} ${failed.length === 1 ? "is" : "are"} below the pass line${passLines(results)}.`;
  return hang(symbol, words, style.columns);
}

function oneTrace(result: TraceScore): string {
  const failing = result.evaluators.filter(
    (evaluator) => evaluator.verdict !== "pass" && evaluator.verdict !== "skip",
  ).length;
  const counted = result.evaluators.filter((evaluator) => evaluator.verdict !== "skip").length;
  const share =
    failing === 0
      ? `${counted} of ${count(counted, "evaluator")} ${counted === 1 ? "passes" : "pass"}`
      : `${failing} of ${count(counted, "evaluator")} ${failing === 1 ? "fails" : "fail"}`;
  return `${nameOf(result)} scores ${result.score.toFixed(2)}, the pass line is ${result.passLine.toFixed(2)}. ${share}.`;
}

/** One trace under several cases: then the cases are what is counted. */
function isOneTrace(results: readonly TraceScore[]): boolean {
  return new Set(results.map((result) => result.key)).size === 1;
}

function nameOf({ trace, caseId, ofCase }: TraceScore): string {
  return caseId === undefined || ofCase === true ? printable(trace) : `${printable(trace)} (case ${printable(caseId)})`;
}

function passLines(results: readonly TraceScore[]): string {
  const lines = new Set(results.map((result) => result.passLine.toFixed(2)));
  return lines.size === 1 ? ` of ${[...lines][0]}` : "";
}

function manyLines(report: ScoreReport, style: TerminalStyle, options: ScoreOptions): string[] {
  const failed = report.results.filter((result) => result.verdict !== "pass");
  const lines: string[] = [];
  for (const result of failed.slice(0, MAX_SHOWN)) {
    lines.push(
      hang(`${mark(false, style)} `, oneTrace(result), style.columns),
      ...traceLines(result, style, options),
      "",
    );
  }
  if (failed.length > MAX_SHOWN)
    lines.push(`  ${style.symbols.ellipsis} ${count(failed.length - MAX_SHOWN, "more failing trace")}`, "");
  const passed = report.results.filter((result) => result.verdict === "pass");
  if (passed.length > 0) {
    const short = isOneTrace(report.results);
    const names = passed
      .slice(0, MAX_SHOWN)
      .map(
        (result) => `${short ? printable(result.caseId ?? result.trace) : nameOf(result)} ${result.score.toFixed(2)}`,
      );
    if (passed.length > MAX_SHOWN) names.push(`${passed.length - MAX_SHOWN} more`);
    lines.push(hang(`${mark(true, style)} passed  `, names.join(", "), style.columns));
  }
  return withExitCode(lines, "", exitCodeOf(report, options), style);
}

function traceLines(result: TraceScore, style: TerminalStyle, options: ScoreOptions): string[] {
  const nameWidth = Math.min(
    30,
    Math.max(...result.evaluators.map((evaluator) => columnsOf(printable(evaluator.name))), 4),
  );
  const kindWidth = Math.max(...result.evaluators.map((evaluator) => kindOf(evaluator).length), 4);
  return result.evaluators.flatMap((evaluator) => evaluatorLines(evaluator, nameWidth, kindWidth, style, options));
}

function kindOf({ trajectory, type }: EvaluatorResult): string {
  return trajectory?.mode ?? type;
}

function evaluatorLines(
  evaluator: EvaluatorResult,
  nameWidth: number,
  kindWidth: number,
  style: TerminalStyle,
  options: ScoreOptions,
): string[] {
  const { symbols } = style;
  const passed = evaluator.verdict === "pass";
  const symbol = evaluator.verdict === "skip" ? style.paint.dim(symbols.unknown) : mark(passed, style);
  const name = padEnd(cut(printable(evaluator.name), nameWidth, symbols.ellipsis), nameWidth);
  const score = evaluator.verdict === "skip" ? "-   " : evaluator.score.toFixed(2);
  const prefix = `  ${padEnd(symbol, Math.max(columnsOf(symbols.passed), columnsOf(symbols.failed)))} ${name}   ${padEnd(kindOf(evaluator), kindWidth)}   ${score}   `;
  const summary = evaluatorSummary(evaluator);
  if (passed && !options.verbose) {
    return [prefix + cut(summary, Math.max(20, style.columns - columnsOf(prefix)), symbols.ellipsis)];
  }
  const lines = [hang(prefix, summary, style.columns)];
  if (evaluator.trajectory !== undefined) lines.push(...renderTrajectory(evaluator, style));
  else if (evaluator.parts !== undefined) lines.push(...partLines(evaluator, style, options));
  else lines.push(...checkLines(evaluator, style));
  return lines;
}

function partLines(evaluator: EvaluatorResult, style: TerminalStyle, options: ScoreOptions): string[] {
  const parts = evaluator.parts ?? [];
  const nameWidth = Math.min(30, Math.max(...parts.map((part) => columnsOf(printable(part.name))), 4));
  const kindWidth = Math.max(...parts.map((part) => kindOf(part).length), 4);
  const inner: TerminalStyle = { ...style, columns: style.columns - 2 };
  return parts
    .flatMap((part) => evaluatorLines(part, nameWidth, kindWidth, inner, options))
    .map((line) => indent(line, "  "));
}

const MAX_CHECKS = 10;

function checkLines({ checks, reasoning }: EvaluatorResult, style: TerminalStyle): string[] {
  const shown = [...checks.filter((check) => !check.passed), ...checks.filter((check) => check.passed)].slice(
    0,
    MAX_CHECKS,
  );
  const lines = shown.map((check) => hang(`      ${mark(check.passed, style)} `, printable(check.text), style.columns));
  if (checks.length > MAX_CHECKS)
    lines.push(`      ${style.symbols.ellipsis} ${count(checks.length - MAX_CHECKS, "more line")}`);
  if (reasoning !== undefined) lines.push(hang("      ", printable(reasoning), style.columns));
  return lines;
}

/** How the case score came about. */
function caseLines(result: TraceScore, exitCode: number, style: TerminalStyle): string[] {
  return withExitCode([], `  ${caseSentence(result)}`, exitCode, style);
}

function exitCodeOf({ gate }: ScoreReport, options: ScoreOptions): number {
  return options.exitCode ?? (gate.tripped ? 1 : 0);
}

function caseSentence({ evaluators, failedRequired }: TraceScore): string {
  if (failedRequired.length > 0)
    return `Case score: 0, because ${list(failedRequired.map(printable))} is required and failed.`;
  const counted = evaluators.filter((evaluator) => evaluator.verdict !== "skip");
  if (counted.length === 0) return "Case score: 0, because no evaluator could be run.";
  if (counted.length === 1) return `Case score: ${counted[0]!.score.toFixed(2)}, its only evaluator.`;
  const scores = counted.slice(0, 8).map((evaluator) => evaluator.score.toFixed(2));
  if (counted.length > 8) scores.push(`${counted.length - 8} more`);
  const weights = counted.map((evaluator) => evaluator.weight);
  const equal = weights.every((weight) => weight === weights[0]);
  return `Case score: mean of ${list(scores)}, ${equal ? "equal weights" : `weights ${weights.slice(0, 8).join(", ")}`}.`;
}

/** The last line of the verdict carries the exit code at its right end. */
function withExitCode(lines: string[], last: string, exitCode: number, style: TerminalStyle): string[] {
  if (exitCode === 0) return last === "" ? lines : [...lines, ...wrapped(last, style)];
  const tail = `exit code ${exitCode}`;
  const text = last === "" ? (lines.pop() ?? "") : last;
  const body = wrapped(text, style);
  const end = body.pop() ?? "";
  const room = style.columns - columnsOf(end) - columnsOf(tail);
  return room >= 2
    ? [...lines, ...body, `${end}${" ".repeat(room)}${style.paint.dim(tail)}`]
    : [...lines, ...body, end, `${" ".repeat(style.columns - columnsOf(tail))}${style.paint.dim(tail)}`];
}

function wrapped(text: string, style: TerminalStyle): string[] {
  const lead = /^ */.exec(text)![0];
  return text.includes("\n") ? text.split("\n") : hang(lead, text.slice(lead.length), style.columns).split("\n");
}

const MAX_NOT_CHECKED = 5;

function notChecked({ results, coverage }: ScoreReport, style: TerminalStyle): string[] {
  const own = results.flatMap((result) =>
    result.evaluators.flatMap((evaluator) =>
      (evaluator.notChecked ?? []).map(
        (text) => `${text}${evaluator.verdict === "skip" ? ` (${evaluator.name})` : ""}`,
      ),
    ),
  );
  const texts = [...new Set([...own, ...coverage.notEvaluated.map(({ what, why }) => `${what}: ${why}`)])].map(
    printable,
  );
  if (texts.length === 0) return [];
  const shown = texts.slice(0, MAX_NOT_CHECKED);
  if (texts.length > MAX_NOT_CHECKED) shown.push(`${texts.length - MAX_NOT_CHECKED} more`);
  return [hang("  ", `Not checked: ${shown.join("; ")}.`, style.columns)];
}

function diagnosticLines({ diagnostics }: ScoreReport, style: TerminalStyle): string[] {
  return diagnostics.slice(0, MAX_NOT_CHECKED).map(({ at, message }) => {
    const place = at.line === undefined ? "" : `${at.file ?? ""}:${at.line}:${at.column ?? 1} `;
    return hang(`  ${style.paint.warn(style.symbols.warning)} `, printable(`${place}${message}`), style.columns);
  });
}

/** Where to look first: the turn of the first miss that has one. Never broken into lines, so that it can be copied. */
function nextLine({ results }: ScoreReport): string[] {
  const failed = results.find(
    (result) => result.verdict !== "pass" && result.path !== undefined && result.path !== "-",
  );
  if (failed === undefined) return [];
  const steps = failed.evaluators.flatMap((evaluator) => evaluator.trajectory?.steps ?? []);
  const missed = steps.find((step) => !step.passed && (step.closest ?? step.found) !== undefined);
  const turnIndex = (missed?.closest ?? missed?.found)?.turnIndex ?? -1;
  const entry = failed.entry === undefined ? "" : ` --trace ${shellWord(failed.entry)}`;
  return [`  Next: spoor show ${shellWord(failed.path!)}${entry}${turnIndex < 0 ? "" : ` --turn ${turnIndex + 1}`}`];
}

function indent(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => by + line)
    .join("\n");
}
