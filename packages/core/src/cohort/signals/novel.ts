/**
 * Novel: how many candidate runs call a tool that no baseline run of the cohort calls.
 *
 * The only signal that a rare new tool can move: an average hardly notices it. Under a relabelling a tool is new when all
 * runs that call it carry the candidate label. Cost per labelling: for each tool, its runs up to the first baseline one.
 */
import type { Design } from "../design.ts";

/** The places (rows of the design) whose runs call a tool, one list per tool. */
export type CallersOfTool = readonly Int32Array[];

export interface NovelCount {
  count(labels: Uint8Array): number;
}

export function createNovelCount(design: Design, callers: CallersOfTool): NovelCount {
  let candidates = 0;
  for (const label of design.observed) candidates += label;
  // A tool that more runs call than there are candidate runs is new under no labelling.
  const possible = callers.filter((places) => places.length > 0 && places.length <= candidates);
  const lastSeen = new Int32Array(design.order.length).fill(-1);
  let labelling = 0;
  return {
    count(labels) {
      let runs = 0;
      for (const places of possible) {
        if (!places.every((place) => labels[place] === 1)) continue;
        for (const place of places) {
          if (lastSeen[place] === labelling) continue;
          lastSeen[place] = labelling;
          runs++;
        }
      }
      labelling++;
      return runs;
    },
  };
}

/** For each tool number, the places of the design whose runs call it. */
export function callersOfTools(
  design: Design,
  tools: number,
  namesOf: (position: number) => Iterable<number>,
): CallersOfTool {
  const callers: number[][] = Array.from({ length: tools }, () => []);
  for (let place = 0; place < design.order.length; place++) {
    for (const tool of new Set(namesOf(design.order[place]!))) callers[tool]!.push(place);
  }
  return callers.map((places) => Int32Array.from(places));
}
