/**
 * Numbers words, 0 for the first distinct one seen, then 1, 2, … A word is looked up as a piece of a longer text by the hash that came
 * with it, so that nothing is copied for a word that is known. Open addressing with linear probing; cost: the length of the word.
 */
export class WordTable {
  readonly words: string[] = [];
  private readonly hashes: number[] = [];
  /** 1 + the number of a word, 0 where there is none; at most half full. */
  private slots = new Int32Array(1024);

  /** The number of the word from `start` to `end` of `text`. Equal words must come with equal hashes. */
  numberOf(text: string, start: number, end: number, hash: number): number {
    let slot = this.firstSlot(hash);
    for (let entry = this.slots[slot]!; entry !== 0; entry = this.slots[slot]!) {
      if (this.hashes[entry - 1] === hash && isPiece(this.words[entry - 1]!, text, start, end)) return entry - 1;
      slot = (slot + 1) & (this.slots.length - 1);
    }
    this.words.push(text.slice(start, end));
    this.hashes.push(hash);
    this.slots[slot] = this.words.length;
    if (2 * this.words.length > this.slots.length) this.grow();
    return this.words.length - 1;
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    for (const [number, hash] of this.hashes.entries()) {
      let slot = this.firstSlot(hash);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = number + 1;
    }
  }

  /** The upper half of the hash is mixed in: a table takes only the lower bits. */
  private firstSlot(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.slots.length - 1);
  }
}

function isPiece(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let index = 0; index < word.length; index++) {
    if (word.charCodeAt(index) !== text.charCodeAt(start + index)) return false;
  }
  return true;
}
