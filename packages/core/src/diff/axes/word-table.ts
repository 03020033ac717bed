/**
 * Words as numbers. A word is a run of letters and digits in lower case; composed and decomposed spellings are one word. Plain ASCII text
 * is read character by character against a hash table of known words, without making a string per word: a diff reads every text
 * of both sides here, and that would be its largest cost.
 */
import { isAscii } from "../../trace/is-ascii.ts";
export class WordTable {
  private readonly numbers = new Map<string, number>();
  private readonly words: string[] = [];
  /** Open addressing over the hashes of known ASCII words: number + 1, 0 for a free place. */
  private slots = new Int32Array(1024);
  private inSlots = 0;

  /** How many words are known. */
  get size(): number {
    return this.words.length;
  }

  /** Adds every word of a text. */
  learn(text: string): void {
    for (const word of splitWords(text)) if (!this.numbers.has(word)) this.add(word);
  }

  /** The numbers of a text's words, in order; unknown words are left out. */
  find(text: string): number[] {
    const found: number[] = [];
    this.forEachKnown(text, (word) => found.push(word));
    return found;
  }

  /** Calls `visit` for every known word of a text, in order. */
  forEachKnown(text: string, visit: (word: number) => void): void {
    let from = -1;
    let hash = 0;
    for (let index = 0; index <= text.length; index++) {
      const unit = index < text.length ? text.charCodeAt(index) : 0;
      if (unit > 0x7f) {
        // The rest, from the word that holds this character, needs normalisation.
        this.forEachSpelled(text.slice(from < 0 ? index : from), visit);
        return;
      }
      const code = lowerCase[unit]!;
      if (code !== 0) {
        if (from < 0) {
          from = index;
          hash = SEED;
        }
        hash = Math.imul(hash ^ code, PRIME);
      } else if (from >= 0) {
        const number = this.lookUp(text, from, index, hash);
        if (number >= 0) visit(number);
        from = -1;
      }
    }
  }

  private forEachSpelled(text: string, visit: (word: number) => void): void {
    for (const word of splitWords(text)) {
      const number = this.numbers.get(word);
      if (number !== undefined) visit(number);
    }
  }

  private add(word: string): void {
    const number = this.words.length;
    this.numbers.set(word, number);
    this.words.push(word);
    if (!isAscii(word)) return;
    if (2 * (this.inSlots + 1) > this.slots.length) this.grow();
    this.place(word, number);
    this.inSlots++;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    this.words.forEach((word, number) => {
      // The newest word is placed by its caller.
      if (number < this.words.length - 1 && isAscii(word)) this.place(word, number);
    });
  }

  private place(word: string, number: number): void {
    const mask = this.slots.length - 1;
    let slot = spread(hashWord(word)) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = number + 1;
  }

  private lookUp(text: string, from: number, to: number, hash: number): number {
    const mask = this.slots.length - 1;
    for (let slot = spread(hash) & mask; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.slots[slot]! - 1;
      if (isWordAt(text, from, to, this.words[number]!)) return number;
    }
    return -1;
  }
}

const WORD = /[\p{Alphabetic}\p{N}]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;

/** The words of any text, as strings. */
export function splitWords(text: string): readonly string[] {
  if (isAscii(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  // Letter by letter a capital sigma has one lower case; only whole words give it a second, at their end.
  return (
    text
      .normalize("NFC")
      .replace(/\u03a3/g, "\u03c3")
      .toLowerCase()
      .match(WORD) ?? []
  );
}

/** ASCII letters and digits in lower case; 0 for everything that separates words. */
const lowerCase = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code).toLowerCase();
  if (/[a-z0-9]/.test(char)) lowerCase[code] = char.charCodeAt(0);
}

// FNV-1a (Fowler, Noll, Vo), with a final mix so that the low bits can be used as an address.
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

function hashWord(word: string): number {
  let hash = SEED;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), PRIME);
  return hash;
}

function spread(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isWordAt(text: string, from: number, to: number, word: string): boolean {
  if (word.length !== to - from) return false;
  for (let index = 0; index < word.length; index++) {
    if (lowerCase[text.charCodeAt(from + index)] !== word.charCodeAt(index)) return false;
  }
  return true;
}
