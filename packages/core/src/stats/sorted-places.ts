/**
 * Where a limit stands among many values. The values are sorted once; a table of as many cells as values, of equal width from the
 * smallest to the largest value, then says between which of them to look. Cost: a sort; per question about one comparison where values
 * are spread evenly, and never more than a binary search.
 */
export class SortedPlaces {
  private readonly sorted: Float64Array;
  /** The values of cell c are those from `starts[c]` to `starts[c + 1] - 1`. */
  private readonly starts: Int32Array;
  private readonly perCell: number;

  constructor(values: Float64Array) {
    this.sorted = values.slice().sort();
    const count = values.length;
    const width = (this.sorted[count - 1] ?? 0) - (this.sorted[0] ?? 0);
    // Values without a usable distance, such as infinite ones, all fall into the first cell.
    this.perCell = width > 0 && count / width < Number.POSITIVE_INFINITY ? count / width : 0;
    this.starts = new Int32Array(count + 2);
    let cell = 0;
    for (let at = 0; at < count; at++) {
      for (const own = this.cellOf(this.sorted[at]!); cell < own; ) this.starts[++cell] = at;
    }
    this.starts.fill(count, cell + 1);
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

  /** Grows with the value, so that all values of earlier cells are below it and none of later cells is. */
  private cellOf(value: number): number {
    const at = (value - this.sorted[0]!) * this.perCell;
    return at > 0 ? Math.min(this.sorted.length, Math.floor(at)) : 0;
  }
}
