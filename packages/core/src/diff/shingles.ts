/**
 * Shingles: all runs of four characters of a text. Two texts that share most of their shingles say almost the same, whatever
 * moved around; Broder (1997), "On the resemblance and containment of documents". Cost: linear, plus a sort.
 */
import type { Interner } from "../stats/intern.ts";

const LENGTH = 4;
const RARE = 1 << 28;

/**
 * The distinct shingles of a text in ascending order. Four ASCII characters are packed into 28 bits; any other run gets a
 * number of its own from `rare`, above those. A text shorter than four characters is its own single shingle.
 */
export function findShingles(text: string, rare: Interner<string>): Int32Array {
  if (text === "") return new Int32Array(0);
  return distinct((isAscii(text) ? packAscii(text, rare) : packAny(text, rare)).sort());
}

function packAscii(text: string, rare: Interner<string>): Int32Array {
  if (text.length < LENGTH) return Int32Array.of(RARE + rare.intern(text));
  const shingles = new Int32Array(text.length - LENGTH + 1);
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    bits = ((bits << 7) | text.charCodeAt(index)) & (RARE - 1);
    if (index >= LENGTH - 1) shingles[index - LENGTH + 1] = bits;
  }
  return shingles;
}

function packAny(text: string, rare: Interner<string>): Int32Array {
  const chars = Array.from(text);
  const count = Math.max(1, chars.length - LENGTH + 1);
  const shingles = new Int32Array(count);
  for (let start = 0; start < count; start++) {
    const run = chars.slice(start, start + LENGTH).join("");
    shingles[start] = run.length === LENGTH && isAscii(run) ? packAscii(run, rare)[0]! : RARE + rare.intern(run);
  }
  return shingles;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** The share of shingles two sets have in common (Jaccard); two empty sets are the same. */
export function shingleSimilarity(left: Int32Array, right: Int32Array): number {
  if (left.length === 0 && right.length === 0) return 1;
  const shared = countShared(left, right);
  return shared / (left.length + right.length - shared);
}

/** How many numbers two ascending lists of distinct numbers share. */
export function countShared(left: Int32Array, right: Int32Array): number {
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const a = left[i]!;
    const b = right[j]!;
    if (a === b) shared++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return shared;
}

function distinct(sorted: Int32Array): Int32Array {
  let kept = 0;
  for (let index = 0; index < sorted.length; index++) {
    if (index === 0 || sorted[index] !== sorted[index - 1]) sorted[kept++] = sorted[index]!;
  }
  return sorted.slice(0, kept);
}
