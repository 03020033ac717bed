/** Two turns next to each other, changed arguments marked: `=` same, `~` other words, `*` changed, `-` and `+` only one side has it. */
import type { CallChanges } from "@spoor/core/internal/diff/call-changes";
import type { Timeline, TimelineKind, TimelineRow, TurnView } from "@spoor/core/internal/diff/timeline";
import { argumentLines } from "../../document/argument-lines.ts";
import { printable } from "../../document/printable.ts";
import { count } from "../../document/words.ts";
import { columnsOf, cut, padEnd } from "./layout.ts";
import type { TerminalStyle } from "./terminal-style.ts";

const ROW_MARK: Readonly<Record<TimelineKind, string>> = {
  same: "=",
  reworded: "~",
  changed: "*",
  only_baseline: "-",
  only_candidate: "+",
};

/** Rows around the first change: the one before it, and what follows. */
const ROWS_BEFORE = 1;
const ROWS_SHOWN = 7;
const ARGUMENTS_SHOWN = 6;

export function sideBySide(timeline: Timeline, indent: number, style: TerminalStyle): string[] {
  const width = Math.floor((style.columns - indent) / 2) + 1;
  const room = style.columns - indent - width;
  const first = timeline.rows.findIndex((row) => row.kind !== "same" && row.kind !== "reworded");
  const from = Math.max(0, first - ROWS_BEFORE);
  const shown = timeline.rows.slice(from, from + ROWS_SHOWN);
  const margin = " ".repeat(indent);
  const lines = [pairUp("baseline", "candidate", width)];
  const before = from + (shown[0]?.skipped ?? 0);
  if (before > 0)
    lines.push(
      style.paint.dim(`${style.symbols.ellipsis} ${count(before, "earlier turn")} without a change in what is done`),
    );
  for (const row of shown) lines.push(...rowLines(row, width, room, style));
  const later = timeline.rows.length - from - shown.length;
  const omitted = later + Math.max(0, timeline.omitted.rows - (shown[0]?.skipped ?? 0));
  if (omitted > 0) lines.push(style.paint.dim(`${style.symbols.ellipsis} ${count(omitted, "more row")}`));
  return lines.map((line) => `${margin}${line}`);
}

function rowLines(row: TimelineRow, width: number, room: number, style: TerminalStyle): string[] {
  const left = turnLines(row.baseline, row.kind, row.calls, "baseline", width - 2, style);
  const right = turnLines(row.candidate, row.kind, row.calls, "candidate", room, style);
  const height = Math.max(left.length, right.length);
  return Array.from({ length: height }, (_, index) => pairUp(left[index] ?? "", right[index] ?? "", width));
}

function pairUp(left: string, right: string, width: number): string {
  return `${padEnd(left, width)}${right}`.trimEnd();
}

type Side = "baseline" | "candidate";

function turnLines(
  turn: TurnView | undefined,
  kind: TimelineKind,
  changes: CallChanges | undefined,
  side: Side,
  room: number,
  style: TerminalStyle,
): string[] {
  const { ellipsis } = style.symbols;
  if (turn === undefined) return ["    (no such turn)"];
  const head = `${turn.turnIndex + 1} ${ROW_MARK[kind]} `;
  const isDetailed = kind === "changed" || kind === "only_baseline" || kind === "only_candidate";
  if (turn.calls.length === 0) {
    const said = turn.text === "" ? "(says nothing)" : quoted(turn.text, room - columnsOf(head), ellipsis);
    const end =
      kind === "changed" && turn.stopReason !== undefined ? [`    ends with ${printable(turn.stopReason)}`] : [];
    return [`${head}${said}`, ...end].map((line) => cut(line, room, ellipsis));
  }
  if (!isDetailed) return [cut(`${head}${turn.calls.map((call) => printable(call.name)).join(", ")}`, room, ellipsis)];
  const lines: string[] = [];
  turn.calls.forEach((call, index) => {
    lines.push(cut(`${index === 0 ? head : " ".repeat(columnsOf(head))}${printable(call.name)}`, room, ellipsis));
    lines.push(...callLines(call, index, kind, changes, side, room, style));
  });
  return lines;
}

function callLines(
  call: TurnView["calls"][number],
  index: number,
  kind: TimelineKind,
  changes: CallChanges | undefined,
  side: Side,
  room: number,
  style: TerminalStyle,
): string[] {
  const { ellipsis } = style.symbols;
  const own = (changes?.arguments ?? []).filter(
    (one) => (side === "baseline" ? one.baselineCall : one.candidateCall) === index,
  );
  const changedPaths = new Set(own.map((one) => printable(one.path)));
  const isChanged = (path: string) =>
    [...changedPaths].some(
      (changed) =>
        changed === path || changed === "" || path.startsWith(`${changed}.`) || path.startsWith(`${changed}[`),
    );
  const all = argumentLines(call.input);
  const missing = own
    .filter((one) => one[side] === undefined && one.path !== "")
    .map((one) => ({ path: printable(one.path), value: "(absent)" }));
  const lines = [...all, ...missing];
  // Unchanged calls of a changed turn need only their name; changed ones keep their place among the arguments.
  const wanted = kind === "changed" && changedPaths.size === 0 ? [] : preferChanged(lines, isChanged);
  const names = Math.min(24, Math.max(0, ...wanted.map((line) => columnsOf(line.path))));
  const shown = wanted.map((line) => {
    const mark = kind === "changed" && isChanged(line.path) ? "*" : " ";
    return cut(`    ${mark} ${padEnd(cut(line.path, 24, ellipsis), names)}  ${line.value}`, room, ellipsis);
  });
  const left = lines.length - wanted.length;
  return wanted.length > 0 && left > 0 ? [...shown, `      ${ellipsis} ${count(left, "more argument")}`] : shown;
}

/** At most six arguments, the changed ones first in line for the room, all in their own order. */
function preferChanged<L extends { readonly path: string }>(
  lines: readonly L[],
  isChanged: (path: string) => boolean,
): L[] {
  if (lines.length <= ARGUMENTS_SHOWN) return [...lines];
  const changed = lines.filter((line) => isChanged(line.path)).slice(0, ARGUMENTS_SHOWN);
  const rest = lines.filter((line) => !isChanged(line.path)).slice(0, ARGUMENTS_SHOWN - changed.length);
  const kept = new Set([...changed, ...rest]);
  return lines.filter((line) => kept.has(line));
}

/** A text in quotes that fits; the closing quote stays. */
function quoted(text: string, room: number, ellipsis: string): string {
  return `"${cut(printable(text).trim(), Math.max(1, room - 2), ellipsis)}"`;
}
