/** The effects that came before something, as one short text: equal for equal sets, in whichever order they came. */
import { digestText } from "../canonical/digest.ts";

export class EffectSet {
  private readonly seen = new Map<string, readonly number[]>();
  private words: readonly number[] = [0, 0, 0, 0];

  add(key: string): void {
    if (this.seen.has(key)) return;
    const words = wordsOf(key);
    this.seen.set(key, words);
    this.words = mixed(this.words, words);
  }

  key(): string {
    return this.words.join();
  }

  /** As if this effect had not been: a call that is made again has itself before it. */
  keyWithout(key: string): string {
    const words = this.seen.get(key);
    return (words === undefined ? this.words : mixed(this.words, words)).join();
  }
}

function wordsOf(key: string): number[] {
  const hex = digestText(key, 32);
  return [0, 8, 16, 24].map((at) => Number.parseInt(hex.slice(at, at + 8), 16));
}

/** Putting in and taking out are the same. */
function mixed(left: readonly number[], right: readonly number[]): number[] {
  return left.map((word, index) => (word ^ right[index]!) >>> 0);
}
