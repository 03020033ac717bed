/** Two texts that are shown beside each other in little room: cut at their ends, long ones that begin alike would look the same. */

/** So much of what comes from the first difference on must be seen, where there is as much. */
const SEEN = 12;

/**
 * The text from near its first difference to the other one on, when that would be lost if both were cut to `length`; otherwise the whole text. A
 * quote it opens with stays. Whoever shows it cuts its end.
 */
export function sinceDifference(text: string, other: string, length: number, ellipsis = "…"): string {
  const longest = Math.max(text.length, other.length);
  if (longest <= length) return text;
  const same = sharedLength(text, other);
  if (same + Math.min(SEEN, longest - same) < length) return text;
  const quote = text.startsWith('"') ? '"' : "";
  const room = length - quote.length - ellipsis.length;
  // A third of the room for what leads there, and what the rest does not need.
  const before = Math.max(0, Math.floor(length / 3), room - (longest - same));
  const start = wordStart(text, same - before, same);
  return start <= quote.length ? text : `${quote}${ellipsis}${text.slice(start)}`;
}

function sharedLength(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one.charCodeAt(same) === other.charCodeAt(same)) same++;
  return same;
}

/** The first word that begins from there on; inside a long one, there, but never within a character. */
function wordStart(text: string, from: number, last: number): number {
  const space = text.indexOf(" ", Math.max(0, from - 1));
  if (space >= 0 && space < last) return space + 1;
  const isHalf = from > 0 && text.codePointAt(from - 1)! > 0xffff;
  return isHalf ? from + 1 : from;
}
