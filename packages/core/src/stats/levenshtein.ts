/**
 * How many insertions, deletions and substitutions turn one sequence into the other (Levenshtein, 1966).
 *
 * Similar sequences cost about distance² steps (furthest-reaching diagonals; Ukkonen, 1985, "Algorithms for approximate
 * string matching"); different ones left · right / 32 steps (bit-parallel; Myers, 1999, in the form of Hyyrö, 2003), in
 * memory that grows with the length only. Equal ends cost one comparison per item.
 */
import { equalEnds } from "./equal-ends.ts";
import { Interner } from "./intern.ts";

const WORD = 32;

export function levenshtein<T>(left: readonly T[] | Int32Array, right: readonly T[] | Int32Array): number {
  const { start, end } = equalEnds<unknown>(left, right);
  const leftRest = left.length - start - end;
  const rightRest = right.length - start - end;
  if (leftRest === 0 || rightRest === 0) return Math.max(leftRest, rightRest);
  if (leftRest === 1 && rightRest === 1) return 1;

  const interner = new Interner<unknown>();
  // The shorter one goes down the strips: fewer strips, same work per column.
  const [rows, columns] = leftRest <= rightRest ? [left, right] : [right, left];
  const down = interner.internAll(rows.slice(start, rows.length - end) as readonly unknown[]);
  const across = interner.internAll(columns.slice(start, columns.length - end) as readonly unknown[]);
  const stripSteps = Math.ceil(down.length / WORD) * across.length;
  return distanceByDiagonals(down, across, stripSteps) ?? distanceByStrips(down, across, interner.size);
}

/**
 * For each number of edits, how far each diagonal can be walked. Gives up (undefined) after `budget` steps, so that
 * two unrelated sequences lose no more than they would have paid anyway.
 */
function distanceByDiagonals(down: Int32Array, across: Int32Array, budget: number): number | undefined {
  const height = down.length;
  const width = across.length;
  const goal = width - height;
  const origin = height + 1;
  const furthest = new Int32Array(height + width + 3).fill(-1);
  let steps = 0;
  for (let edits = 0; ; edits++) {
    const lowest = Math.max(-edits, -height);
    const highest = Math.min(edits, width);
    // What the diagonals held one edit ago; -1 where there was no path yet.
    let before = lowest > -height - 1 ? furthest[origin + lowest - 1]! : -1;
    for (let diagonal = lowest; diagonal <= highest; diagonal++) {
      const here = furthest[origin + diagonal]!;
      const after = furthest[origin + diagonal + 1]!;
      let row = edits === 0 ? 0 : -1;
      if (here >= 0) row = here + 1;
      if (before > row) row = before;
      if (after >= 0 && after + 1 > row) row = after + 1;
      before = here;
      if (row < 0) continue;
      row = Math.min(row, height, width - diagonal);
      while (row < height && row + diagonal < width && down[row] === across[row + diagonal]) {
        row++;
        steps++;
      }
      furthest[origin + diagonal] = row;
    }
    if (furthest[origin + goal]! >= height) return edits;
    steps += highest - lowest + 1;
    if (steps > budget) return undefined;
  }
}

/** Strips of 32 rows; between strips only the horizontal difference (-1, 0, 1) of each column is kept. */
function distanceByStrips(down: Int32Array, across: Int32Array, distinct: number): number {
  const carries = new Int8Array(across.length).fill(1);
  const equal = new Int32Array(distinct);
  for (let top = 0; top < down.length; top += WORD) {
    const rows = Math.min(WORD, down.length - top);
    for (let row = 0; row < rows; row++) equal[down[top + row]!]! |= 1 << row;
    runStrip(equal, across, carries, 1 << (rows - 1));
    for (let row = 0; row < rows; row++) equal[down[top + row]!] = 0;
  }
  let distance = down.length;
  for (const carry of carries) distance += carry;
  return distance;
}

function runStrip(equal: Int32Array, across: Int32Array, carries: Int8Array, lastRow: number): void {
  let rising = -1;
  let falling = 0;
  for (let column = 0; column < across.length; column++) {
    const carry = carries[column]!;
    let matches = equal[across[column]!]!;
    const vertical = matches | falling;
    if (carry < 0) matches |= 1;
    const horizontal = (((matches & rising) + rising) ^ rising) | matches;
    let up = falling | ~(horizontal | rising);
    let down = rising & horizontal;
    carries[column] = (up & lastRow) !== 0 ? 1 : (down & lastRow) !== 0 ? -1 : 0;
    up <<= 1;
    down <<= 1;
    if (carry < 0) down |= 1;
    else if (carry > 0) up |= 1;
    rising = down | ~(vertical | up);
    falling = up & vertical;
  }
}
