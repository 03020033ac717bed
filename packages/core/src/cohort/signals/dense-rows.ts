/**
 * Rows over the columns that many scenarios touch, kept without gaps and added eight at a time: nearly all of the work of a large
 * cohort is done in `addEight`. Within a sum the rows follow each other, so that it is the same to the last digit as when they are
 * added singly. Cost: one addition per row and column, whether the row has the column or not.
 */
import type { RowList } from "./row-choice.ts";

export class DenseRows {
  private readonly columns: readonly number[];
  private readonly values: Float64Array;
  private readonly sums: readonly Float64Array[];

  /** `count` rows of 0 over `columns`, of which `batch` sums are made side by side. */
  constructor(columns: readonly number[], count: number, batch: number) {
    this.columns = columns;
    this.values = new Float64Array(count * columns.length);
    this.sums = Array.from({ length: batch }, () => new Float64Array(columns.length));
  }

  /** `slot`: the place of a column in `columns`. */
  put(row: number, slot: number, value: number): void {
    this.values[row * this.columns.length + slot] = value;
  }

  add(sum: number, { rows, signs, length }: RowList): void {
    const into = this.sums[sum]!;
    let at = 0;
    for (; at + 8 <= length; at += 8) addEight(into, this.values, rows, signs, at);
    for (; at < length; at++) addOne(into, this.values, rows[at]! * into.length, signs[at]!);
  }

  /** Moves a sum to where its columns stand among all, and begins it anew. */
  moveInto(all: Float64Array, sum: number): void {
    const own = this.sums[sum]!;
    for (let slot = 0; slot < own.length; slot++) all[this.columns[slot]!] = own[slot]!;
    own.fill(0);
  }
}

/** Eight at once: a sum that is written once for eight rows costs half of one that is written for each. */
function addEight(into: Float64Array, values: Float64Array, rows: Int32Array, signs: Float64Array, at: number): void {
  const width = into.length;
  const a = rows[at]! * width;
  const b = rows[at + 1]! * width;
  const c = rows[at + 2]! * width;
  const d = rows[at + 3]! * width;
  const e = rows[at + 4]! * width;
  const f = rows[at + 5]! * width;
  const g = rows[at + 6]! * width;
  const h = rows[at + 7]! * width;
  const ofA = signs[at]!;
  const ofB = signs[at + 1]!;
  const ofC = signs[at + 2]!;
  const ofD = signs[at + 3]!;
  const ofE = signs[at + 4]!;
  const ofF = signs[at + 5]!;
  const ofG = signs[at + 6]!;
  const ofH = signs[at + 7]!;
  for (let slot = 0; slot < width; slot++) {
    const half =
      into[slot]! +
      ofA * values[a + slot]! +
      ofB * values[b + slot]! +
      ofC * values[c + slot]! +
      ofD * values[d + slot]!;
    into[slot] =
      half + ofE * values[e + slot]! + ofF * values[f + slot]! + ofG * values[g + slot]! + ofH * values[h + slot]!;
  }
}

function addOne(into: Float64Array, values: Float64Array, from: number, sign: number): void {
  for (let slot = 0; slot < into.length; slot++) into[slot]! += sign * values[from + slot]!;
}
