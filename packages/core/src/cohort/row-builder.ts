/** A row in the making: columns and values in the order in which columns first came. Cost: constant per value. */
export class RowBuilder {
  /** The first `size` are those of the row. */
  columns = new Int32Array(256);
  values = new Float64Array(256);
  size = 0;
  /** Per column its place in the row. What a row before left there is known by another column at that place. */
  private places = new Int32Array(256);

  clear(): void {
    this.size = 0;
  }

  /** The amounts of a column that comes again are added up. */
  add(column: number, amount: number): void {
    if (column >= this.places.length) this.places = grown(this.places, column + 1);
    const place = this.places[column]!;
    if (place < this.size && this.columns[place] === column) {
      this.values[place]! += amount;
      return;
    }
    if (this.size === this.columns.length) {
      this.columns = grown(this.columns, this.size + 1);
      const values = new Float64Array(this.columns.length);
      values.set(this.values);
      this.values = values;
    }
    this.places[column] = this.size;
    this.columns[this.size] = column;
    this.values[this.size++] = amount;
  }
}

function grown(array: Int32Array, needed: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}
