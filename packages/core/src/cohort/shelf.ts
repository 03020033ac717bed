/**
 * Many short arrays side by side in few long ones: to ask for memory once per array costs more than to fill it. They are kept as long as
 * any of their neighbours is, so a shelf is for arrays that live and die together.
 */
type Numbers = Int32Array | Float64Array | Uint8Array;

/** Numbers on one board. An array that is longer has its own. */
const BOARD = 16_384;

export class Shelf<T extends Numbers> {
  private readonly make: new (
    length: number,
  ) => T;
  private board: T;
  private used = 0;

  constructor(make: new (length: number) => T) {
    this.make = make;
    this.board = new make(BOARD);
  }

  /** An array of so many zeros. */
  take(length: number): T {
    if (length > BOARD) return new this.make(length);
    if (this.used + length > BOARD) {
      this.board = new this.make(BOARD);
      this.used = 0;
    }
    this.used += length;
    return this.board.subarray(this.used - length, this.used) as T;
  }

  /** A copy of the first `length` numbers. */
  keep(numbers: ArrayLike<number>, length: number): T {
    const kept = this.take(length);
    for (let index = 0; index < length; index++) kept[index] = numbers[index]!;
    return kept;
  }
}
