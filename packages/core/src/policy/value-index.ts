/**
 * Values to be recognised wherever they turn up again: as a whole, inside a longer word, in the path of a link, in another letter
 * case, with or without the spaces people put into account numbers.
 *
 * Values are filed under a number made of their first characters. That number rolls along a text, so that it is searched in one
 * pass and without cutting it up, however many values there are.
 */
import { isAscii } from "../trace/is-ascii.ts";

export interface KnownValue {
  /** As it was first seen. */
  readonly text: string;
  readonly turn: number;
}

export interface ValueLimit {
  readonly values: number;
  readonly characters: number;
}

const NO_LIMIT: ValueLimit = { values: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

export class ValueIndex {
  private readonly byStart = new Map<number, Map<string, KnownValue>>();
  private readonly width: number;
  /** What the first of `width` characters adds to their number. */
  private readonly weight: number;
  private size = 0;
  private characters = 0;

  /** Values shorter than `width` are not kept. */
  constructor(width: number) {
    this.width = Math.max(1, width);
    this.weight = 1;
    for (let step = 1; step < this.width; step++) this.weight = Math.imul(this.weight, BASE);
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Every value, as `add` takes it. */
  all(): readonly KnownValue[] {
    return [...new Set([...this.byStart.values()].flatMap((filed) => [...filed.values()]))];
  }

  /** False when it is one too many: then a text in which none is found may hold one all the same. */
  add(text: string, turn: number, max: ValueLimit = NO_LIMIT): boolean {
    const folded = fold(text);
    if (this.byStart.get(this.startOf(folded))?.has(folded) === true) return true;
    if (this.size >= max.values || this.characters + text.length > max.characters) return false;
    const known = { text, turn };
    this.file(folded, known);
    // An account number has the same meaning without its spaces; a sentence is not one word.
    if (GROUPED.test(folded)) this.file(withoutGaps(folded), known);
    return true;
  }

  /** The values that a text holds, each once, in the order of the text. */
  findIn(haystack: Haystack): readonly KnownValue[] {
    if (this.byStart.size === 0) return NONE;
    const found = new Map<string, KnownValue>();
    for (const text of haystack.spellings) this.search(text, haystack.isKey, found);
    return found.size === 0 ? NONE : [...new Set(found.values())];
  }

  private search(text: string, isKey: boolean, found: Map<string, KnownValue>): void {
    const last = text.length - this.width;
    for (let at = 0, start = this.startOf(text); at <= last; at++) {
      if (at > 0) start = this.rolled(start, text.charCodeAt(at - 1), text.charCodeAt(at + this.width - 1));
      const filed = this.byStart.get(start);
      if (filed === undefined) continue;
      for (const [value, known] of filed) {
        if (found.has(value) || !text.startsWith(value, at) || !standsAlone(text, at, value)) continue;
        if (!isKey || /[0-9@]/.test(value)) found.set(value, known);
      }
    }
  }

  /** The number of the first `width` characters. */
  private startOf(text: string): number {
    let start = 0;
    for (let at = 0; at < this.width && at < text.length; at++)
      start = (Math.imul(start, BASE) + text.charCodeAt(at)) | 0;
    return start;
  }

  /** The number one character further on. */
  private rolled(start: number, leaving: number, coming: number): number {
    return (Math.imul(start - Math.imul(leaving, this.weight), BASE) + coming) | 0;
  }

  private file(folded: string, known: KnownValue): void {
    if (folded.length < this.width) return;
    const start = this.startOf(folded);
    const filed = this.byStart.get(start);
    if (filed?.has(folded)) return;
    this.size++;
    this.characters += folded.length;
    if (filed === undefined) this.byStart.set(start, new Map([[folded, known]]));
    else filed.set(folded, known);
  }
}

const NONE: readonly KnownValue[] = [];

/** Of the polynomial that makes a number of characters. */
const BASE = 0x01000193;

/** A text to be searched, in each of its spellings. Every rule that follows values searches the same ones. */
export class Haystack {
  /** Of the name of a field only what cannot be one is a value. */
  readonly isKey: boolean;
  readonly spellings: readonly string[];

  constructor(text: string, isKey: boolean) {
    const folded = fold(text);
    const joined = withoutGaps(folded);
    const plain = unescaped(folded);
    this.isKey = isKey;
    this.spellings = joined === folded && plain === folded ? [folded] : [...new Set([folded, joined, plain])];
  }
}

/** Groups of letters and digits with single gaps between them, digits among them: an IBAN, a card, a telephone number. */
const GROUPED = /^(?=.*\d)[\p{L}\d]+(?:[ -][\p{L}\d]+)+$/u;
const GAPS = /(?<=[\p{L}\d])[ -](?=[\p{L}\d])/gu;

const ASCII_GAPS = /([a-z\d])[ -](?=[a-z\d])/g;

function withoutGaps(folded: string): string {
  if (!folded.includes(" ") && !folded.includes("-")) return folded;
  return isAscii(folded) ? folded.replace(ASCII_GAPS, "$1") : folded.replace(GAPS, "");
}

function fold(text: string): string {
  // Most texts have nothing to normalise, and this runs at every guarded call.
  return (isAscii(text) ? text : text.normalize("NFKC")).toLowerCase().trim();
}

/** `a%40b.test` is a@b.test. */
function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/g, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

/** A number inside a longer number is another number. */
function standsAlone(text: string, at: number, value: string): boolean {
  if (!/^[\d.,]+$/.test(value)) return true;
  return !/[\d]/.test(text[at - 1] ?? "") && !/[\d]/.test(text[at + value.length] ?? "");
}
