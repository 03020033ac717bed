/** Lines of system prompts: what changed between two, and where a change stands in a third. */
import { splitLines } from "../diff/text-difference.ts";
import { lcsPairs } from "../stats/lcs.ts";
import { isSameButVolatile, withoutVolatile } from "../text/volatile.ts";
import type { PromptChange, PromptPlace } from "./changed-input.ts";

export interface Hunk {
  readonly baseline: readonly string[];
  readonly candidate: readonly string[];
  readonly place: PromptPlace;
}

/** The stretches in which two prompts differ; ids and times are no difference. Left · right steps at worst. */
export function promptHunks(before: string, after: string): Hunk[] {
  const left = splitLines(before);
  const right = splitLines(after);
  const kept = lcsPairs(left.map(withoutVolatile), right.map(withoutVolatile));
  const hunks: Hunk[] = [];
  let fromLeft = 0;
  let fromRight = 0;
  for (const [toLeft, toRight] of [...kept, [left.length, right.length] as const]) {
    if (toLeft > fromLeft || toRight > fromRight) {
      hunks.push({
        baseline: left.slice(fromLeft, toLeft),
        candidate: right.slice(fromRight, toRight),
        place: placeOf(right[fromRight - 1], right[toRight]),
      });
    }
    fromLeft = toLeft + 1;
    fromRight = toRight + 1;
  }
  return hunks;
}

function placeOf(before: string | undefined, after: string | undefined): PromptPlace {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** Where lines stand at one of their places; -1 when they do not. */
export function findLines(lines: readonly string[], wanted: readonly string[], places: PromptChange["places"]): number {
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    const fits = wanted.every((line, index) => isSameButVolatile(lines[at + index]!, line));
    if (fits && places.some((place) => isAround(lines, at, at + wanted.length, place))) return at;
  }
  return -1;
}

function isAround(lines: readonly string[], from: number, to: number, { before, after }: PromptPlace): boolean {
  const isSame = (line: string | undefined, other: string | undefined) =>
    line === undefined || other === undefined ? line === other : isSameButVolatile(line, other);
  return isSame(lines[from - 1], before) && isSame(lines[to], after);
}
