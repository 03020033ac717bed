/**
 * The words of a run's texts and the 256 buckets they fall into.
 *
 * A word is a maximal run of Unicode letters of the lower-cased text; its bucket is the FNV-1a hash (32 bit) of its UTF-8
 * bytes modulo 256. The vector holds log2(1 + count) per bucket, divided by its Euclidean length, so that a text is
 * compared by what it says and not by how long it is. Cost: one pass over the text.
 * Hashing instead of a dictionary: http://www.isthe.com/chongo/tech/comp/fnv/
 */
export const BUCKETS = 256;

/** A word as a piece of the lower-cased text, and its hash. */
export type VisitWord = (text: string, start: number, end: number, hash: number) => void;

/** Calls `visit` with every word of the text, in order. */
export function forEachWord(text: string, visit: VisitWord): void {
  const lower = text.toLowerCase();
  let start = -1;
  let hash = EMPTY_HASH;
  for (let index = 0; index <= lower.length; index++) {
    const unit = index < lower.length ? lower.charCodeAt(index) : 0;
    const code = unit >= 0xd800 && unit <= 0xdbff ? lower.codePointAt(index)! : unit;
    if (isLetter(code)) {
      if (start < 0) start = index;
      hash = stepCode(hash, code);
    } else if (start >= 0) {
      visit(lower, start, index, hash);
      start = -1;
      hash = EMPTY_HASH;
    }
    if (code > 0xffff) index++;
  }
}

/** The bucket of a word, from 0 to 255. */
export function wordBucket(word: string): number {
  let hash = EMPTY_HASH;
  for (const char of word) hash = stepCode(hash, char.codePointAt(0)!);
  return bucketOf(hash);
}

/** The bucket vector of a text; all zero for a text without words. `visit` is called with each word, `into` holds zeros only. */
export function textBuckets(text: string, visit?: VisitWord, into = new Float64Array(BUCKETS)): Float64Array {
  forEachWord(text, (lower, start, end, hash) => {
    into[bucketOf(hash)]!++;
    visit?.(lower, start, end, hash);
  });
  let squares = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (into[bucket] === 0) continue;
    const value = Math.log2(1 + into[bucket]!);
    into[bucket] = value;
    squares += value * value;
  }
  if (squares > 0) {
    const length = Math.sqrt(squares);
    for (let bucket = 0; bucket < BUCKETS; bucket++) if (into[bucket] !== 0) into[bucket]! /= length;
  }
  return into;
}

const EMPTY_HASH = 0x811c9dc5;

function bucketOf(hash: number): number {
  return hash & (BUCKETS - 1);
}

/** The hash after the UTF-8 bytes of one more character. */
function stepCode(hash: number, code: number): number {
  if (code < 0x80) return step(hash, code);
  let next = hash;
  if (code < 0x800) next = step(next, 0xc0 | (code >> 6));
  else {
    if (code < 0x10000) next = step(next, 0xe0 | (code >> 12));
    else next = step(step(next, 0xf0 | (code >> 18)), 0x80 | ((code >> 12) & 0x3f));
    next = step(next, 0x80 | ((code >> 6) & 0x3f));
  }
  return step(next, 0x80 | (code & 0x3f));
}

function step(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

const LETTER = /\p{L}/u;

function isLetter(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  return LETTER.test(String.fromCodePoint(code));
}
