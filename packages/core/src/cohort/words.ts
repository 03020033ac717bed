/**
 * The words of a run's texts and the 256 buckets they fall into.
 *
 * A word is a maximal run of Unicode letters of the lower-cased text; its bucket is the FNV-1a hash (32 bit) of its UTF-8
 * bytes modulo 256. The vector holds log2(1 + count) per bucket, divided by its Euclidean length, so that a text is
 * compared by what it says and not by how long it is. Cost: one pass over the text.
 * Hashing instead of a dictionary: http://www.isthe.com/chongo/tech/comp/fnv/
 */
export const BUCKETS = 256;

/** Calls `visit` with every word of the text, in order. */
export function forEachWord(text: string, visit: (word: string) => void): void {
  const lower = text.toLowerCase();
  let start = -1;
  for (let index = 0; index <= lower.length; index++) {
    const unit = index < lower.length ? lower.charCodeAt(index) : 0;
    const code = unit >= 0xd800 && unit <= 0xdbff ? lower.codePointAt(index)! : unit;
    if (isLetter(code)) {
      if (start < 0) start = index;
    } else if (start >= 0) {
      visit(lower.slice(start, index));
      start = -1;
    }
    if (code > 0xffff) index++;
  }
}

/** The bucket of a word, from 0 to 255. */
export function wordBucket(word: string): number {
  let hash = 0x811c9dc5;
  for (const char of word) {
    const code = char.codePointAt(0)!;
    if (code < 0x80) hash = step(hash, code);
    else {
      if (code < 0x800) hash = step(hash, 0xc0 | (code >> 6));
      else {
        if (code < 0x10000) hash = step(hash, 0xe0 | (code >> 12));
        else hash = step(step(hash, 0xf0 | (code >> 18)), 0x80 | ((code >> 12) & 0x3f));
        hash = step(hash, 0x80 | ((code >> 6) & 0x3f));
      }
      hash = step(hash, 0x80 | (code & 0x3f));
    }
  }
  return hash & (BUCKETS - 1);
}

/** The bucket vector of a text; all zero for a text without words. */
export function textBuckets(text: string, bucketOf: (word: string) => number = wordBucket): Float64Array {
  const vector = new Float64Array(BUCKETS);
  forEachWord(text, (word) => {
    vector[bucketOf(word)]!++;
  });
  let squares = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (vector[bucket] === 0) continue;
    const value = Math.log2(1 + vector[bucket]!);
    vector[bucket] = value;
    squares += value * value;
  }
  if (squares > 0) {
    const length = Math.sqrt(squares);
    for (let bucket = 0; bucket < BUCKETS; bucket++) if (vector[bucket] !== 0) vector[bucket]! /= length;
  }
  return vector;
}

function step(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

const LETTER = /\p{L}/u;

function isLetter(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  return LETTER.test(String.fromCodePoint(code));
}
