/**
 * Where a limit stands among many values. Values fall into as many cells as there are values, of equal width from the smallest to the
 * largest one; a limit is then looked for in one cell only. Cost: linear where values are spread evenly, and never more than a sort and a
 * binary search per question.
 */
export class SortedPlaces {
  private readonly sorted: Float64Array;
  /** The values of cell c are those from `starts[c]` to `starts[c + 1] - 1`. */
  private readonly starts: Int32Array;
  private readonly least: number;
  private readonly perCell: number;

  constructor(values: Float64Array) {
    const count = values.length;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < count; at++) {
      if (values[at]! < least) least = values[at]!;
      if (values[at]! > most) most = values[at]!;
    }
    this.least = least;
    // Values without a usable distance, such as infinite ones, all fall into the first cell.
    const perCell = count / (most - least);
    this.perCell = perCell < Number.POSITIVE_INFINITY ? perCell : 0;
    this.starts = new Int32Array(count + 2);
    this.sorted = new Float64Array(count);
    this.fill(values);
  }

  /** How many values are below `limit`. */
  firstFrom(limit: number): number {
    const cell = this.cellOf(limit);
    let low = this.starts[cell]!;
    let high = this.starts[cell + 1]!;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]! < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private fill(values: Float64Array): void {
    const { sorted, starts } = this;
    const count = values.length;
    for (let at = 0; at < count; at++) starts[this.cellOf(values[at]!)]!++;
    // Each start begins as the end of its cell and moves down as the cell is filled.
    for (let cell = 1; cell < starts.length; cell++) starts[cell]! += starts[cell - 1]!;
    for (let at = 0; at < count; at++) sorted[--starts[this.cellOf(values[at]!)]!] = values[at]!;
    for (let cell = 0; cell <= count; cell++) {
      const [start, end] = [starts[cell]!, starts[cell + 1]!];
      if (end - start > MOST_INSERTED) sorted.subarray(start, end).sort();
      else insertionSort(sorted, start, end);
    }
  }

  /** Grows with the value, so that all values of earlier cells are below it and none of later cells is. */
  private cellOf(value: number): number {
    const at = (value - this.least) * this.perCell;
    return at > 0 ? Math.min(this.sorted.length, Math.floor(at)) : 0;
  }
}

/** A cell with more values is sorted by who knows how. */
const MOST_INSERTED = 12;

function insertionSort(values: Float64Array, start: number, end: number): void {
  for (let index = start + 1; index < end; index++) {
    const value = values[index]!;
    let at = index;
    for (; at > start && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}
