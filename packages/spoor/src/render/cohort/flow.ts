/** Line breaks and symbols of the cohort's terminal reports. */
import { hang as hangPlain } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";

/** A hanging paragraph in which a number keeps its percent sign and `p = 0.01` stays together. */
export function hang(prefix: string, text: string, columns: number): string {
  const glued = text.replaceAll(" %", "\u00a0%").replaceAll("p = ", "p\u00a0=\u00a0");
  return hangPlain(prefix, glued, columns).replaceAll("\u00a0", " ");
}

/** The signs of these reports in the symbols that the terminal has. */
export function inSymbols(text: string, style: TerminalStyle): string {
  if (!style.ascii) return text;
  return text.replaceAll("−", "-").replaceAll("±", "+/-").replaceAll("…", "...");
}
