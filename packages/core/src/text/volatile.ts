/**
 * What differs between two runs without anyone having changed anything: ids that were drawn, clocks that were read, values that a
 * recording hides. Two texts that differ in nothing else say the same.
 */

/** Whether two texts differ in ids, times and hidden values at most. */
export function isSameButVolatile(left: string, right: string): boolean {
  if (left === right) return true;
  // Without a digit and without a bracket nothing can be masked, and most texts that differ do so in words.
  if (!/[\d[]/.test(left) && !/[\d[]/.test(right)) return false;
  const one = withoutVolatile(left);
  const other = withoutVolatile(right);
  return one === other || fitsHidden(one, other) || fitsHidden(other, one);
}

/** The text with every id and every time replaced by the name of its kind. */
export function withoutVolatile(text: string): string {
  // Nothing of the kind can stand in a text without a digit.
  if (!/\d/.test(text)) return text;
  return MASKS.reduce((masked, [pattern, kind]) => masked.replace(pattern, kind), text);
}

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d)\b)?)?/g, "<time>"],
  [/\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?: ?[ap]m\b)?/gi, "<time>"],
  [/\b(?:call|toolu|chatcmpl|msg|resp|req|run|fc|rs)[_-][A-Za-z0-9]{8,}\b/g, "<id>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b/gi, "<id>"],
  // Seconds and milliseconds since 1970, from 2001 to 2033.
  [/\b1\d{9}(?:\d{3})?\b/g, "<time>"],
];

const HIDDEN = /\[REDACTED:[^\]]*\]|\[removed\]/;

/** Whether `text` has every piece of `hidden` that was not hidden, in order. */
function fitsHidden(hidden: string, text: string): boolean {
  if (!HIDDEN.test(hidden)) return false;
  const pieces = hidden.split(new RegExp(HIDDEN, "g"));
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (!text.startsWith(first) || !text.slice(first.length).endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
