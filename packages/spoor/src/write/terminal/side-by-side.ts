/**
 * Two turns next to each other, changed arguments and results marked: `=` same, `~` other words, `*` changed, `-` and `+` only one side
 * has it. Where all of a run is shown and the terminal is too narrow for two columns, the sides stand below each other.
 */
import type { Json } from "@spoor/core";
import type { CallView, TimelineKind, TimelineRow, TurnView } from "@spoor/core/internal/diff/timeline";
import { printable } from "@spoor/core/internal/text/printable";
import { sinceDifference } from "@spoor/core/internal/text/since-difference";
import { jsonEqual } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { type ArgumentLine, argumentLines } from "../../document/argument-lines.ts";
import type { SideBySide } from "../../document/document.ts";
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

/** A column narrower than this holds no argument that can be read. */
const NARROWEST = 34;
/** Arguments and leaves of a result that are shown where all of a run is. */
const WHOLE_SHOWN = 40;

interface Layout {
  readonly style: TerminalStyle;
  /** Columns of the left side, and what is left for the right one. */
  readonly width: number;
  readonly room: number;
  readonly whole: boolean;
}

export function sideBySide(block: SideBySide, indent: number, style: TerminalStyle): string[] {
  const { timeline, whole = false } = block;
  const width = Math.floor((style.columns - indent) / 2) + 1;
  const layout = { style, width, room: style.columns - indent - width, whole };
  const margin = " ".repeat(indent);
  if (whole) {
    const stacked = layout.room < NARROWEST;
    const lines = stacked
      ? timeline.rows.flatMap((row) => stackedLines(row, { ...layout, room: style.columns - indent }))
      : [
          pairUp("baseline", "candidate", width),
          ...timeline.rows.flatMap((row) => [...skippedLine(row, style), ...rowLines(row, layout)]),
        ];
    if (timeline.omitted.rows > 0)
      lines.push(style.paint.dim(`${style.symbols.ellipsis} ${count(timeline.omitted.rows, "row")} left out`));
    return lines.map((line) => `${margin}${line}`.trimEnd());
  }
  const first = timeline.rows.findIndex((row) => row.kind !== "same" && row.kind !== "reworded");
  const from = Math.max(0, first - ROWS_BEFORE);
  const shown = timeline.rows.slice(from, from + ROWS_SHOWN);
  const lines = [pairUp("baseline", "candidate", width)];
  const before = from + (shown[0]?.skipped ?? 0);
  if (before > 0)
    lines.push(
      style.paint.dim(`${style.symbols.ellipsis} ${count(before, "earlier turn")} without a change in what is done`),
    );
  for (const row of shown) lines.push(...rowLines(row, layout));
  const later = timeline.rows.length - from - shown.length;
  const omitted = later + Math.max(0, timeline.omitted.rows - (shown[0]?.skipped ?? 0));
  if (omitted > 0) lines.push(style.paint.dim(`${style.symbols.ellipsis} ${count(omitted, "more row")}`));
  return lines.map((line) => `${margin}${line}`);
}

function skippedLine({ skipped = 0 }: TimelineRow, style: TerminalStyle): string[] {
  return skipped === 0 ? [] : [style.paint.dim(`${style.symbols.ellipsis} ${count(skipped, "turn")} without a change`)];
}

/** A turn that is the same stands once; any other first as it was, then as it is. */
function stackedLines(row: TimelineRow, layout: Layout): string[] {
  const side = (turn: TurnView | undefined, name: Side) =>
    turn === undefined ? [] : [name, ...turnLines(row, name, layout.room - 2, layout).map((line) => `  ${line}`)];
  const lines = skippedLine(row, layout.style);
  if (!isDetailed(row, layout)) return [...lines, ...turnLines(row, "candidate", layout.room, layout)];
  return [...lines, ...side(row.baseline, "baseline"), ...side(row.candidate, "candidate")];
}

function rowLines(row: TimelineRow, layout: Layout): string[] {
  const { width, room } = layout;
  const left = turnLines(row, "baseline", width - 2, layout);
  const right = turnLines(row, "candidate", room, layout);
  const height = Math.max(left.length, right.length);
  return Array.from({ length: height }, (_, index) => pairUp(left[index] ?? "", right[index] ?? "", width));
}

function pairUp(left: string, right: string, width: number): string {
  return `${padEnd(left, width)}${right}`.trimEnd();
}

type Side = "baseline" | "candidate";

function otherSide(side: Side): Side {
  return side === "baseline" ? "candidate" : "baseline";
}

/** Whether the arguments of a row are worth their lines; where all is shown, also where the same call returned something else. */
function isDetailed({ kind, baseline, candidate }: TimelineRow, { whole }: Layout): boolean {
  if (kind === "changed" || kind === "only_baseline" || kind === "only_candidate") return true;
  if (!whole || baseline === undefined || candidate === undefined) return false;
  return candidate.calls.some((call, index) => {
    const other = baseline.calls[index];
    return other !== undefined && (!jsonEqual(call.output, other.output) || call.error !== other.error);
  });
}

function turnLines(row: TimelineRow, side: Side, room: number, layout: Layout): string[] {
  const { kind } = row;
  const turn = row[side];
  const other = row[otherSide(side)]?.text ?? "";
  const { ellipsis } = layout.style.symbols;
  if (turn === undefined) return ["    (no such turn)"];
  const head = `${turn.turnIndex + 1} ${ROW_MARK[kind]} `;
  if (turn.calls.length === 0) {
    const said = turn.text === "" ? "(says nothing)" : saidBeside(turn.text, other, room - columnsOf(head), ellipsis);
    const end =
      kind === "changed" && turn.stopReason !== undefined ? [`    ends with ${printable(turn.stopReason)}`] : [];
    return [`${head}${said}`, ...end].map((line) => cut(line, room, ellipsis));
  }
  if (!isDetailed(row, layout))
    return [cut(`${head}${turn.calls.map((call) => printable(call.name)).join(", ")}`, room, ellipsis)];
  const lines: string[] = [];
  turn.calls.forEach((call, index) => {
    lines.push(cut(`${index === 0 ? head : " ".repeat(columnsOf(head))}${printable(call.name)}`, room, ellipsis));
    lines.push(...callLines(call, index, row, side, room, layout));
    if (layout.whole) lines.push(...resultLines(call, partnerOf(row, side, index), room, layout.style));
  });
  return lines;
}

/** The call of the other side that a result is compared with: the one in the same place, else the first of its name. */
function partnerOf(row: TimelineRow, side: Side, index: number): CallView | undefined {
  const name = row[side]!.calls[index]!.name;
  const others = row[otherSide(side)]?.calls ?? [];
  return others[index]?.name === name ? others[index] : others.find((call) => call.name === name);
}

/** What a call returned, leaf by leaf: `-> total  40`; what its partner did not return so is marked. */
function resultLines(call: CallView, other: CallView | undefined, room: number, style: TerminalStyle): string[] {
  const { arrow, ellipsis } = style.symbols;
  const leaves = leavesOf(call);
  const known = new Map((other === undefined ? [] : leavesOf(other)).map(({ path, value }) => [path, value]));
  const isChanged = ({ path, value }: ArgumentLine) => other !== undefined && known.get(path) !== value;
  const shown = [...leaves].sort((one, next) => Number(isChanged(next)) - Number(isChanged(one))).slice(0, WHOLE_SHOWN);
  const names = Math.min(24, Math.max(0, ...shown.map(({ path }) => columnsOf(path))));
  const lines = leaves
    .filter((leaf) => shown.includes(leaf))
    .map((leaf) => {
      const path = names === 0 ? "" : `${padEnd(cut(leaf.path, 24, ellipsis), names)}  `;
      const head = `    ${isChanged(leaf) ? "*" : " "} ${arrow} ${path}`;
      return head + cutBeside(leaf.value, known.get(leaf.path) ?? "", room - columnsOf(head), ellipsis);
    });
  const left = leaves.length - shown.length;
  return left > 0 ? [...lines, `      ${ellipsis} ${count(left, "more value")} returned`] : lines;
}

function leavesOf({ output, error }: CallView): ArgumentLine[] {
  const failed = error === undefined ? [] : [{ path: "", value: `failed: ${printable(error)}` }];
  return output === undefined || output === null ? failed : [...failed, ...argumentLines(readable(output))];
}

/** Tools often return JSON as text. */
function readable(output: Json): Json {
  if (typeof output !== "string" || !/^\s*[[{]/.test(output)) return output;
  try {
    return parseJson(output);
  } catch {
    return output;
  }
}

function callLines(
  call: TurnView["calls"][number],
  index: number,
  row: TimelineRow,
  side: Side,
  room: number,
  { style, whole }: Layout,
): string[] {
  const { ellipsis } = style.symbols;
  const { kind } = row;
  const own = (row.calls?.arguments ?? []).filter((one) => one[`${side}Call`] === index);
  const changedPaths = new Set(own.map((one) => printable(one.path)));
  const isChanged = (path: string) =>
    [...changedPaths].some(
      (changed) =>
        changed === path || changed === "" || path.startsWith(`${changed}.`) || path.startsWith(`${changed}[`),
    );
  const partner = own[0] && row[otherSide(side)]?.calls[own[0][`${otherSide(side)}Call`]];
  const values = new Map(argumentLines(partner?.input).map(({ path, value }) => [path, value]));
  const all = argumentLines(call.input);
  const missing = own
    .filter((one) => one[side] === undefined && one.path !== "")
    .map((one) => ({ path: printable(one.path), value: "(absent)" }));
  const lines = [...all, ...missing];
  const most = whole ? WHOLE_SHOWN : ARGUMENTS_SHOWN;
  // Changed arguments keep their place among the others.
  const wanted = !whole && isSettled(call, index, row, side) ? [] : preferChanged(lines, isChanged, most);
  const names = Math.min(24, Math.max(0, ...wanted.map((line) => columnsOf(line.path))));
  const shown = wanted.map((line) => {
    const mark = kind === "changed" && isChanged(line.path) ? "*" : " ";
    const head = `    ${mark} ${padEnd(cut(line.path, 24, ellipsis), names)}  `;
    return head + cutBeside(line.value, values.get(line.path) ?? "", room - columnsOf(head), ellipsis);
  });
  const left = lines.length - wanted.length;
  return wanted.length > 0 && left > 0 ? [...shown, `      ${ellipsis} ${count(left, "more argument")}`] : shown;
}

/** Whether the other side makes the same call too, at the same place where the order changed: its name says enough then. */
function isSettled(call: CallView, index: number, row: TimelineRow, side: Side): boolean {
  if (row.kind !== "changed") return false;
  const others = row[otherSide(side)]?.calls ?? [];
  const isSame = (other: CallView) => other.name === call.name && jsonEqual(other.input, call.input);
  return others.some((other, place) => (!row.calls?.reordered || place === index) && isSame(other));
}

/** At most so many arguments, the changed ones first in line for the room, all in their own order. */
function preferChanged<L extends { readonly path: string }>(
  lines: readonly L[],
  isChanged: (path: string) => boolean,
  most: number,
): L[] {
  if (lines.length <= most) return [...lines];
  const changed = lines.filter((line) => isChanged(line.path)).slice(0, most);
  const rest = lines.filter((line) => !isChanged(line.path)).slice(0, most - changed.length);
  const kept = new Set([...changed, ...rest]);
  return lines.filter((line) => kept.has(line));
}

/** A text in quotes that fits, beside what the other side says; the closing quote stays. */
function saidBeside(text: string, other: string, room: number, ellipsis: string): string {
  return `"${cutBeside(printable(text).trim(), printable(other).trim(), Math.max(1, room - 2), ellipsis)}"`;
}

/** What differs is not cut off. */
function cutBeside(text: string, other: string, room: number, ellipsis: string): string {
  return cut(sinceDifference(text, other, room, ellipsis), room, ellipsis);
}
