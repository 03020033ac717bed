/** What `--level` adds: sessions, turns, parts of turns or tokens; and, at every level, events and attachments that changed. */
import type { DiffReport } from "@spoor/core/diff/diff-report";
import { type TokenDimension, tokenDimensions } from "@spoor/core/diff/layers/tokens";
import { cut, padEnd, padStart } from "../text/layout.ts";
import { printable } from "../text/printable.ts";
import type { TerminalStyle } from "../text/terminal-style.ts";
import { count, integer, list, percent } from "../text/words.ts";
import { dollars } from "./axis-words.ts";
import { ROW_MARK } from "./side-by-side.ts";

const MOST_LINES = 40;

export function levelLines(report: DiffReport, style: TerminalStyle): string[] {
  const { layers } = report;
  if (layers === undefined) return [];
  const lines: string[] = [];
  if (layers.sessions !== undefined) lines.push(...cap(sessionLines(report), "session", style));
  if (layers.turns !== undefined) lines.push(...cap(turnLines(report, style), "turn", style));
  if (layers.spans !== undefined) lines.push(...cap(spanLines(report), "changed turn", style));
  if (layers.tokens !== undefined) lines.push(...tokenLines(report));
  if (layers.level !== "trace" && layers.cost !== undefined) lines.push(...costLines(report));
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
  return lines.map((line) => cut(line.trimEnd(), style.columns, style.symbols.ellipsis));
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
        `${integer(session.structure.changed)} of ${count(session.structure.turns, "turn")} differ, worst axis ${session.worstSeverity}`,
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

function turnLines(report: DiffReport, _style: TerminalStyle): string[] {
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
  const cell = (value: number) => padStart(Number.isInteger(value) ? integer(value) : value.toFixed(1), 9);
  const lines = [
    `  Tokens      ${["median", "p75", "p95", "largest", "total"].map((head) => padStart(head, 9)).join(" ")}`,
  ];
  for (const dimension of tokenDimensions) {
    const sides = [
      ["before", baseline[dimension]],
      ["now", candidate[dimension]],
    ] as const;
    for (const [side, summary] of sides) {
      const name = side === "before" ? TOKEN_WORDS[dimension] : "";
      const cells = [summary.median, summary.p75, summary.p95, summary.maximum, summary.total].map(cell).join(" ");
      lines.push(`  ${padEnd(name, 9)}${padEnd(side, 7)}${cells.slice(4)}`);
    }
    const shift = normalisedShift[dimension];
    lines.push(
      `           ${shift === null ? "from nothing" : shift === 0 ? "no shift of the median" : `median ${shift > 0 ? "+" : "-"}${percent(Math.abs(shift))}`}`,
    );
  }
  return lines;
}

function costLines(report: DiffReport): string[] {
  const cost = report.layers!.cost!;
  const noisy = cost.noisy ? "; the parts overlap too much to be told apart" : "";
  return [
    `  Money     ${dollars(cost.baselineUsd)} before, ${dollars(cost.candidateUsd)} now: ${dollars(cost.modelSwapUsd)} by another model, ${dollars(cost.tokenMovementUsd)} by more or fewer tokens${noisy}`,
  ];
}
