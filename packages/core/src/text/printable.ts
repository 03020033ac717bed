/**
 * Text from traces is hostile until proven otherwise. Control characters, bidirectional marks and half surrogates are
 * shown as `\u{202e}` so that nothing in a trace can move the cursor, recolour the screen or reorder what is read.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/gu;

/** One line of safe text: newlines and tabs become single spaces, everything else unsafe becomes visible. */
export function printable(text: string): string {
  return text.replace(/\r\n|[\n\r\t]/g, " ").replace(UNSAFE, escapeCodePoint);
}

/** Safe text that keeps its line breaks. */
export function printableLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => line.replace(/\t/g, "  ").replace(UNSAFE, escapeCodePoint));
}

function escapeCodePoint(char: string): string {
  return `\\u{${char.codePointAt(0)!.toString(16)}}`;
}
