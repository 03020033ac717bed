/**
 * Tools below each other in the order in which runs come to them; left of them the steps of the baseline, right those of the candidate. A
 * step to the next tool is a straight line, one that skips tools a bow around them, one back a bow from below.
 */
import type { FlowStep, ToolFlow } from "@spoor/core/internal/diff/tool-flow";
import { foldName } from "@spoor/core/internal/text/columns";
import type { Plot, Shape } from "../../document/document.ts";
import { count } from "../../document/words.ts";
import { stackRows, textLines } from "../text-lines.ts";

/** Narrow enough for a phone without shrinking the letters. */
const WIDTH = 344;
const MIDDLE = WIDTH / 2;
const HALF_LABEL = 92;
const ROW = 40;
const TOP = 24;
/** Of a name on one line. */
const LETTERS = 24;
/** Steps of fewer runs would be threads; the rows have them. */
const DRAWN = 60;

export function flowPlot(flow: ToolFlow): Plot {
  const { tools, pairs } = flow;
  const places = new Map<string | null, number>(tools.map(({ tool }, at) => [tool, at + 1]));
  const end = tools.length + 1;
  const names = [["begins"], ...tools.map(({ tool }) => foldName(tool, LETTERS)), ["ends"]];
  const { middles, bottom } = stackRows(names, TOP + 14 - ROW / 2, ROW);
  const y = (place: number) => middles[place]!;
  const drawn = flow.steps.slice(0, DRAWN);
  const shapes: Shape[] = [
    { shape: "text", x: 4, y: 14, text: "before", class: "dim" },
    { shape: "text", x: WIDTH - 4, y: 14, text: "now", anchor: "end", class: "dim" },
  ];
  for (const step of drawn) {
    const from = step.from === null ? 0 : places.get(step.from)!;
    const to = step.to === null ? end : places.get(step.to)!;
    for (const side of ["baseline", "candidate"] as const) {
      if (step[side].runs === 0) continue;
      shapes.push({
        shape: "curve",
        points: bow(from, to, y, side === "baseline" ? -1 : 1),
        class: isOnlyHere(step, side) ? "loud" : "calm",
        width: Math.max(1, (6 * step[side].runs) / Math.max(1, pairs)),
      });
    }
  }
  for (const [place, lines] of names.entries()) {
    const tone = place === 0 || place === end ? ({ class: "dim" } as const) : {};
    shapes.push(...textLines(lines, { x: MIDDLE, middle: y(place), anchor: "middle", ...tone }));
  }
  return {
    title: "Which tool follows which, before and now",
    description: describe(drawn),
    width: WIDTH,
    height: bottom,
    shapes,
  };
}

function isOnlyHere(step: FlowStep, side: "baseline" | "candidate"): boolean {
  return step[side === "baseline" ? "candidate" : "baseline"].runs === 0;
}

/** Points of a line beside the labels, further out the more tools it passes; one that goes back leaves below and comes in above. */
function bow(
  from: number,
  to: number,
  y: (place: number) => number,
  side: -1 | 1,
): readonly (readonly [number, number])[] {
  const edge = MIDDLE + side * HALF_LABEL;
  const distance = Math.abs(to - from);
  const isBack = to <= from;
  const depth = distance === 1 && !isBack ? 0 : Math.min(68, 14 + 12 * Math.max(1, distance));
  const begin = y(from) + (isBack ? 8 : 4);
  const finish = y(to) - (isBack ? 8 : 4);
  const parts = depth === 0 ? 1 : 16;
  return Array.from({ length: parts + 1 }, (_, at) => {
    const share = at / parts;
    return [edge + side * depth * Math.sin(Math.PI * share), begin + (finish - begin) * share] as const;
  });
}

function describe(steps: readonly FlowStep[]): string {
  const gone = steps.filter((step) => isOnlyHere(step, "baseline")).length;
  const fresh = steps.filter((step) => isOnlyHere(step, "candidate")).length;
  return `${count(steps.length, "step")}; ${gone} only before, ${fresh} only now. The rows below say which.`;
}
