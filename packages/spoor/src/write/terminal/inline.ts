/** Text on a terminal: painted, harmless, in the symbols it has; broken into lines or cut to a width. */

import { printable } from "@spoor/core/internal/text/printable";
import type { Text, Tone } from "../../document/document.ts";
import { runsOf } from "../../document/text.ts";
import { columnsOf, cut, cutMiddle, wrap } from "./layout.ts";
import { symbolOf } from "./symbol-of.ts";
import type { TerminalStyle } from "./terminal-style.ts";

/** One line, as long as it is. */
export function lineOf(text: Text, style: TerminalStyle): string {
  return runsOf(text, style.program)
    .map((run) => (run.mark === undefined ? paint(safe(run.text, style), run.tones, style) : symbolOf(run.mark, style)))
    .join("");
}

/** Without colours: what `columnsOf` and cuts count. */
export function wordsOf(text: Text, style: TerminalStyle): string {
  return runsOf(text, style.program)
    .map((run) => (run.mark === undefined ? safe(run.text, style) : style.symbols[run.mark]))
    .join("");
}

/** At most `columns` wide; the ellipsis counts among them. */
export function cutLine(text: Text, columns: number, style: TerminalStyle, where: "end" | "middle" = "end"): string {
  const whole = wordsOf(text, style);
  if (columnsOf(whole) <= columns) return lineOf(text, style);
  if (where === "middle") return cutMiddle(whole, columns, style.symbols.ellipsis);
  let room = columns - columnsOf(style.symbols.ellipsis);
  let line = "";
  for (const run of runsOf(text, style.program)) {
    const words = run.mark === undefined ? safe(run.text, style) : style.symbols[run.mark];
    const width = columnsOf(words);
    const kept = width <= room ? words : cut(words, room, "");
    line += paint(kept, run.tones, style);
    room -= columnsOf(kept);
    if (width > columnsOf(kept)) break;
  }
  return columns < columnsOf(style.symbols.ellipsis)
    ? cut(whole, columns, style.symbols.ellipsis)
    : line + style.symbols.ellipsis;
}

/** A paragraph after `prefix`, its further lines under the first one's text. */
export function hangText(prefix: string, text: Text, style: TerminalStyle): string[] {
  const indent = " ".repeat(columnsOf(prefix));
  return wrap(glued(lineOf(text, style)), style.columns - indent.length).map((line, index) =>
    ((index === 0 ? prefix : indent) + line.replaceAll(GLUE, " ")).trimEnd(),
  );
}

const GLUE = "\u00a0";

/** A number keeps its percent sign, and `p = 0.01` stays together. */
function glued(line: string): string {
  return line.replaceAll(/(\d) %/g, `$1${GLUE}%`).replaceAll("p = ", `p${GLUE}=${GLUE}`);
}

const PAINTER = { good: "good", bad: "bad", warn: "warn", dim: "dim", strong: "bold" } as const;

export function paint(words: string, tones: readonly Tone[], style: TerminalStyle): string {
  return tones.reduceRight((painted, tone) => style.paint[PAINTER[tone]](painted), words);
}

/** Our own symbols have a longer ASCII form; what else a text holds is replaced at the very end, column by column. */
function safe(text: string, style: TerminalStyle): string {
  const line = printable(text);
  return style.ascii ? line.replace(/[→…×−±]/g, (symbol) => IN_ASCII[symbol]!) : line;
}

const IN_ASCII: Readonly<Record<string, string>> = { "→": "->", "…": "...", "×": "x", "−": "-", "±": "+/-" };
