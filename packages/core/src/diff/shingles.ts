/**
 * Shingles: all runs of four characters of a text. Two texts that share most of their shingles say almost the same, whatever
 * moved around; Broder (1997), "On the resemblance and containment of documents".
 */

import { Interner } from "../stats/intern.ts";
import { isAscii } from "../trace/is-ascii.ts";

const LENGTH = 4;
const PACKED_BITS = 7;
const PACKED_MASK = (1 << (LENGTH * PACKED_BITS)) - 1;

/** The distinct shingles of a text, as numbers that mean the same in every text of one `Shingler`. */
export interface ShingleSet {
  readonly id: number;
  readonly shingles: Int32Array;
}

/**
 * Makes and compares shingle sets. Comparing one set with many others in a row costs one addition per shingle of the other: the
 * shingles of the first are marked once and counted in the rest.
 */
export class Shingler {
  /** Four ASCII characters are packed into a number; any other run is a text. */
  private readonly numbers = new Interner<number | string>();
  private marks = new Uint8Array(1024);
  private marked: ShingleSet | undefined;

  /** Linear in the text, plus a sort. A text shorter than four characters is its own single shingle; an empty one has none. */
  find(id: number, text: string): ShingleSet {
    const all = isAscii(text) && text.length >= LENGTH ? this.packed(text) : this.spelled(text);
    return { id, shingles: distinct(all.sort()) };
  }

  /** The share of shingles that two texts have in common (Jaccard), in [0, 1]; two empty texts are the same. */
  similarity(left: ShingleSet, right: ShingleSet): number {
    if (left.shingles.length === 0 && right.shingles.length === 0) return 1;
    this.mark(left);
    const { marks } = this;
    const { shingles } = right;
    let shared = 0;
    for (let index = 0; index < shingles.length; index++) shared += marks[shingles[index]!]!;
    return shared / (left.shingles.length + shingles.length - shared);
  }

  private mark(set: ShingleSet): void {
    if (this.marks.length < this.numbers.size) this.marks = resized(this.marks, 2 * this.numbers.size);
    if (this.marked === set) return;
    for (const shingle of this.marked?.shingles ?? []) this.marks[shingle] = 0;
    for (const shingle of set.shingles) this.marks[shingle] = 1;
    this.marked = set;
  }

  private packed(text: string): Int32Array {
    const shingles = new Int32Array(text.length - LENGTH + 1);
    let bits = 0;
    for (let index = 0; index < text.length; index++) {
      bits = ((bits << PACKED_BITS) | text.charCodeAt(index)) & PACKED_MASK;
      if (index >= LENGTH - 1) shingles[index - LENGTH + 1] = this.numbers.intern(bits);
    }
    return shingles;
  }

  private spelled(text: string): Int32Array {
    if (text === "") return new Int32Array(0);
    const chars = Array.from(text);
    const count = Math.max(1, chars.length - LENGTH + 1);
    return Int32Array.from({ length: count }, (_, start) => {
      const run = chars.slice(start, start + LENGTH).join("");
      return run.length === LENGTH && isAscii(run) ? this.packed(run)[0]! : this.numbers.intern(run);
    });
  }
}

function resized(marks: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(marks);
  return larger;
}

function distinct(sorted: Int32Array): Int32Array {
  let kept = 0;
  for (let index = 0; index < sorted.length; index++) {
    if (index === 0 || sorted[index] !== sorted[index - 1]) sorted[kept++] = sorted[index]!;
  }
  return sorted.slice(0, kept);
}
