/**
 * The signals: one row each, with a bar on one scale. `structure` stands first, because the axes are medians and blind to what
 * happens in fewer than half of the turns.
 */
import { axes } from "@spoor/core/internal/diff/axes";
import { type AxisRow, hasNoData } from "@spoor/core/internal/diff/axis-row";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { Severity } from "@spoor/core/internal/judgement/severity";
import { SMALL_SAMPLE } from "@spoor/core/internal/stats/power";
import type { Block, Cell, Column, Row, Section, Text } from "../../document/document.ts";
import { say, sentences, styled } from "../../document/text.ts";
import { integer, inWords, percent, percentRange } from "../../document/words.ts";
import { amountOf, axisWords, noDataReason, signedAmount } from "./axis-words.ts";
import { powerSentence } from "./sentences.ts";
import { barOf } from "./signal-bar.ts";

export const MEDIANS_ARE_BLIND = `The ${inWords(axes.length)} axes are medians, blind to what happens in fewer than half of the turns; structure counts every turn that does something else.`;

const COLUMNS: readonly Column[] = [
  { title: "axis", min: 12, max: 12 },
  { title: "what it is", min: 18, max: 18, gap: 0, dropBelow: 78 },
  { title: "before", align: "right", min: 8, max: 8, gap: 0 },
  { title: "now", align: "right", min: 8, gap: 1 },
  { title: "change", min: 19, max: 19, gap: 1 },
  { title: "grade", gap: 1 },
];

export function signalTable(report: DiffReport): Block {
  return {
    kind: "table",
    caption: "How far each signal moved",
    columns: COLUMNS,
    rows: [structureRow(report), ...report.rows.map((row) => axisRow(row, report))],
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
    blocks: [signalTable(report), { kind: "paragraph", text: sentences(MEDIANS_ARE_BLIND, powerSentence(report)) }],
  };
}

function structureRow(report: DiffReport): Row {
  const { structure } = report;
  const { changed, turns, share, interval, severity } = structure;
  const says = `${percent(share)} of turns differ, ${percentRange(interval.low, interval.high)} is plausible`;
  const cells: Cell[] = [
    ["structure"],
    ["turns that differ"],
    ["-"],
    [`${integer(changed)} of ${integer(turns)}`],
    { kind: "bar", ...barOf.structure(structure), says: [says] },
    gradeText(severity, false, report),
  ];
  return { cells, ...(severity === "severe" ? { tone: "bad" as const } : {}) };
}

function axisRow(row: AxisRow, report: DiffReport): Row {
  const head: Cell[] = [[row.axis], [axisWords[row.axis].is]];
  if (hasNoData(row)) return { cells: head, rest: [styled("dim", noDataReason(row))] };
  const isBetter = row.direction === "better";
  const says =
    row.delta === 0
      ? "no change"
      : `${signedAmount(row.axis, row.delta)} (${signedAmount(row.axis, row.ci95Low)} to ${signedAmount(row.axis, row.ci95High)})`;
  const cells: Cell[] = [
    ...head,
    [amountOf(row.axis, row.baseline)],
    [amountOf(row.axis, row.candidate)],
    { kind: "bar", ...barOf.axis(row), says: [says] },
    gradeText(row.gateSeverity, isBetter, report),
  ];
  return { cells, ...(row.gateSeverity === "severe" && !isBetter ? { tone: "bad" as const } : {}) };
}

/** Improvements read `better`; grades that no statistics support stand in brackets. */
function gradeText(severity: Severity, isBetter: boolean, { pairCount }: DiffReport): Text {
  const word = isBetter ? "better" : severity === "severe" ? "SEVERE" : severity;
  const shown = pairCount < SMALL_SAMPLE && severity !== "none" ? `(${word})` : word;
  if (isBetter || severity === "none" || severity === "minor") return [shown];
  return say`${styled(severity === "severe" ? "bad" : "warn", shown)}`;
}
