/** A trend as a picture: one small curve per measure, each on its own scale. */
import type { TrendMeasure, TrendReport } from "@spoor/core/internal/fingerprint/trend";
import type { Plot, Shape } from "../../document/document.ts";
import { plainText } from "../../document/text.ts";
import { clip } from "../../document/words.ts";
import { measureValue, readingText } from "./words.ts";

const WIDTH = 720;
const ROW = 84;
const LEFT = 280;
const RIGHT = 100;
const TOP = 30;
const TITLE = "Each measure over the points";

/** One point has no trend. */
export function trendPlots({ trend: { measures, points } }: TrendReport): Plot[] {
  if (points.length < 2) return [];
  const height = TOP + measures.length * ROW + 34;
  const names = points.map((point) => point.name);
  const ends: Shape[] = [
    { shape: "text", x: LEFT, y: height - 14, text: clip(names[0]!, 24), class: "dim" },
    { shape: "text", x: WIDTH - RIGHT, y: height - 14, text: clip(names.at(-1)!, 24), anchor: "end", class: "dim" },
  ];
  return [
    {
      title: TITLE,
      description: measures
        .map((measure) => {
          const values = measure.values.map((value) => measureValue(measure, value)).join(", ");
          return `${measure.label}: ${values}; ${plainText(readingText(measure))}.`;
        })
        .join(" "),
      width: WIDTH,
      height,
      shapes: [
        { shape: "text", x: 12, y: 20, text: TITLE },
        ...measures.flatMap((measure, index) => measureShapes(measure, TOP + index * ROW, names)),
        ...ends,
      ],
    },
  ];
}

function measureShapes(measure: TrendMeasure, top: number, names: readonly string[]): Shape[] {
  const label: Shape = { shape: "text", x: 12, y: top + 30, text: measure.label };
  const present = measure.values.filter((value) => value !== null);
  if (present.length === 0) return [label, { shape: "text", x: LEFT, y: top + 30, text: "no data", class: "dim" }];
  const low = Math.min(...present);
  const span = Math.max(...present) - low;
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, measure.values.length - 1);
  // What never moves runs through the middle of its row.
  const placed = measure.values.map((value, index) =>
    value === null
      ? undefined
      : ([LEFT + index * step, top + 52 - (span === 0 ? 0.5 : (value - low) / span) * 40] as const),
  );
  const driftAt = measure.detector.state === "drift" ? measure.detector.at : undefined;
  return [
    label,
    { shape: "text", x: 12, y: top + 47, text: clip(plainText(readingText(measure)), 42), class: "dim" },
    ...unbroken(placed).map((points): Shape => ({ shape: "curve", points, class: "series-0" })),
    ...placed.flatMap((place, index): Shape[] => {
      if (place === undefined) return [];
      const drifted = driftAt !== undefined && names[index] === driftAt;
      const [x, y] = place;
      return [{ shape: "dot", x, y, class: drifted ? "loud" : "series-0", radius: drifted ? 5 : 3 }];
    }),
    { shape: "text", x: WIDTH - RIGHT + 12, y: top + 36, text: measureValue(measure, measure.values.at(-1)) },
  ];
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
