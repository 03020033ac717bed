/**
 * The words of a run's texts and the 256 buckets they fall into.
 *
 * A word is a maximal run of Unicode letters of the lower-cased text; its bucket is the FNV-1a hash (32 bit) of its UTF-8
 * bytes modulo 256. The vector holds log2(1 + count) per bucket, divided by its Euclidean length, so that a text is
 * compared by what it says and not by how long it is. Cost: one pass over the text; a distinct word is hashed once.
 * Hashing instead of a dictionary: http://www.isthe.com/chongo/tech/comp/fnv/
 */
export const BUCKETS = 256;

/** How often each word occurs. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const lower = text.toLowerCase();
  let start = -1;
  for (let index = 0; index <= lower.length; ) {
    const code = index < lower.length ? lower.codePointAt(index)! : 0;
    if (isLetter(code)) {
      if (start < 0) start = index;
    } else if (start >= 0) {
      const word = lower.slice(start, index);
      counts.set(word, (counts.get(word) ?? 0) + 1);
      start = -1;
    }
    index += code > 0xffff ? 2 : 1;
  }
  return counts;
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

/** log2(1 + count) per bucket, scaled to length 1; all zero for a text without words. */
export function bucketVector(counts: ReadonlyMap<string, number>, bucketOf: (word: string) => number): Float64Array {
  const vector = new Float64Array(BUCKETS);
  for (const [word, count] of counts) vector[bucketOf(word)]! += count;
  let squares = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (vector[bucket] === 0) continue;
    const value = Math.log2(1 + vector[bucket]!);
    vector[bucket] = value;
    squares += value * value;
  }
  if (squares > 0) {
    const length = Math.sqrt(squares);
    for (let bucket = 0; bucket < BUCKETS; bucket++) vector[bucket]! /= length;
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
