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
    if (this.size >= max.values || this.characters + text.length > max.characters)
      return this.byStart.get(folded.slice(0, this.width))?.has(folded) === true;
    const known = { text, turn };
    this.file(folded, known);
    // An account number has the same meaning without its spaces; a sentence is not one word.
    if (GROUPED.test(folded)) this.file(folded.replace(GAPS, ""), known);
    return true;
  }

  /** The values that a text holds, in the order of the text. `keys`: only those that cannot be the name of a field. */
  *findIn(text: string, keys = false): Generator<KnownValue> {
    if (this.byStart.size === 0) return;
    const folded = fold(text);
    const seen = new Set<string>();
    for (const haystack of new Set([folded, folded.replace(GAPS, ""), unescaped(folded)])) {
      for (let at = 0; at + this.width <= haystack.length; at++) {
        for (const [value, known] of this.byStart.get(haystack.slice(at, at + this.width)) ?? []) {
          if (seen.has(value) || !haystack.startsWith(value, at) || !standsAlone(haystack, at, value)) continue;
          if (keys && !/[0-9@]/.test(value)) continue;
          seen.add(value);
          yield known;
        }
      }
    }
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
