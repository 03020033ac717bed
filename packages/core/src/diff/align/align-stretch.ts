/**
 * The cheapest way through two stretches of turns: match, insert or delete, with affine gaps (a gap costs once to open and
 * less to extend), so that three missing turns in a row are one event. Gotoh (1982), "An improved algorithm for matching
 * biological sequences". One back-pointer per table and cell, so the path walked is an optimal one.
 *
 * Cells that no path as cheap as a known one can pass are never evaluated: for similar runs little more than the
 * diagonal is. Worst case: one comparison of two turns per cell inside the band; memory one byte per cell.
 */
import type { AlignedStep } from "./alignment.ts";

export const GAP_OPEN = 0.6;
export const GAP_EXTEND = 0.15;
const UNREACHED = 1e18;
const TIE = 1e-12;
const SLACK = 1e-9;

/** Which table a cell's best path came from; the three tables' pointers share one byte. */
const MATCH = 0;
const INSERT = 1;
const DELETE = 2;
const INSERT_FROM_INSERT = 4;
const DELETE_FROM_DELETE = 8;

export interface Stretch {
  readonly height: number;
  readonly width: number;
  /** The cost of taking baseline turn `row` and candidate turn `column` for the same one. */
  cost(row: number, column: number): number;
}

/** Steps with positions inside the stretch. `band` limits how far apart two matched turns may stand. */
export function alignStretch(stretch: Stretch, band: number): AlignedStep[] {
  const { height, width } = stretch;
  if (height === 0) return Array.from({ length: width }, (_, candidate) => ({ kind: "insert", candidate }));
  if (width === 0) return Array.from({ length: height }, (_, baseline) => ({ kind: "delete", baseline }));
  // Two single turns: a match costs at most 1, an insertion and a deletion 1.2.
  if (height === 1 && width === 1) return [{ kind: "match", baseline: 0, candidate: 0 }];
  return new Programme(stretch, band).run();
}

/** Cost of a gap of `length` turns. */
function gap(length: number): number {
  return length === 0 ? 0 : GAP_OPEN + GAP_EXTEND * (length - 1);
}

class Programme {
  private readonly stretch: Stretch;
  private readonly band: number;
  private readonly span: number;
  private readonly pointers: Uint8Array;
  /** No optimal path costs more than this. */
  private readonly limit: number;

  constructor(stretch: Stretch, band: number) {
    this.stretch = stretch;
    this.band = Math.min(band, Math.max(stretch.height, stretch.width));
    this.span = Math.min(2 * this.band + 1, stretch.width + 1);
    this.pointers = new Uint8Array((stretch.height + 1) * this.span);
    this.limit = boundFromOneGap(stretch) + SLACK;
  }

  run(): AlignedStep[] {
    const { height, width } = this.stretch;
    // Rows of the three tables: best path so far that ends in a match, in an insertion, in a deletion.
    let match = new Float64Array(width + 1).fill(UNREACHED);
    let insert = new Float64Array(width + 1).fill(UNREACHED);
    let remove = new Float64Array(width + 1).fill(UNREACHED);
    let nextMatch = match.slice();
    let nextInsert = match.slice();
    let nextRemove = match.slice();
    match[0] = 0;
    for (let column = 1; column <= Math.min(width, this.band); column++) {
      match[column] = gap(column);
      insert[column] = gap(column);
    }
    for (let row = 1; row <= height; row++) {
      const from = Math.max(0, row - this.band);
      const to = Math.min(width, row + this.band);
      // Only the columns that this row and the next can read need to be wiped.
      const wipeFrom = Math.max(0, from - 2);
      const wipeTo = Math.min(width, to + 2) + 1;
      nextMatch.fill(UNREACHED, wipeFrom, wipeTo);
      nextInsert.fill(UNREACHED, wipeFrom, wipeTo);
      nextRemove.fill(UNREACHED, wipeFrom, wipeTo);
      if (from === 0) {
        nextMatch[0] = gap(row);
        nextRemove[0] = gap(row);
      }
      for (let column = Math.max(1, from); column <= to; column++) {
        let pointer = MATCH;
        let best = match[column - 1]!;
        if (insert[column - 1]! < best - TIE) {
          best = insert[column - 1]!;
          pointer = INSERT;
        }
        if (remove[column - 1]! < best - TIE) {
          best = remove[column - 1]!;
          pointer = DELETE;
        }
        const rest = gap(Math.abs(height - row - (width - column)));
        if (best + rest <= this.limit) nextMatch[column] = best + this.stretch.cost(row - 1, column - 1);

        const opened = nextMatch[column - 1]! + GAP_OPEN;
        const extended = nextInsert[column - 1]! + GAP_EXTEND;
        if (extended < opened - TIE) pointer |= INSERT_FROM_INSERT;
        nextInsert[column] = Math.min(opened, extended);

        const openedDown = match[column]! + GAP_OPEN;
        const extendedDown = remove[column]! + GAP_EXTEND;
        if (extendedDown < openedDown - TIE) pointer |= DELETE_FROM_DELETE;
        nextRemove[column] = Math.min(openedDown, extendedDown);

        this.pointers[this.cell(row, column)] = pointer;
      }
      [match, nextMatch] = [nextMatch, match];
      [insert, nextInsert] = [nextInsert, insert];
      [remove, nextRemove] = [nextRemove, remove];
    }
    let state = MATCH;
    if (insert[width]! < match[width]! - TIE) state = INSERT;
    if (remove[width]! < Math.min(match[width]!, insert[width]!) - TIE) state = DELETE;
    return this.walkBack(state);
  }

  private walkBack(last: number): AlignedStep[] {
    const steps: AlignedStep[] = [];
    let row = this.stretch.height;
    let column = this.stretch.width;
    let state = last;
    while (row > 0 || column > 0) {
      if (row === 0) {
        steps.push({ kind: "insert", candidate: --column });
      } else if (column === 0) {
        steps.push({ kind: "delete", baseline: --row });
      } else {
        const pointer = this.pointers[this.cell(row, column)]!;
        if (state === MATCH) {
          steps.push({ kind: "match", baseline: --row, candidate: --column });
          state = pointer & 3;
        } else if (state === INSERT) {
          steps.push({ kind: "insert", candidate: --column });
          state = pointer & INSERT_FROM_INSERT ? INSERT : MATCH;
        } else {
          steps.push({ kind: "delete", baseline: --row });
          state = pointer & DELETE_FROM_DELETE ? DELETE : MATCH;
        }
      }
    }
    return steps.reverse();
  }

  private cell(row: number, column: number): number {
    const first = this.span === this.stretch.width + 1 ? 0 : row - this.band;
    return row * this.span + column - first;
  }
}

/** The cheapest path with a single gap, wherever it stands: an upper bound that similar runs come close to. */
function boundFromOneGap(stretch: Stretch): number {
  const { height, width } = stretch;
  const length = Math.min(height, width);
  const shiftRow = Math.max(0, height - width);
  const shiftColumn = Math.max(0, width - height);
  let after = 0;
  for (let index = 0; index < length; index++) after += stretch.cost(index + shiftRow, index + shiftColumn);
  if (shiftRow === 0 && shiftColumn === 0) return after;
  let before = 0;
  let best = after;
  for (let index = 0; index < length; index++) {
    before += stretch.cost(index, index);
    after -= stretch.cost(index + shiftRow, index + shiftColumn);
    best = Math.min(best, before + after);
  }
  return best + gap(shiftRow + shiftColumn);
}
