/**
 * Which turn of the candidate is which turn of the baseline. Equal ends are matched at once; up to 300 turns a side the whole
 * programme runs (align-stretch.ts); longer runs are first fixed at turns that occur exactly once on both sides (the longest
 * increasing chain of them, as in patience diff), and the programme runs between those anchors, in a band where a stretch stays long.
 * Cost: linear for similar runs; at most about turns · 200 comparisons otherwise.
 */
import { equalEnds } from "../../stats/equal-ends.ts";
import type { FactsTable, TurnFacts } from "../turn-facts.ts";
import { alignStretch, type Stretch } from "./align-stretch.ts";
import { type AlignedStep, type Alignment, type AlignmentMethod, alignmentMethods } from "./alignment.ts";
import { turnCost } from "./turn-cost.ts";

/** Up to this many turns a side every possibility is weighed. */
const FULL_TURNS = 300;
const MIN_BAND = 100;
/** Beyond this many cells even a band is too much, and a stretch is paired in order. */
const MAX_CELLS = 40_000_000;

export function alignTurns(
  table: FactsTable,
  baseline: readonly TurnFacts[],
  candidate: readonly TurnFacts[],
): Alignment {
  const left = Int32Array.from(baseline, (facts) => facts.key);
  const right = Int32Array.from(candidate, (facts) => facts.key);
  const { start, end } = equalEnds(left, right);
  const middle: Range = { top: start, bottom: left.length - end, left: start, right: right.length - end };

  const aligner = new Aligner(table, baseline, candidate);
  for (let index = 0; index < start; index++) aligner.match(index, index);
  if (Math.max(baseline.length, candidate.length) <= FULL_TURNS) aligner.align(middle);
  else aligner.alignBetweenAnchors(middle, left, right);
  for (let back = end; back > 0; back--) aligner.match(left.length - back, right.length - back);
  return { steps: moveGapsToFront(aligner.steps, left, right), method: aligner.method };
}

/** Turns top to bottom - 1 of the baseline against left to right - 1 of the candidate. */
interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

class Aligner {
  readonly steps: AlignedStep[] = [];
  method: AlignmentMethod = "full";
  private readonly table: FactsTable;
  private readonly baseline: readonly TurnFacts[];
  private readonly candidate: readonly TurnFacts[];

  constructor(table: FactsTable, baseline: readonly TurnFacts[], candidate: readonly TurnFacts[]) {
    this.table = table;
    this.baseline = baseline;
    this.candidate = candidate;
  }

  match(baseline: number, candidate: number): void {
    this.steps.push({ kind: "match", baseline, candidate });
  }

  alignBetweenAnchors(range: Range, left: Int32Array, right: Int32Array): void {
    this.use("anchored");
    let { top, left: from } = range;
    for (const anchor of findAnchors(range, left, right)) {
      this.alignTrimmed({ top, bottom: anchor.row, left: from, right: anchor.column }, left, right);
      this.match(anchor.row, anchor.column);
      top = anchor.row + 1;
      from = anchor.column + 1;
    }
    this.alignTrimmed({ ...range, top, left: from }, left, right);
  }

  private alignTrimmed(range: Range, left: Int32Array, right: Int32Array): void {
    const ends = equalEnds(left.subarray(range.top, range.bottom), right.subarray(range.left, range.right));
    for (let index = 0; index < ends.start; index++) this.match(range.top + index, range.left + index);
    this.align({
      top: range.top + ends.start,
      bottom: range.bottom - ends.end,
      left: range.left + ends.start,
      right: range.right - ends.end,
    });
    for (let back = ends.end; back > 0; back--) this.match(range.bottom - back, range.right - back);
  }

  align(range: Range): void {
    const height = range.bottom - range.top;
    const width = range.right - range.left;
    const longest = Math.max(height, width);
    let band = longest;
    if (longest > FULL_TURNS && height > 0 && width > 0) {
      this.use("banded");
      band = Math.abs(height - width) + Math.max(MIN_BAND, Math.floor(Math.sqrt(longest)));
      if (height * Math.min(2 * band + 1, width) > MAX_CELLS) {
        this.pairInOrder(range);
        return;
      }
    }
    const stretch: Stretch = {
      height,
      width,
      cost: (row, column) =>
        turnCost(this.table, this.baseline[range.top + row]!, this.candidate[range.left + column]!),
    };
    for (const step of alignStretch(stretch, band)) this.steps.push(shift(step, range));
  }

  private pairInOrder(range: Range): void {
    this.use("by_index");
    let { top, left } = range;
    while (top < range.bottom && left < range.right) this.match(top++, left++);
    while (top < range.bottom) this.steps.push({ kind: "delete", baseline: top++ });
    while (left < range.right) this.steps.push({ kind: "insert", candidate: left++ });
  }

  /** Remembers the coarsest method that was needed. */
  private use(method: AlignmentMethod): void {
    if (alignmentMethods.indexOf(method) > alignmentMethods.indexOf(this.method)) this.method = method;
  }
}

function shift(step: AlignedStep, range: Range): AlignedStep {
  switch (step.kind) {
    case "match":
      return { kind: "match", baseline: step.baseline + range.top, candidate: step.candidate + range.left };
    case "insert":
      return { kind: "insert", candidate: step.candidate + range.left };
    case "delete":
      return { kind: "delete", baseline: step.baseline + range.top };
  }
}

interface Anchor {
  readonly row: number;
  readonly column: number;
}

/** Turns that occur once on each side, thinned to the longest chain that is increasing on both. O(n log n). */
function findAnchors(range: Range, left: Int32Array, right: Int32Array): Anchor[] {
  const columnOf = uniquePositions(right, range.left, range.right);
  const shared: Anchor[] = [];
  for (const [key, row] of uniquePositions(left, range.top, range.bottom)) {
    const column = columnOf.get(key);
    if (column !== undefined && column >= 0 && row >= 0) shared.push({ row, column });
  }
  shared.sort((one, other) => one.row - other.row);
  return longestIncreasing(shared);
}

/** Position of every key, -1 when it occurs more than once. */
function uniquePositions(keys: Int32Array, from: number, to: number): Map<number, number> {
  const positions = new Map<number, number>();
  for (let index = from; index < to; index++) positions.set(keys[index]!, positions.has(keys[index]!) ? -1 : index);
  return positions;
}

/** Fredman (1975): piles of candidates, each new one on the leftmost pile it fits. */
function longestIncreasing(anchors: readonly Anchor[]): Anchor[] {
  const tails: number[] = [];
  const previous = new Int32Array(anchors.length).fill(-1);
  anchors.forEach((anchor, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (anchors[tails[middle]!]!.column < anchor.column) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = tails[low - 1]!;
    tails[low] = index;
  });
  const chain: Anchor[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at]!) chain.push(anchors[at]!);
  return chain.reverse();
}

/**
 * Where a gap could as well stand earlier at no other cost (the turn before it equals its last turn), it does: the
 * earliest place is the one a reader looks at, and it does not depend on which ends were trimmed.
 */
function moveGapsToFront(steps: readonly AlignedStep[], left: Int32Array, right: Int32Array): AlignedStep[] {
  const moved = [...steps];
  for (let index = 1; index < moved.length; index++) {
    if (moved[index]!.kind === "match" || moved[index - 1]!.kind !== "match") continue;
    slideBack(moved, index, left, right);
  }
  return moved;
}

function slideBack(steps: AlignedStep[], first: number, left: Int32Array, right: Int32Array): void {
  const { kind } = steps[first]!;
  let last = first;
  while (steps[last + 1]?.kind === kind) last++;
  let begin = first;
  let end = last;
  while (begin > 0) {
    const before = steps[begin - 1]!;
    const final = steps[end]!;
    if (before.kind !== "match") return;
    if (kind === "delete" && final.kind === "delete" && left[before.baseline] === left[final.baseline]) {
      steps[end] = { kind: "match", baseline: final.baseline, candidate: before.candidate };
      steps[begin - 1] = { kind: "delete", baseline: before.baseline };
    } else if (kind === "insert" && final.kind === "insert" && right[before.candidate] === right[final.candidate]) {
      steps[end] = { kind: "match", baseline: before.baseline, candidate: final.candidate };
      steps[begin - 1] = { kind: "insert", candidate: before.candidate };
    } else {
      return;
    }
    begin--;
    end--;
  }
}
