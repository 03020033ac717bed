/** Plots of a cohort report: signals against the noise band, intervals against their tolerances. */
import type { CohortReport, CohortResult, SignalResult } from "@spoor/core/cohort/cohort-report";
import type { Interval } from "@spoor/core/cohort/intervals";
import { printable } from "../../document/printable.ts";
import { integer } from "../../document/words.ts";
import { cut } from "../../write/terminal/layout.ts";
import { aspectTitle, headline, intervalSubject } from "./sentences.ts";
import { type Plot, renderSvg, stackPlots, svgBand, svgDot, svgLine, svgText } from "./svg.ts";

const WIDTH = 720;
const LEFT = 250;
const RIGHT = 60;
/** Room for "12.5 changed" beside the last dot. */
const LABEL = 90;
const ROW = 22;
const TOP = 54;

/** Both plots as one picture. */
export function renderCohortPlot(report: CohortReport): string {
  return `${renderSvg(stackPlots(headline(report, printable), cohortPlots(report)))}\n`;
}

/** The plots that this report has data for. */
export function cohortPlots(report: CohortResult): Plot[] {
  return [signalPlot(report), intervalPlot(report)].filter((plot) => plot !== undefined);
}

interface SignalRow {
  readonly label: string;
  readonly signal: SignalResult;
  readonly loud: boolean;
}

/** One row per signal that relabelling moves: a dot for what was observed, a band for 95 % of the relabellings. */
function signalPlot(report: CohortResult): Plot | undefined {
  const rows = report.aspects.flatMap(({ aspect, signals }): SignalRow[] =>
    signals
      .filter(({ p, kind }) => p !== null && kind !== "novel")
      .map((signal) => ({
        label: `${aspectTitle[aspect]}${signal.of === "style" ? " (form)" : ""}, ${signal.kind === "shift" ? "on average" : "inside scenarios"}`,
        signal,
        loud: report.verdict === "changed" && signal.adjusted !== null && signal.adjusted <= report.alpha,
      })),
  );
  if (rows.length === 0) return undefined;
  const most = Math.max(4, ...rows.map(({ signal }) => Math.max(signal.ratio, signal.noise))) * 1.15;
  // A square-root scale keeps noise readable beside a change twelve times as large.
  const x = (ratio: number) => LEFT + ((WIDTH - LEFT - LABEL) * Math.sqrt(Math.max(0, ratio))) / Math.sqrt(most);
  const bottom = TOP + rows.length * ROW;
  const parts = [
    svgText(12, 20, "Signals against noise"),
    svgText(12, 38, "Band: 95 % of relabellings. 1 is noise on average.", 'class="dim"'),
  ];
  parts.push(
    svgLine(x(1), TOP - 6, x(1), bottom, "axis"),
    svgText(x(1), TOP - 10, "1", 'text-anchor="middle" class="dim"'),
  );
  for (const [index, { label, signal, loud }] of rows.entries()) {
    const y = TOP + index * ROW + ROW / 2;
    parts.push(svgText(LEFT - 10, y + 4, label, 'text-anchor="end"'), svgBand(x(0), y - 6, x(signal.noise) - x(0), 12));
    parts.push(svgDot(x(signal.ratio), y, loud ? "loud" : "calm"));
    parts.push(
      svgText(
        x(signal.ratio) + 9,
        y + 4,
        `${signal.ratio.toFixed(1)}${loud ? " changed" : ""}`,
        loud ? "" : 'class="dim"',
      ),
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
    body: parts.join(""),
  };
}

/** One row per rate and size: the interval, the estimate, and the tolerance as a band. All in multiples of the tolerance. */
function intervalPlot(report: CohortResult): Plot | undefined {
  const items = report.intervals?.items ?? [];
  if (items.length === 0) return undefined;
  const most = Math.min(8, Math.max(1.5, ...items.map((item) => Math.max(-item.low, item.high) / item.tolerance)));
  const middle = LEFT + (WIDTH - LEFT - RIGHT) / 2;
  const x = (times: number) => middle + ((WIDTH - LEFT - RIGHT) / 2) * (Math.max(-most, Math.min(most, times)) / most);
  const bottom = TOP + items.length * ROW;
  const parts = [
    svgText(12, 20, "What could have changed unseen"),
    svgText(
      12,
      38,
      "Band: the tolerance. Line: every value the runs allow. Right is more in the candidate.",
      'class="dim"',
    ),
    svgBand(x(-1), TOP - 4, x(1) - x(-1), bottom - TOP + 4),
    svgLine(x(0), TOP - 4, x(0), bottom, "axis"),
  ];
  for (const [index, item] of items.entries()) {
    const y = TOP + index * ROW + ROW / 2;
    const className = item.inside ? "calm" : "loud";
    parts.push(svgText(LEFT - 10, y + 4, cut(intervalSubject(item, printable), 36, "…"), 'text-anchor="end"'));
    parts.push(svgLine(x(item.low / item.tolerance), y, x(item.high / item.tolerance), y, className, 2));
    parts.push(svgDot(x(item.difference / item.tolerance), y, className, 3.5));
    parts.push(svgText(WIDTH - RIGHT + 6, y + 4, toleranceText(item), 'class="dim"'));
  }
  return {
    title: "What could have changed unseen",
    description: items
      .map(
        (item) => `${intervalSubject(item, printable)}: ${item.inside ? "within" : "beyond"} ${toleranceText(item)}.`,
      )
      .join(" "),
    width: WIDTH,
    height: bottom + 18,
    body: parts.join(""),
  };
}

function toleranceText({ kind, tolerance }: Interval): string {
  return kind === "rate" ? `±${integer(100 * tolerance)} pt` : `±${integer(100 * (2 ** tolerance - 1))} %`;
}
