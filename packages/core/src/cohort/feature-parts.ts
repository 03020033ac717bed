/** What the features of all groups are made with. */

/** Parts of a feature's identity are joined with this, because tool names and keys may hold dots and angle brackets. */
export const JOIN = "\u0000";

/** L(x) = log2(1 + x): from 1 to 2 calls weighs more than from 11 to 12. */
export function logCount(count: number): number {
  return Math.log2(1 + count);
}

/** Takes in one feature of a group; the amounts of a feature that comes again are added up. */
export type AddFeature = (identity: string, amount: number) => void;

/** How identities are put together. */
export interface Identities {
  /** Of two parts. */
  pair(first: string, second: string): string;
  /** Of a mark and a name: `has:refund`. */
  marked(mark: string, name: string): string;
}

export const plainIdentities: Identities = {
  pair: (first, second) => first + JOIN + second,
  marked: (mark, name) => mark + name,
};

/** Makes each text once: the very same text is found in a table at a fraction of the price of an equal one. */
export function rememberedIdentities(): Identities {
  return { pair: remembered(plainIdentities.pair), marked: remembered(plainIdentities.marked) };
}

function remembered(make: (first: string, second: string) => string): (first: string, second: string) => string {
  const known = new Map<string, Map<string, string>>();
  return (first, second) => {
    let ofFirst = known.get(first);
    if (ofFirst === undefined) {
      ofFirst = new Map();
      known.set(first, ofFirst);
    }
    let made = ofFirst.get(second);
    if (made === undefined) {
      made = make(first, second);
      ofFirst.set(second, made);
    }
    return made;
  };
}

export function addTo(totals: Map<string, number>, key: string, amount: number): void {
  totals.set(key, (totals.get(key) ?? 0) + amount);
}

export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) count--;
  }
  return count;
}
