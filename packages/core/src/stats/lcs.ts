/**
 * Longest common subsequence: what two sequences share in the same order, gaps allowed.
 *
 * `lcsLength` is bit-parallel (Crochemore et al., 2001; Hyyrö, 2004, "Bit-parallel LCS-length computation revisited"):
 * left · right / 32 steps, memory linear. `lcsPairs` also says which items match, by divide and conquer (Hirschberg, 1975):
 * left · right steps, memory bounded by a few megabytes whatever the lengths. Equal ends cost one comparison per item.
 */
import { equalEnds } from "./equal-ends.ts";
import { Interner } from "./intern.ts";

const WORD = 32;
const TWO_32 = 4294967296;
/** Tables up to this many cells are kept whole; larger problems are halved first. */
const TABLE_CELLS = 1 << 20;

/** The length of a longest common subsequence. */
export function lcsLength<T>(left: readonly T[], right: readonly T[]): number {
  const { start, end } = equalEnds(left, right);
  const rows = left.length <= right.length ? left : right;
  const columns = rows === left ? right : left;
  const shared = start + end;
  if (rows.length === shared) return shared;

  const interner = new Interner<T>();
  const down = interner.internAll(rows.slice(start, rows.length - end));
  const across = interner.internAll(columns.slice(start, columns.length - end));
  const carries = new Uint8Array(across.length);
  const equal = new Int32Array(interner.size);
  let length = shared;
  for (let top = 0; top < down.length; top += WORD) {
    const height = Math.min(WORD, down.length - top);
    for (let row = 0; row < height; row++) equal[down[top + row]!]! |= 1 << row;
    length += runStrip(equal, across, carries, height);
    for (let row = 0; row < height; row++) equal[down[top + row]!] = 0;
  }
  return length;
}

/** Index pairs [left, right] of one longest common subsequence, ascending; among equals the earliest matches win. */
export function lcsPairs<T>(left: readonly T[], right: readonly T[]): [number, number][] {
  const { start, end } = equalEnds(left, right);
  const interner = new Interner<T>();
  const down = interner.internAll(left.slice(start, left.length - end));
  const across = interner.internAll(right.slice(start, right.length - end));
  const pairs: [number, number][] = [];
  for (let index = 0; index < start; index++) pairs.push([index, index]);
  matchWithin(down, across, start, start, pairs);
  for (let back = end; back > 0; back--) pairs.push([left.length - back, right.length - back]);
  return pairs;
}

/** One strip of rows across all columns; the carries of the addition travel to the next strip. Counts the strip's matches. */
function runStrip(equal: Int32Array, across: Int32Array, carries: Uint8Array, height: number): number {
  let open = 0xffffffff;
  for (let column = 0; column < across.length; column++) {
    const taken = (open & equal[across[column]!]!) >>> 0;
    const sum = open + taken + carries[column]!;
    carries[column] = sum >= TWO_32 ? 1 : 0;
    open = (sum | 0 | (open - taken)) >>> 0;
  }
  let matches = 0;
  for (let row = 0; row < height; row++) if (((open >>> row) & 1) === 0) matches++;
  return matches;
}

function matchWithin(
  down: Int32Array,
  across: Int32Array,
  downOffset: number,
  acrossOffset: number,
  pairs: [number, number][],
): void {
  if (down.length === 0 || across.length === 0) return;
  if (down.length === 1) {
    const at = across.indexOf(down[0]!);
    if (at >= 0) pairs.push([downOffset, acrossOffset + at]);
    return;
  }
  if ((down.length + 1) * (across.length + 1) <= TABLE_CELLS) {
    walkTable(down, across, downOffset, acrossOffset, pairs);
    return;
  }
  const middle = down.length >> 1;
  const above = lastRow(down.subarray(0, middle), across);
  const below = lastRow(down.slice(middle).reverse(), across.slice().reverse());
  let split = 0;
  let best = -1;
  for (let column = 0; column <= across.length; column++) {
    const total = above[column]! + below[across.length - column]!;
    if (total > best) {
      best = total;
      split = column;
    }
  }
  matchWithin(down.subarray(0, middle), across.subarray(0, split), downOffset, acrossOffset, pairs);
  matchWithin(down.subarray(middle), across.subarray(split), downOffset + middle, acrossOffset + split, pairs);
}

/** Lengths for all suffixes, then a walk from the start: a match is taken as soon as it loses nothing. */
function walkTable(
  down: Int32Array,
  across: Int32Array,
  downOffset: number,
  acrossOffset: number,
  pairs: [number, number][],
): void {
  const width = across.length + 1;
  const table = new Int32Array((down.length + 1) * width);
  for (let row = down.length - 1; row >= 0; row--) {
    for (let column = across.length - 1; column >= 0; column--) {
      const cell = row * width + column;
      table[cell] =
        down[row] === across[column] ? table[cell + width + 1]! + 1 : Math.max(table[cell + width]!, table[cell + 1]!);
    }
  }
  let row = 0;
  let column = 0;
  while (row < down.length && column < across.length) {
    const cell = row * width + column;
    if (down[row] === across[column]) pairs.push([downOffset + row++, acrossOffset + column++]);
    else if (table[cell + 1]! >= table[cell + width]!) column++;
    else row++;
  }
}

function lastRow(down: Int32Array, across: Int32Array): Int32Array {
  const row = new Int32Array(across.length + 1);
  for (const symbol of down) {
    let diagonal = 0;
    for (let column = 1; column < row.length; column++) {
      const above = row[column]!;
      row[column] = across[column - 1] === symbol ? diagonal + 1 : Math.max(above, row[column - 1]!);
      diagonal = above;
    }
  }
  return row;
}
