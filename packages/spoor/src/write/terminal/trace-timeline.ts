/**
 * A trace as a timeline a person can read: turns, tools with their arguments cut to the width of the terminal, results,
 * errors where they happened, durations, tokens; parallel calls bracketed, sub-agents indented, what was not understood
 * counted.
 */

import type { Json } from "@spoor/core";
import type { RunRow } from "@spoor/core/internal/report/run-row";
import type { RunCall, RunTotals, RunTurn, RunView } from "@spoor/core/internal/report/run-view";
import { briefArguments, briefResult, briefValue, flatten, resultText } from "@spoor/core/internal/text/brief-json";
import { printable, printableLines } from "@spoor/core/internal/text/printable";
import { isObject } from "@spoor/core/internal/trace/json";
import { listNames } from "../../document/list-names.ts";
import { recordingWords } from "../../document/recording-words.ts";
import { count, duration, tokens } from "../../document/words.ts";
import { columnsOf, cut, cutMiddle, endWithin, hang, padEnd, padStart } from "./layout.ts";
import type { TerminalStyle } from "./terminal-style.ts";

export interface TimelineOptions {
  /** The trace's format in words: "Claude Code session". */
  readonly title: string;
  /** Show only this turn (from 0), in detail. */
  readonly turnIndex?: number;
  /** Show texts, arguments and results whole. */
  readonly full?: boolean;
}

/** Lines of an error or of a selected turn's result that are shown before the cut. */
const RESULT_LINES = 6;
const TIME_WIDTH = 7;
/** Columns of a turn's time; more where one lasts minutes. */
const TURN_TIME_WIDTH = 8;
/** Longer tool names are cut, so that their arguments keep some room. */
const NAME_WIDTH = 20;

export function renderTimeline(run: RunView, options: TimelineOptions, style: TerminalStyle): string {
  const lines = [headline(run, options.title, style)];
  const turns = options.turnIndex === undefined ? run.turns : [run.turns[options.turnIndex]!];
  const timeWidth = Math.max(TURN_TIME_WIDTH, ...turns.slice(0, 10_000).map((turn) => turnTime(turn).length));
  if (options.turnIndex === undefined) for (const row of earlyRows(run, options, style)) lines.push(row);
  for (const turn of turns) {
    if (turn.user !== undefined) lines.push(userLine(turn.user, options, style));
    if (turn.offPath && !run.turns[turn.index - 1]?.offPath)
      lines.push(style.paint.dim(`  ${style.symbols.ellipsis} off the recorded path from turn ${turn.index + 1}`));
    for (const row of renderTurn(run, turn, timeWidth, options, style)) lines.push(row);
  }
  if (options.turnIndex === undefined) lines.push(...footer(run, style));
  return `${lines.join("\n")}\n`;
}

/** Calls before any response: all there is of an agent of which only the tools were watched. */
function earlyRows({ early }: RunView, options: TimelineOptions, style: TerminalStyle): string[] {
  return callRows({ index: -1, calls: early }, options, style, 2).map((row) => `  ${row}`.trimEnd());
}

function headline({ name, totals }: RunView, title: string, style: TerminalStyle): string {
  const facts = [`${title} ${printable(name)}`, count(totals.turns, "turn"), count(totals.calls, "tool call")];
  if (totals.failed > 0) facts.push(`${totals.failed} failed`);
  if (totals.elapsedMs !== undefined) facts.push(duration(totals.elapsedMs));
  if (totals.tokens !== undefined) facts.push(`${tokens(totals.tokens)}${partWords(totals)}`);
  return hang("", facts.join(", "), style.columns);
}

/** " (294k cached, 120 reasoning)": tokens that cost otherwise than the rest. */
function partWords({ cachedTokens, reasoningTokens }: RunTotals): string {
  const parts = [
    ...(cachedTokens === undefined ? [] : [`${tokens(cachedTokens).replace(/ tok$/, "")} cached`]),
    ...(reasoningTokens === undefined ? [] : [`${tokens(reasoningTokens).replace(/ tok$/, "")} reasoning`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function userLine(text: string, options: TimelineOptions, style: TerminalStyle): string {
  const safe = printable(text.trim());
  if (options.full) return hang("  user   ", safe, style.columns);
  return `  ${style.paint.bold("user")}   ${cut(safe, style.columns - 9, style.symbols.ellipsis)}`;
}

function turnTime(turn: RunTurn): string {
  return turn.ms === undefined ? "" : duration(turn.ms);
}

function renderTurn(
  run: RunView,
  turn: RunTurn,
  timeWidth: number,
  options: TimelineOptions,
  style: TerminalStyle,
): string[] {
  const numberWidth = String(run.turns.length).length;
  const agent = agentOf(run, turn);
  const indent = agent === undefined ? "" : `    ${style.symbols.middle} `;
  const time = style.paint.dim(padEnd(turnTime(turn), timeWidth));
  const head = `${indent}  ${padStart(String(turn.index + 1), numberWidth)}  ${time} `;
  const blank = `${indent}  ${" ".repeat(numberWidth)}  ${" ".repeat(timeWidth)} `;
  const rows: string[] = [];
  if (agent !== undefined && agentOf(run, run.turns[turn.index - 1]) !== agent)
    rows.push(`${indent}${style.paint.bold(printable(agent))}`);
  const body = [
    ...textRows(turn, options, style, columnsOf(blank)),
    ...callRows(turn, options, style, columnsOf(blank)),
  ];
  if (body.length === 0) body.push(style.paint.dim(`(no text, no call)${stopNote(turn)}`));
  for (const { rule, severity, message } of turn.findings ?? []) {
    const symbol = severity === "severe" ? style.symbols.failed : style.symbols.warning;
    const said = hang(`${symbol} `, `${printable(rule)}: ${printable(message)}`, style.columns - columnsOf(blank));
    for (const line of said.split("\n")) body.push(style.paint.bad(line));
  }
  // Not handed over as arguments: a turn may have more rows than a call can have arguments.
  for (const [index, row] of body.entries()) rows.push(((index === 0 ? head : blank) + row).trimEnd());
  return rows;
}

function agentOf({ lanes }: RunView, turn: RunTurn | undefined): string | undefined {
  return turn === undefined ? undefined : lanes[turn.lane]!.agent;
}

function textRows(turn: RunTurn, options: TimelineOptions, style: TerminalStyle, used: number): string[] {
  const text = (turn.text ?? "").trim();
  if (text === "") return [];
  const room = style.columns - used;
  if (options.full || options.turnIndex !== undefined) {
    const lines = printableLines(text).flatMap((line) => hang("", line, room).split("\n"));
    const shown = options.full ? lines : lines.slice(0, RESULT_LINES * 2);
    const hidden = lines.length - shown.length;
    return hidden > 0 ? [...shown, style.paint.dim(moreLines(hidden, turn, style))] : shown;
  }
  const stop = turn.calls.length === 0 ? stopNote(turn) : "";
  const quoted = cut(`"${printable(text)}"`, room - columnsOf(stop), style.symbols.ellipsis);
  return [stop === "" ? quoted : padEnd(quoted, room - columnsOf(stop)) + style.paint.dim(stop)];
}

function stopNote(turn: RunTurn): string {
  return turn.stop ? `  ${printable(turn.stop)}` : "";
}

/** What the rows of a call need of the turn it stands in. */
type CallsOfTurn = Pick<RunTurn, "index" | "calls">;

function callRows(turn: CallsOfTurn, options: TimelineOptions, style: TerminalStyle, used: number): string[] {
  let widest = 0;
  for (const { name } of turn.calls) widest = Math.max(widest, columnsOf(printable(name)));
  const nameWidth = Math.min(NAME_WIDTH, widest);
  const isGrouped = turn.calls.some((call) => call.group !== undefined);
  return turn.calls.flatMap((call, index) => {
    const bracket = isGrouped ? bracketOf(turn.calls, index, style) : "";
    return renderCall(call, bracket, nameWidth, turn, options, style, style.columns - used);
  });
}

/** Calls that ran side by side are held together by a bracket. */
function bracketOf(calls: readonly RunCall[], index: number, style: TerminalStyle): string {
  const group = calls[index]!.group;
  const before = group !== undefined && calls[index - 1]?.group === group;
  const after = group !== undefined && calls[index + 1]?.group === group;
  if (before && after) return `${style.symbols.middle} `;
  if (before) return `${style.symbols.last} `;
  return after ? `${style.symbols.first} ` : "  ";
}

function renderCall(
  call: RunCall,
  bracket: string,
  nameWidth: number,
  turn: CallsOfTurn,
  options: TimelineOptions,
  style: TerminalStyle,
  room: number,
): string[] {
  const { paint, symbols } = style;
  const failed = call.status === "error";
  const name = padEnd(cut(printable(call.name) || "(no name)", NAME_WIDTH, symbols.ellipsis), nameWidth);
  const time = call.ms === undefined ? "" : duration(call.ms);
  const served = call.standIn === undefined ? "" : `${call.standIn}: `;
  const outcome = failed
    ? `${symbols.failed} ${call.standIn === "refused" ? "refused" : served + failureName(call)}`
    : call.status === "unknown"
      ? "no result"
      : served + briefResult(call.output);
  // Times and results stand in columns of their own; a wider terminal makes the values longer, not more.
  const outcomeWidth = Math.min(40, Math.max(14, Math.floor(style.columns / 5)));
  const left = `${bracket}${name}  `;
  const argRoom = Math.max(8, room - columnsOf(left) - TIME_WIDTH - outcomeWidth - 4);
  const args = fittingArguments(call.input, argRoom, symbols.ellipsis);
  const shown = cut(outcome, outcomeWidth, symbols.ellipsis);
  const tail = `${paint.dim(padStart(time, TIME_WIDTH))}  ${failed ? paint.bad(shown) : paint.dim(shown)}`;
  const row = `${left}${padEnd(args, argRoom)}  ${tail}`.trimEnd();
  return [row, ...detailRows(call, turn, options, style, room)];
}

/** `file_path "/src/…`: the name of the first argument, and what a path begins with. */
const LEADING_PATH = /^([\w.]{1,40} "|")((?:~|\.{1,2})?\/[^\s"]*|[A-Za-z]:\\[^\s"]*)"/;
/** With less of it a path is not known again. */
const SHORTEST_END = 8;

/** What fits of the arguments; of a path that leads them the end is kept, which tells it from others of the project. */
function fittingArguments(input: Json | undefined, room: number, ellipsis: string): string {
  const whole = briefArguments(input);
  const [, before = "", path = ""] = LEADING_PATH.exec(whole) ?? [];
  const rest = room - columnsOf(before) - columnsOf(ellipsis) - 1;
  if (rest < SHORTEST_END || columnsOf(path) <= rest + columnsOf(ellipsis)) return cut(whole, room, ellipsis);
  const end = endWithin(path, rest);
  const folder = end.search(/[/\\]/);
  return `${before}${ellipsis}${folder > 0 ? end.slice(folder) : end}"`;
}

function failureName(call: RunCall): string {
  return printable(call.error?.kind ?? "failed");
}

/** The text of a failure, and for a selected turn every argument by path and the result. */
function detailRows(
  call: RunCall,
  turn: CallsOfTurn,
  options: TimelineOptions,
  style: TerminalStyle,
  room: number,
): string[] {
  const selected = options.turnIndex !== undefined || options.full === true;
  const rows: string[] = [];
  if (selected && isObject(call.input)) {
    const leaves = flatten(call.input, "");
    const width = Math.min(28, Math.max(...leaves.map(({ path }) => columnsOf(printable(path)))));
    for (const { path, value } of leaves) rows.push(...argumentRows(path, value, width, options, style, room));
  }
  if (call.status === "error" || selected) {
    const text = call.output === undefined ? (call.error?.message ?? "") : resultText(call.output);
    const lines = text === "" ? [] : printableLines(text);
    const limit = options.full ? lines.length : call.status === "error" && !selected ? 1 : RESULT_LINES;
    for (const line of lines.slice(0, limit)) {
      rows.push(
        ...(options.full
          ? hang("    ", line, room).split("\n")
          : [`    ${cut(line, room - 4, style.symbols.ellipsis)}`]),
      );
    }
    if (lines.length > limit) rows.push(style.paint.dim(`    ${moreLines(lines.length - limit, turn, style)}`));
  }
  return rows;
}

function argumentRows(
  path: string,
  value: Json,
  width: number,
  options: TimelineOptions,
  style: TerminalStyle,
  room: number,
): string[] {
  const head = `    ${padEnd(printable(path), width)}  `;
  const text = briefValue(value);
  if (options.full) return hang(head, text, room).split("\n");
  return [head + cut(text, room - columnsOf(head), style.symbols.ellipsis)];
}

function moreLines(hidden: number, { index }: CallsOfTurn, style: TerminalStyle): string {
  const way = index < 0 ? "--full" : `--turn ${index + 1} --full`;
  return `${style.symbols.ellipsis} ${count(hidden, "more line")}: ${way}`;
}

function footer({ coverage, errors, notes, findings = [] }: RunView, style: TerminalStyle): string[] {
  const lines: string[] = [];
  for (const { rule, message } of findings)
    lines.push(hang(`  ${style.symbols.failed} `, `${printable(rule)}: ${printable(message)}`, style.columns));
  const { callsWithoutResult, skippedLines } = coverage;
  if (callsWithoutResult > 0) lines.push(`  ${count(callsWithoutResult, "tool call")} without a recorded result`);
  for (const message of errors) {
    lines.push(
      `  ${style.paint.bad(style.symbols.failed)} error  ${cut(printable(message), style.columns - 11, style.symbols.ellipsis)}`,
    );
  }
  const unknown = Object.entries(coverage.unknown);
  if (unknown.length > 0) {
    const kinds = unknown.map(([type, amount]) => `${count(amount, "record")} of type ${printable(type)}`);
    lines.push(hang("  ", `Not understood: ${kinds.join(", ")} (kept, not shown)`, style.columns));
  }
  if (skippedLines > 0) lines.push(`  ${count(skippedLines, "line")} could not be read and were skipped`);
  for (const words of recordingWords(coverage)) lines.push(`  ${words}`);
  if (coverage.truncated.length > 0) lines.push("  The file ends early; what follows its last whole line is unknown");
  for (const note of notes) lines.push(hang("  ", `Note: ${printable(note)}`, style.columns));
  return lines;
}

/** One line per trace, for files that hold several and for several files, which are named then. */
export function renderTraceList(runs: readonly RunRow[], title: string, style: TerminalStyle): string {
  const names = listNames(runs).map(printable);
  const width = Math.min(style.columns - 47, Math.max(5, ...names.map(columnsOf)));
  const lines = [hang("", `${title}, ${count(runs.length, "trace")}`, style.columns)];
  lines.push(`  ${padEnd("trace", width)}  turns  calls  failed  ${padStart("time", 9)}  ${padStart("tokens", 10)}`);
  for (const [index, { turns, calls, failed, elapsedMs, tokens: used }] of runs.entries()) {
    lines.push(
      `  ${padEnd(cutMiddle(names[index]!, width, style.symbols.ellipsis), width)}  ${padStart(String(turns), 5)}  ` +
        `${padStart(String(calls), 5)}  ${padStart(String(failed), 6)}  ` +
        `${padStart(elapsedMs === undefined ? "-" : duration(elapsedMs), 9)}  ${padStart(used === undefined ? "-" : tokens(used), 10)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}
