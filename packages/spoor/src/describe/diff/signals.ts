/**
 * The signals: one row each, with a bar on one scale. `structure` and new tools stand first, because most axes are medians and blind
 * to what happens in fewer than half of the turns.
 */
import { type AxisRow, hasNoData } from "@spoor/core/internal/diff/axis-row";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { type Direction, mayTrip } from "@spoor/core/internal/diff/direction";
import type { StructureSignal } from "@spoor/core/internal/diff/structure";
import { type Severity, worse } from "@spoor/core/internal/judgement/severity";
import { SMALL_SAMPLE } from "@spoor/core/internal/stats/power";
import type { Block, Cell, Column, Row, Section, Text } from "../../document/document.ts";
import { say, sentences, styled } from "../../document/text.ts";
import { integer, list, percent, percentRange } from "../../document/words.ts";
import { amountPair, axisWords, noDataReason, signedAmount } from "./axis-words.ts";
import { powerSentence } from "./sentences.ts";
import { barOf } from "./signal-bar.ts";

/** What an average cannot show. Where turns are paired by position, the calls are a median too. */
export function blindnessSentence({ rows }: DiffReport): string {
  const medians = rows.filter((row) => row.statistic === "median").map((row) => row.axis);
  const counting = medians.includes("trajectory") ? "structure counts" : "structure and trajectory count";
  return `Medians (${list(medians)}) do not show what happens in fewer than half of the turns; ${counting} every turn.`;
}

const COLUMNS: readonly Column[] = [
  { title: "axis", min: 12, max: 12 },
  { title: "what it is", min: 18, max: 18, gap: 0, dropBelow: 78 },
  { title: "before", align: "right", min: 8, gap: 0 },
  { title: "now", align: "right", min: 8, gap: 1 },
  { title: "change", min: 19, max: 19, gap: 1 },
  { title: "grade", gap: 1 },
];

export function signalTable(report: DiffReport): Block {
  return {
    kind: "table",
    caption: "How far each signal moved",
    columns: COLUMNS,
    rows: [structureRow(report), toolsRow(report), ...report.rows.map((row) => axisRow(row, report))],
  };
}

/** The table with what it can and cannot see, as a part of a page. */
export function signalsSection(report: DiffReport): Section {
  return {
    kind: "section",
    id: "signals",
    title: ["Signals"],
    sub: [
      "How far each signal moved, with the range that the sample leaves open. Every row has the same scale: the middle is no change, the dashed marks are where severe begins.",
    ],
    blocks: [
      signalTable(report),
      { kind: "paragraph", text: sentences(blindnessSentence(report), powerSentence(report)) },
    ],
  };
}

/** What the column cannot hold whole is a share there; the count then stands in the sentence above the table. */
export function isWideCount({ changed, turns }: StructureSignal): boolean {
  return `${integer(changed)} of ${integer(turns)}`.length > WIDEST_COUNT;
}

const WIDEST_COUNT = 10;

function structureRow(report: DiffReport): Row {
  const { structure } = report;
  const { changed, turns, share, interval, severity } = structure;
  const says = `${percent(share)} of turns differ, ${percentRange(interval.low, interval.high)} is plausible`;
  const cells: Cell[] = [
    ["structure"],
    ["turns that differ"],
    ["-"],
    [isWideCount(structure) ? percent(share) : `${integer(changed)} of ${integer(turns)}`],
    { kind: "bar", ...barOf.structure(structure), says: [says] },
    gradeText(severity, "changed", isSupported(report)),
  ];
  return { cells, ...(severity === "severe" ? { tone: "bad" as const } : {}) };
}

/** A tool never seen before is no matter of averages: one call is enough for its grade. */
function toolsRow({ newTools }: DiffReport): Row {
  const severity = newTools.reduce<Severity>((worst, tool) => worse(worst, tool.severity), "none");
  const now = newTools.length === 0 ? "none" : `${integer(newTools.length)} new`;
  return {
    cells: [["tools"], ["never seen before"], ["-"], [now], [""], gradeText(severity, "changed", true)],
    ...(severity === "severe" ? { tone: "bad" as const } : {}),
  };
}

function axisRow(row: AxisRow, report: DiffReport): Row {
  const head: Cell[] = [[row.axis], [axisWords[row.axis].is]];
  if (hasNoData(row)) return { cells: head, rest: [styled("dim", noDataReason(row))] };
  const says =
    row.delta === 0
      ? "no change"
      : `${signedAmount(row.axis, row.delta)} (${signedAmount(row.axis, row.ci95Low)} to ${signedAmount(row.axis, row.ci95High)})`;
  const cells: Cell[] = [
    ...head,
    ...amountPair(row.axis, row.baseline, row.candidate).map((amount): Cell => [amount]),
    { kind: "bar", ...barOf.axis(row), says: [says] },
    row.flags.includes("told_only") ? ["not judged"] : gradeText(row.gateSeverity, row.direction, isSupported(report)),
  ];
  return { cells, ...(row.gateSeverity === "severe" && mayTrip(row.direction) ? { tone: "bad" as const } : {}) };
}

function isSupported({ pairCount }: DiffReport): boolean {
  return pairCount >= SMALL_SAMPLE;
}

/**
 * Improvements read `better`, and `unclear` where the interval leaves open whether they are one; grades that no statistics support
 * stand in brackets.
 */
function gradeText(severity: Severity, direction: Direction, isSupported: boolean): Text {
  if (severity === "none") return ["none"];
  const word =
    direction === "better" || direction === "unclear" ? direction : severity === "severe" ? "SEVERE" : severity;
  const shown = isSupported ? word : `(${word})`;
  if (!mayTrip(direction) || severity === "minor") return [shown];
  return say`${styled(severity === "severe" ? "bad" : "warn", shown)}`;
}
