/** A trend as pictures: one small plot per question, with its own numbered axis, its noise band and its reading. */
import type { NumberAnswer } from "@spoor/core/internal/fingerprint/series/test-series";
import type { Trend, TrendReport } from "@spoor/core/internal/fingerprint/trend";
import { foldName } from "@spoor/core/internal/text/columns";
import type { Plot, Shape } from "../../document/document.ts";
import { plainText } from "../../document/text.ts";
import { LINE, textLines } from "../text-lines.ts";
import { measureValue, readingText } from "./words.ts";

/** Narrow enough for a phone without shrinking the letters. */
const WIDTH = 344;
const LEFT = 62;
const RIGHT = 14;
/** Of the first line of the reading; the plot follows below its last. */
const READING = 31;
const PLOT = 66;
/** Of a reading and of a point's name on one line. */
const READING_LETTERS = 48;
const NAME_LETTERS = 18;
const KNOWN_PATHS = "known paths";

interface Row {
  readonly label: string;
  readonly unit: string;
  readonly values: readonly (number | null)[];
  readonly test: NumberAnswer;
}

/** One point has no trend; what nobody recorded has no picture. */
export function trendPlots({ trend }: TrendReport): Plot[] {
  if (trend.points.length < 2) return [];
  return rowsOf(trend)
    .filter(({ values }) => values.some((value) => value !== null))
    .map((row) => plotOf(row, trend));
}

function rowsOf({ points, paths, measures }: Trend): Row[] {
  const known = { label: KNOWN_PATHS, unit: "share", values: points.map((point) => point.knownPaths), test: paths };
  return [known, ...measures];
}

function plotOf(row: Row, { points }: Trend): Plot {
  const reading = plainText(readingText(row.test, points));
  const said = foldName(reading, READING_LETTERS);
  const top = READING + 21 + (said.length - 1) * LINE;
  const bottom = top + PLOT;
  const names = points.map(({ name }) => foldName(name, NAME_LETTERS));
  const [low, high] = rangeOf(row);
  const y = (value: number) => bottom - ((value - low) / (high - low)) * PLOT;
  const step = (WIDTH - LEFT - RIGHT) / points.length;
  const x = (index: number) => LEFT + (index + 0.5) * step;
  const placed = row.values.map((value, index) => (value === null ? undefined : ([x(index), y(value)] as const)));
  const values = row.values.map((value, index) => `${points[index]!.name} ${measureValue(row, value)}`).join(", ");
  const banded = row.test.band.some((band) => band !== null);
  return {
    title: `${row.label}: ${reading}`,
    description: `${row.label} by point: ${values}. ${reading}.${banded ? " The band is what noise explains." : ""}`,
    width: WIDTH,
    height: bottom + 18 + Math.max(...names.map(({ length }) => length)) * LINE,
    shapes: [
      { shape: "text", x: 8, y: 18, text: row.label },
      ...textLines(said, {
        x: 8,
        middle: READING + ((said.length - 1) * LINE) / 2,
        class: row.test.state === "drift" ? "loud" : "dim",
      }),
      ...[low, high].flatMap((value): Shape[] => [
        {
          shape: "line",
          x1: LEFT,
          y1: y(value),
          x2: WIDTH - RIGHT,
          y2: y(value),
          class: value === low ? "axis" : "grid",
        },
        { shape: "text", x: LEFT - 6, y: y(value) + 4, text: measureValue(row, value), anchor: "end", class: "dim" },
      ]),
      ...row.test.band.flatMap((band, index): Shape[] => {
        if (band === null) return [];
        const [top, bottom] = [y(Math.min(high, band.high)), y(Math.max(low, band.low))];
        return [{ shape: "band", x: LEFT + index * step, y: top, width: step, height: Math.max(1, bottom - top) }];
      }),
      ...(row.label === KNOWN_PATHS
        ? []
        : levelShapes(
            row,
            points.map((point) => point.runs),
            x,
            y,
          )),
      ...unbroken(placed).map((line): Shape => ({ shape: "curve", points: line, class: "series-0" })),
      ...placed.flatMap((place, index): Shape[] => {
        if (place === undefined) return [];
        const loud = isLoud(row.test, index) && !(row.label === KNOWN_PATHS && row.values[index] === 1);
        return [{ shape: "dot", x: place[0], y: place[1], class: loud ? "loud" : "series-0", radius: loud ? 4.5 : 3 }];
      }),
      ...pointNames(names, x, bottom + 16),
    ],
  };
}

/** The points that the drift is about: all from a shift on, or the one of a spike. */
function isLoud({ state, form, point }: NumberAnswer, index: number): boolean {
  if (state !== "drift" || point === undefined) return false;
  return form === "spike" ? index === point : index >= point;
}

/** The mean of the points from a shift on: outside the band. */
function levelShapes(
  { values, test: { state, form, point = 0 } }: Row,
  runs: readonly number[],
  x: (index: number) => number,
  y: (value: number) => number,
): Shape[] {
  if (state !== "drift" || form !== "shift") return [];
  const later = values.flatMap((value, index) =>
    index < point || value === null ? [] : [{ value, runs: runs[index]! }],
  );
  const all = later.reduce((sum, one) => sum + one.runs, 0);
  if (all === 0) return [];
  const level = y(later.reduce((sum, one) => sum + one.value * one.runs, 0) / all);
  return [
    { shape: "line", x1: x(point - 0.5), y1: level, x2: x(values.length - 0.5), y2: level, class: "loud", width: 1 },
  ];
}

/** Room for every value and its band; what never moves runs through the middle. Shares stay within 0 and 100 %. */
function rangeOf({ unit, values, test }: Row): [low: number, high: number] {
  const bands = test.band.flatMap((band) => (band === null ? [] : [band.low, band.high]));
  const all = [...values.filter((value) => value !== null), ...bands];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (unit === "share") return [0, Math.min(1, niceAbove(most <= 0 ? 0.1 : most))];
  // A tenth of the value at least, so that a hair's breadth is no cliff.
  const [middle, span] = [(least + most) / 2, Math.max(most - least, Math.abs(least + most) * 0.1, 1e-9)];
  return [Math.max(0, middle - span * 0.55), middle + span * 0.55];
}

/** 0.034 → 0.05, 0.34 → 0.5, 0.6 → 1. */
function niceAbove(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * unit >= value - 1e-12) ?? 10) * unit;
}

/** First and last always; those between where they have room. */
function pointNames(names: readonly (readonly string[])[], x: (index: number) => number, top: number): Shape[] {
  const text = (index: number, anchor: "start" | "middle" | "end") => {
    const lines = names[index]!;
    return textLines(lines, {
      x: anchor === "start" ? LEFT : anchor === "end" ? WIDTH - RIGHT : x(index),
      middle: top + ((lines.length - 1) * LINE) / 2,
      anchor,
      class: "dim",
    });
  };
  const longest = Math.max(...names.flat().map((line) => line.length));
  if (names.length * (longest + 1) * 7 <= WIDTH - LEFT - RIGHT)
    return names.flatMap((_, index) => text(index, "middle"));
  return [...text(0, "start"), ...text(names.length - 1, "end")];
}

type Place = readonly [x: number, y: number];

/** Gaps in the data are gaps in the line. */
function unbroken(places: readonly (Place | undefined)[]): Place[][] {
  const lines: Place[][] = [[]];
  for (const place of places) {
    if (place === undefined) lines.push([]);
    else lines.at(-1)!.push(place);
  }
  return lines.filter((line) => line.length > 1);
}
