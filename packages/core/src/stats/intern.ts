/** Gives equal values equal small integers, so that sequences compare by number. One interner serves both sequences. */
export class Interner<T> {
  private readonly numbers = new Map<T, number>();

  /** The number of a value: 0 for the first distinct value seen, then 1, 2, … */
  intern(value: T): number {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(value, number);
    }
    return number;
  }

  internAll(values: readonly T[]): Int32Array {
    const numbers = new Int32Array(values.length);
    for (let index = 0; index < values.length; index++) numbers[index] = this.intern(values[index]!);
    return numbers;
  }

  /** How many distinct values were seen. */
  get size(): number {
    return this.numbers.size;
  }
}
