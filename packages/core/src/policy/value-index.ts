/**
 * Values to be recognised wherever they turn up again: as a whole, inside a longer word, in the path of a link, in another letter
 * case, with or without the spaces people put into account numbers.
 *
 * Values are filed under their first characters, so that a text is searched in one pass however many values there are.
 */
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
  private readonly byStart = new Map<string, Map<string, KnownValue>>();
  private readonly width: number;
  private size = 0;
  private characters = 0;

  /** Values shorter than `width` are not kept. */
  constructor(width: number) {
    this.width = Math.max(1, width);
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
    if (this.byStart.get(folded.slice(0, this.width))?.has(folded) === true) return true;
    if (this.size >= max.values || this.characters + text.length > max.characters) return false;
    const known = { text, turn };
    this.file(folded, known);
    // An account number has the same meaning without its spaces; a sentence is not one word.
    if (GROUPED.test(folded)) this.file(folded.replace(GAPS, ""), known);
    return true;
  }

  /** The values that a text holds, each once, in the order of the text. */
  findIn(haystack: Haystack): readonly KnownValue[] {
    if (this.byStart.size === 0) return NONE;
    let found: Map<string, KnownValue> | undefined;
    for (const { text, starts } of haystack.cut(this.width)) {
      for (let at = 0; at < starts.length; at++) {
        const filed = this.byStart.get(starts[at]!);
        if (filed === undefined) continue;
        for (const [value, known] of filed) {
          if (found?.has(value) || !text.startsWith(value, at) || !standsAlone(text, at, value)) continue;
          if (haystack.isKey && !/[0-9@]/.test(value)) continue;
          found ??= new Map();
          found.set(value, known);
        }
      }
    }
    return found === undefined ? NONE : [...found.values()];
  }

  private file(folded: string, known: KnownValue): void {
    if (folded.length < this.width) return;
    const start = folded.slice(0, this.width);
    const filed = this.byStart.get(start);
    if (filed?.has(folded)) return;
    this.size++;
    this.characters += folded.length;
    if (filed === undefined) this.byStart.set(start, new Map([[folded, known]]));
    else filed.set(folded, known);
  }
}

const NONE: readonly KnownValue[] = [];

interface Spelling {
  readonly text: string;
  /** What stands at each of its places. */
  readonly starts: readonly string[];
}

/** A text to be searched, in each of its spellings. Every rule that follows values searches the same ones. */
export class Haystack {
  /** Of the name of a field only what cannot be one is a value. */
  readonly isKey: boolean;
  private readonly texts: readonly string[];
  private width = 0;
  private spellings: readonly Spelling[] = [];

  constructor(text: string, isKey: boolean) {
    const folded = fold(text);
    this.isKey = isKey;
    this.texts = [...new Set([folded, folded.replace(GAPS, ""), unescaped(folded)])];
  }

  cut(width: number): readonly Spelling[] {
    if (width !== this.width) {
      this.width = width;
      this.spellings = this.texts.map((text) => ({ text, starts: startsOf(text, width) }));
    }
    return this.spellings;
  }
}

function startsOf(text: string, width: number): readonly string[] {
  const starts: string[] = [];
  for (let at = 0; at + width <= text.length; at++) starts.push(text.slice(at, at + width));
  return starts;
}

/** Groups of letters and digits with single gaps between them, digits among them: an IBAN, a card, a telephone number. */
const GROUPED = /^(?=.*\d)[\p{L}\d]+(?:[ -][\p{L}\d]+)+$/u;
const GAPS = /(?<=[\p{L}\d])[ -](?=[\p{L}\d])/gu;

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().trim();
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
