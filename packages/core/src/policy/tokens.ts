/**
 * The distinct words of a text: lower-cased runs of letters and digits, at least two characters long. Scripts written
 * without spaces have no such runs; their words are taken as pairs of neighbouring characters, as search engines do.
 */
export function tokensOf(text: string): ReadonlySet<string> {
  if (ASCII.test(text)) return new Set(text.toLowerCase().match(ASCII_WORD));
  const words = new Set<string>();
  const lower = text.normalize("NFC").toLowerCase();
  for (const [run] of lower.matchAll(RUN)) {
    if (!UNSPACED.test(run)) {
      if (run.length >= 2) words.add(run);
    } else {
      for (const part of run.split(UNSPACED_RUN)) addRun(part, words);
    }
  }
  return words;
}

/** Most text is ASCII, and then a far cheaper search finds the same words. */
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]{2,}/g;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** Splits a mixed run, keeping the unspaced stretches. */
const UNSPACED_RUN = /([\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+)/u;

function addRun(part: string, words: Set<string>): void {
  if (!UNSPACED.test(part)) {
    if (part.length >= 2) words.add(part);
    return;
  }
  const characters = [...part];
  if (characters.length === 1) words.add(part);
  for (let index = 0; index + 1 < characters.length; index++) words.add(characters[index]! + characters[index + 1]!);
}
