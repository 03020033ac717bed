/** The power curve of a plan: the share found against runs a side, one curve per change. */
import type { CohortPlanReport } from "@spoor/core/internal/cohort/plan-cohort";
import type { Plot, Shape } from "../../document/document.ts";
import { clip, integer, percent } from "../../document/words.ts";

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 60;
const RIGHT = 300;
const TOP = 50;
const BOTTOM = 50;
const LINE = 15;
/** How many series the writer tells apart. */
const SERIES = 8;

/** Without repeats there is nothing to draw. */
export function powerPlots({ simulation }: CohortPlanReport): Plot[] {
  if (simulation === null) return [];
  const { changes } = simulation;
  const sizes = [...new Set(changes.flatMap(({ bySize }) => bySize.map(({ runsPerSide }) => runsPerSide)))];
  const most = Math.max(1, ...sizes);
  const x = (runs: number) => LEFT + ((WIDTH - LEFT - RIGHT) * runs) / most;
  const y = (share: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const title = "How often a change in half of the runs would be found";
  const shapes: Shape[] = [
    { shape: "text", x: 12, y: 20, text: title },
    { shape: "text", x: LEFT, y: HEIGHT - 14, text: "runs a side", class: "dim" },
  ];
  for (const share of [0, 0.5, 0.8, 1]) {
    shapes.push(
      { shape: "text", x: LEFT - 8, y: y(share) + 4, text: percent(share), anchor: "end", class: "dim" },
      { shape: "line", x1: LEFT, y1: y(share), x2: WIDTH - RIGHT, y2: y(share), class: share === 0 ? "axis" : "grid" },
    );
  }
  for (const runs of sizes)
    shapes.push({ shape: "text", x: x(runs), y: HEIGHT - 32, text: integer(runs), anchor: "middle", class: "dim" });
  const ends = spread(changes.map(({ bySize }) => y(bySize.at(-1)?.found ?? 0)));
  for (const [index, { bySize, words }] of changes.entries()) {
    const series = `series-${index % SERIES}` as const;
    const points = bySize.map(({ runsPerSide, found }) => [x(runsPerSide), y(found)] as const);
    shapes.push(
      { shape: "curve", points, class: series },
      ...points.map(([cx, cy]): Shape => ({ shape: "dot", x: cx, y: cy, class: series, radius: 3 })),
      { shape: "text", x: WIDTH - RIGHT + 12, y: ends[index]! + 4, text: clip(words, 46), class: series },
    );
  }
  const description = changes
    .map(
      ({ words, bySize }) =>
        `${words}: ${bySize.map(({ runsPerSide, found }) => `${percent(found)} with ${runsPerSide} runs a side`).join(", ")}.`,
    )
    .join(" ");
  return [{ title, description, width: WIDTH, height: HEIGHT, shapes }];
}

/** Moves labels apart so that none covers another. */
function spread(places: readonly number[]): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((left, right) => left.place - right.place);
  const result: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { place, index } of order) {
    last = Math.max(place, last + LINE);
    result[index] = last;
  }
  return result;
}
