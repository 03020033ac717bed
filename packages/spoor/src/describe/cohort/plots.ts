/** Plots of a cohort report: signals against the noise band, intervals against their tolerances. */
import type { CohortResult, SignalResult } from "@spoor/core/internal/cohort/cohort-report";
import type { Interval } from "@spoor/core/internal/cohort/intervals";
import { foldName } from "@spoor/core/internal/text/columns";
import type { Plot, Shape } from "../../document/document.ts";
import { plainText } from "../../document/text.ts";
import { stackRows, textLines } from "../text-lines.ts";
import { aspectTitle } from "./aspects.ts";
import { intervalSubject, reachOf, toleranceText } from "./intervals.ts";

const WIDTH = 720;
const LEFT = 250;
const RIGHT = 60;
/** Room for "12.5 changed" beside the last dot. */
const LABEL = 90;
const ROW = 22;
/** Of a name on one line. */
const LETTERS = 36;
const TOP = 54;

/** The plots that this report has data for. */
export function cohortPlots(report: CohortResult): Plot[] {
  return [signalPlot(report), intervalPlot(report)].filter((plot) => plot !== undefined);
}

interface SignalRow {
  readonly label: string;
  readonly signal: SignalResult;
  readonly loud: boolean;
}

const SIGNAL_WORDS = {
  shift: "on average",
  scenario: "inside scenarios",
  novel: "new tools",
  gone: "tools no longer used",
  joint: "all of it together",
  ended: "runs without an answer",
} as const;

/** What a second signal of the same kind in one aspect looks at. */
const OF_WORDS: Readonly<Record<string, string>> = { style: " (form)", steps: " (next step)" };

/** One row per signal that relabelling moves: a dot for what was observed, a band for 95 % of the relabellings. */
function signalPlot(report: CohortResult): Plot | undefined {
  const row = (title: string, signal: SignalResult): SignalRow => ({
    label: `${title}${OF_WORDS[signal.of] ?? ""}, ${SIGNAL_WORDS[signal.kind]}`,
    signal,
    loud: report.verdict === "changed" && signal.adjusted !== null && signal.adjusted <= report.alpha,
  });
  const rows = [
    ...report.aspects.flatMap(({ aspect, signals }) => signals.map((signal) => row(aspectTitle[aspect], signal))),
    ...(report.joint === null ? [] : [row("behaviour", report.joint)]),
  ].filter(({ signal: { p, kind } }) => p !== null && kind !== "novel" && kind !== "gone");
  if (rows.length === 0) return undefined;
  const most = Math.max(4, ...rows.map(({ signal }) => Math.max(signal.ratio, signal.noise))) * 1.15;
  // A square-root scale keeps noise readable beside a change twelve times as large.
  const x = (ratio: number) => LEFT + ((WIDTH - LEFT - LABEL) * Math.sqrt(Math.max(0, ratio))) / Math.sqrt(most);
  const bottom = TOP + rows.length * ROW;
  const shapes: Shape[] = [
    ...heading("Signals against noise", "Band: 95 % of relabellings. 1 is noise on average."),
    { shape: "line", x1: x(1), y1: TOP - 6, x2: x(1), y2: bottom, class: "axis" },
    { shape: "text", x: x(1), y: TOP - 10, text: "1", anchor: "middle", class: "dim" },
  ];
  for (const [index, { label, signal, loud }] of rows.entries()) {
    const y = TOP + index * ROW + ROW / 2;
    const said = `${signal.ratio.toFixed(1)}${loud ? " changed" : ""}`;
    shapes.push(
      { shape: "text", x: LEFT - 10, y: y + 4, text: label, anchor: "end" },
      { shape: "band", x: x(0), y: y - 6, width: x(signal.noise) - x(0), height: 12 },
      { shape: "dot", x: x(signal.ratio), y, class: loud ? "loud" : "calm" },
      { shape: "text", x: x(signal.ratio) + 9, y: y + 4, text: said, ...(loud ? {} : { class: "dim" }) },
    );
  }
  return {
    title: "Signals against noise",
    description: rows
      .map(
        ({ label, signal }) =>
          `${label}: ${signal.ratio.toFixed(1)} times noise, 95 % of relabellings below ${signal.noise.toFixed(1)}.`,
      )
      .join(" "),
    width: WIDTH,
    height: bottom + 18,
    shapes,
  };
}

/** One row per rate and size: the interval, the estimate, and the tolerance as a band. All in multiples of the tolerance. */
function intervalPlot(report: CohortResult): Plot | undefined {
  const items = report.intervals?.items ?? [];
  if (items.length === 0) return undefined;
  const most = Math.min(8, Math.max(1.5, ...items.map((item) => reachOf(item) / item.tolerance)));
  const middle = LEFT + (WIDTH - LEFT - RIGHT) / 2;
  const x = (times: number) => middle + ((WIDTH - LEFT - RIGHT) / 2) * (Math.max(-most, Math.min(most, times)) / most);
  const names = items.map((item) => foldName(subjectOf(item), LETTERS));
  const { middles, bottom } = stackRows(names, TOP, ROW);
  const shapes: Shape[] = [
    ...heading(
      "What could have changed unseen",
      "Band: the tolerance. Line: every value the runs allow. Right is more in the candidate.",
    ),
    { shape: "band", x: x(-1), y: TOP - 4, width: x(1) - x(-1), height: bottom - TOP + 4 },
    { shape: "line", x1: x(0), y1: TOP - 4, x2: x(0), y2: bottom, class: "axis" },
  ];
  for (const [index, item] of items.entries()) {
    const y = middles[index]!;
    const { low, high, difference, tolerance } = item;
    const shade = item.inside ? "calm" : "loud";
    shapes.push(
      ...textLines(names[index]!, { x: LEFT - 10, middle: y, anchor: "end" }),
      { shape: "line", x1: x(low / tolerance), y1: y, x2: x(high / tolerance), y2: y, class: shade, width: 2 },
      { shape: "dot", x: x(difference / tolerance), y, class: shade, radius: 3.5 },
      { shape: "text", x: WIDTH - RIGHT + 6, y: y + 4, text: unitOf(item), class: "dim" },
    );
  }
  return {
    title: "What could have changed unseen",
    description: items
      .map((item) => `${subjectOf(item)}: ${item.inside ? "within" : "beyond"} ${unitOf(item)}.`)
      .join(" "),
    width: WIDTH,
    height: bottom + 18,
    shapes,
  };
}

function heading(title: string, gloss: string): Shape[] {
  return [
    { shape: "text", x: 12, y: 20, text: title },
    { shape: "text", x: 12, y: 38, text: gloss, class: "dim" },
  ];
}

function subjectOf(item: Interval): string {
  return plainText(intervalSubject(item));
}

function unitOf(item: Interval): string {
  return item.kind === "rate" ? `${toleranceText(item)} pt` : toleranceText(item);
}
