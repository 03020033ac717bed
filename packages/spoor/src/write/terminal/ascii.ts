/**
 * Plain ASCII for terminals that have nothing else. Spoor's own symbols have their ASCII form in the style; this is for
 * what traces and file names bring along. Every character keeps its columns, so that nothing moves.
 */
import { columnsOf } from "./layout.ts";

const ALIKE: ReadonlyMap<string, string> = new Map([
  ...spread("‘’‚‛′", "'"),
  ...spread("“”„‟″«»", '"'),
  ...spread("‐‑‒–—―−─━═", "-"),
  ...spread("│┃║┊┆", "|"),
  ...spread("┌┐└┘├┤┬┴┼╭╮╯╰╔╗╚╝", "+"),
  ...spread("•·●", "*"),
  ...spread("→›▸", ">"),
  ...spread("←‹◂", "<"),
  ...spread("×✗", "x"),
  ...spread("…", "."),
  ...spread("\u00a0", " "),
]);

export function toAscii(text: string): string {
  if (/^[\x00-\x7e]*$/.test(text)) return text;
  let plain = "";
  for (const char of text) plain += char <= "\u007e" ? char : (ALIKE.get(char) ?? "?".repeat(columnsOf(char)));
  return plain;
}

function spread(characters: string, alike: string): [string, string][] {
  return [...characters].map((character) => [character, alike]);
}
