/** What `--level` adds: sessions, turns, parts of turns or tokens; and, at every level, events and attachments that changed. */
import type { DiffReport } from "@spoor/core/diff/diff-report";
import { type TokenDimension, type TokenSummary, tokenDimensions } from "@spoor/core/diff/layers/tokens";
import { printable } from "../../document/printable.ts";
import { count, integer, list, percent } from "../../document/words.ts";
import { columnsOf, hang, padEnd, padStart, wrap } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { dollars } from "./axis-words.ts";
import { ROW_MARK } from "./side-by-side.ts";

const MOST_LINES = 40;

export function levelLines(report: DiffReport, style: TerminalStyle): string[] {
  const { layers } = report;
  if (layers === undefined) return [];
  const lines: string[] = [];
  if (layers.sessions !== undefined) lines.push(...cap(sessionLines(report), "session", style));
  if (layers.turns !== undefined) lines.push(...cap(turnLines(report), "turn", style));
  if (layers.spans !== undefined) lines.push(...cap(spanLines(report), "changed turn", style));
  if (layers.tokens !== undefined) lines.push(...tokenLines(report));
  if (layers.level !== "trace" && layers.cost !== undefined)
    lines.push(hang("  Money     ", costSentence(report), style.columns));
  for (const event of layers.harness ?? []) {
    const shift = event.shift === undefined ? "" : `, ${event.shift === "fix" ? "less" : "more"} severe`;
    lines.push(
      `  Events    ${printable(event.category)} ${printable(event.name)}: ${integer(event.candidateCount)} instead of ${integer(event.baselineCount)}${shift}`,
    );
  }
  for (const blob of layers.blobs ?? [])
    lines.push(
      `  Attached  attachment ${blob.position + 1} changed (${blob.severity}, by ${blob.by.replace("_", " ")})`,
    );
  return lines.flatMap((line) => wrapLine(line.trimEnd(), style));
}

/** A line that is too long goes on below, a little further in. */
function wrapLine(line: string, style: TerminalStyle): string[] {
  if (line.includes("\n") || columnsOf(line) <= style.columns) return [line];
  const indent = line.length - line.trimStart().length;
  return wrap(line.trimStart(), style.columns - indent - 2).map(
    (piece, index) => " ".repeat(index === 0 ? indent : indent + 2) + piece,
  );
}

function cap(lines: readonly string[], noun: string, style: TerminalStyle): string[] {
  const [head, ...rest] = lines;
  if (rest.length <= MOST_LINES) return [...lines];
  return [
    head!,
    ...rest.slice(0, MOST_LINES),
    `  ${style.symbols.ellipsis} ${count(rest.length - MOST_LINES, `more ${noun}`)}; all of them with --format json`,
  ];
}

function nameOf(report: DiffReport, traceIndex: number): string {
  return report.traces.length > 1 ? `${printable(report.traces[traceIndex]!.name)}, ` : "";
}

function sessionLines(report: DiffReport): string[] {
  const sessions = report.layers!.sessions!;
  return [
    `  Sessions  ${count(sessions.length, "conversation")}`,
    ...sessions.map(
      (session) =>
        `    ${nameOf(report, session.traceIndex)}session ${session.sessionIndex + 1}: ${count(session.pairCount, "turn pair")}, ` +
        `${integer(session.structure.changed)} of ${count(session.structure.turns, "turn")} differ, axes ${session.worstSeverity}`,
    ),
  ];
}

const TURN_WORDS: Readonly<Record<string, string>> = {
  same: "same",
  reworded: "same calls, other words",
  calls: "other calls or arguments",
  stop_reason: "another end",
  calls_and_stop_reason: "other calls and another end",
  only_baseline: "only in the baseline",
  only_candidate: "only in the candidate",
};

function turnLines(report: DiffReport): string[] {
  const turns = report.layers!.turns!;
  return [
    `  Turns     ${count(turns.length, "row")}`,
    ...turns.map(({ traceIndex, baselineTurn, candidateTurn, change }) => {
      const mark = ROW_MARK[change as keyof typeof ROW_MARK] ?? "*";
      const number = (turn: number | undefined) => padStart(turn === undefined ? "-" : String(turn + 1), 4);
      return `    ${number(baselineTurn)} ${number(candidateTurn)}  ${mark} ${nameOf(report, traceIndex)}${TURN_WORDS[change] ?? change}`;
    }),
  ];
}

function spanLines(report: DiffReport): string[] {
  const spans = report.layers!.spans!;
  return [
    `  Parts     ${count(spans.length, "turn pair")} with changed parts`,
    ...spans.map(({ traceIndex, baselineTurn, candidateTurn, parts }) => {
      const kinds = new Map<string, number>();
      for (const part of parts) kinds.set(part.kind, (kinds.get(part.kind) ?? 0) + 1);
      const words = [...kinds].map(
        ([kind, amount]) => `${kind.replaceAll("_", " ")}${amount > 1 ? ` (${amount} times)` : ""}`,
      );
      return `    ${nameOf(report, traceIndex)}turn ${baselineTurn + 1} and ${candidateTurn + 1}: ${list(words)}`;
    }),
  ];
}

const TOKEN_WORDS: Readonly<Record<TokenDimension, string>> = {
  inputTokens: "input",
  outputTokens: "output",
  thinkingTokens: "thinking",
};

function tokenLines(report: DiffReport): string[] {
  const { baseline, candidate, normalisedShift } = report.layers!.tokens!;
  const cell = (value: number) =>
    padStart(Number.isInteger(value) || value >= 1000 ? integer(value) : value.toFixed(1), 9);
  const lines = [
    `  Tokens         ${["median", "75 % to", "95 % to", "largest", "total"].map((head) => padStart(head, 9)).join(" ")}${padStart("shift", 9)}`,
  ];
  for (const dimension of tokenDimensions) {
    const name = padEnd(TOKEN_WORDS[dimension], 9);
    const before = baseline[dimension];
    const after = candidate[dimension];
    if (before.recorded + after.recorded === 0) {
      lines.push(`  ${name}no data: neither side recorded them`);
      continue;
    }
    const cells = (one: TokenSummary) =>
      one.recorded === 0
        ? "  not recorded"
        : [one.median, one.p75, one.p95, one.maximum, one.total].map(cell).join(" ");
    const shift = normalisedShift[dimension];
    const moved = shift === null ? "from 0" : shift === 0 ? "" : `${shift < 0 ? "-" : "+"}${percent(Math.abs(shift))}`;
    lines.push(`  ${name}before${cells(before)}`, `  ${padEnd("", 9)}now   ${cells(after)}${padStart(moved, 9)}`);
  }
  return lines;
}

/** Where a difference in price comes from. */
function costSentence(report: DiffReport): string {
  const { baselineUsd, candidateUsd, modelSwapUsd, tokenMovementUsd, noisy } = report.layers!.cost!;
  const part = (usd: number, by: string) =>
    Math.abs(usd) < 1e-9 ? [] : [`${dollars(Math.abs(usd))} ${usd > 0 ? "more" : "less"} ${by}`];
  const parts = [...part(modelSwapUsd, "for another model"), ...part(tokenMovementUsd, "for other amounts of tokens")];
  const doubt = noisy ? "; the parts overlap too much to be told apart" : "";
  return `${dollars(baselineUsd)} before, ${dollars(candidateUsd)} now: ${list(parts)}${doubt}`;
}
