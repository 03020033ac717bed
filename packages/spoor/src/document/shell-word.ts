import { printable } from "@spoor/core/internal/text/printable";

/** A word of a printed command, quoted where a shell would read something else: spaces, globs, dollars, quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`;
}
