/** A trend as a self-contained SVG: one small plot per measure, readable in light and dark, with a text for screen readers. */

import type { TrendMeasure, TrendReport } from "@spoor/core/fingerprint/trend";
import { printable } from "../../document/printable.ts";
import { escapeXml } from "../../write/xml.ts";
import { detectorWords, measureValue, trendSentence } from "./words.ts";

const WIDTH = 720;
const ROW = 84;
const LEFT = 170;
const RIGHT = 150;
const TOP = 56;

export function renderTrendSvg(report: TrendReport): string {
  const { measures, points } = report.trend;
  const height = TOP + measures.length * ROW + 34;
  const title = escapeXml(printable(trendSentence(report, (name) => name)));
  const plots = measures.map((measure, index) => plot(measure, TOP + index * ROW, report));
  const ends = [points[0], points.at(-1)].map((point) => escapeXml(printable(point?.name ?? "").slice(0, 40)));
  const footer = `<text x="${LEFT}" y="${height - 14}">${ends[0]}</text><text x="${WIDTH - RIGHT}" y="${height - 14}" text-anchor="end">${ends[1]}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title id="t">${title}</title>
<style>text{fill:#1a1a1a}.dim{fill:#5c5c5c}.line{fill:none;stroke:#0b62a8;stroke-width:2}.dot{fill:#0b62a8}.drift{fill:#b3261e}@media(prefers-color-scheme:dark){text{fill:#eee}.dim{fill:#aaa}.line{stroke:#7cb8ec}.dot{fill:#7cb8ec}.drift{fill:#ff8a80}}</style>
<text x="12" y="28" font-size="15" font-weight="600">${title.length > 96 ? `${title.slice(0, 95)}…` : title}</text>
${plots.join("\n")}
${footer}
</svg>
`;
}

function plot(measure: TrendMeasure, top: number, report: TrendReport): string {
  const present = measure.values.filter((value) => value !== null);
  const low = Math.min(...present);
  const span = Math.max(...present) - low || 1;
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, measure.values.length - 1);
  const placed = measure.values.map((value, index) =>
    value === null ? undefined : { x: round(LEFT + index * step), y: round(top + 52 - ((value - low) / span) * 40) },
  );
  const label = `<text x="12" y="${top + 30}">${measure.label}</text>`;
  if (present.length === 0) return `${label}<text class="dim" x="${LEFT}" y="${top + 30}">no data</text>`;
  const last = measureValue(measure, measure.values.at(-1) ?? null);
  const reading = escapeXml(printable(detectorWords(measure, (name) => name)).slice(0, 40));
  const driftAt = measure.detector.state === "drift" ? measure.detector.at : undefined;
  const dots = placed.map((point, index) => {
    if (point === undefined) return "";
    const drifted = driftAt !== undefined && report.trend.points[index]?.name === driftAt;
    return `<circle class="${drifted ? "drift" : "dot"}" cx="${point.x}" cy="${point.y}" r="${drifted ? 5 : 3}"/>`;
  });
  return `${label}<text class="dim" x="12" y="${top + 47}" font-size="11">${reading}</text><path class="line" d="${pathOf(placed)}"/>${dots.join("")}<text x="${WIDTH - RIGHT + 12}" y="${top + 34}">${last}</text>`;
}

/** Gaps in the data are gaps in the line. */
function pathOf(points: readonly ({ x: number; y: number } | undefined)[]): string {
  let open = false;
  return points
    .flatMap((point) => {
      if (point === undefined) {
        open = false;
        return [];
      }
      const command = open ? "L" : "M";
      open = true;
      return [`${command}${point.x} ${point.y}`];
    })
    .join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
