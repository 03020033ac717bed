/**
 * Novel: how many candidate runs call a tool that no baseline run of the cohort calls. Gone is its mirror: how many baseline runs
 * call a tool that no candidate run calls any more.
 *
 * The only signals that a rare tool can move: an average hardly notices it. Under a relabelling a tool is new (gone) when all
 * runs that call it carry the candidate (baseline) label. Cost per labelling: for each tool, its runs up to the first other one.
 */
import type { Design } from "../design.ts";

/** The places (rows of the design) whose runs call a tool, one list per tool. */
export type CallersOfTool = readonly Int32Array[];

export interface NovelCount {
  count(labels: Uint8Array): number;
}

/** `side`: 1 counts candidate runs with a new tool, 0 baseline runs with a tool that is gone. */
export function createNovelCount(design: Design, callers: CallersOfTool, side: 0 | 1 = 1): NovelCount {
  let members = 0;
  for (const label of design.observed) if (label === side) members++;
  // A tool that more runs call than the side has is on that side alone under no labelling.
  const possible = callers.filter((places) => places.length > 0 && places.length <= members);
  const lastSeen = new Int32Array(design.order.length).fill(-1);
  let labelling = 0;
  return {
    count(labels) {
      let runs = 0;
      for (let tool = 0; tool < possible.length; tool++) {
        const places = possible[tool]!;
        if (!areAll(labels, places, side)) continue;
        for (let at = 0; at < places.length; at++) {
          if (lastSeen[places[at]!] === labelling) continue;
          lastSeen[places[at]!] = labelling;
          runs++;
        }
      }
      labelling++;
      return runs;
    },
  };
}

function areAll(labels: Uint8Array, places: Int32Array, side: 0 | 1): boolean {
  for (let at = 0; at < places.length; at++) if (labels[places[at]!] !== side) return false;
  return true;
}

/** For each tool number, the places of the design whose runs call it. */
export function callersOfTools(
  design: Design,
  tools: number,
  namesOf: (position: number) => Iterable<number>,
): CallersOfTool {
  const callers: number[][] = Array.from({ length: tools }, () => []);
  for (let place = 0; place < design.order.length; place++) {
    for (const tool of namesOf(design.order[place]!)) if (callers[tool]!.at(-1) !== place) callers[tool]!.push(place);
  }
  return callers.map((places) => Int32Array.from(places));
}
