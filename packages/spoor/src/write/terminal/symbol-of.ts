import type { Mark } from "../../document/document.ts";
import type { TerminalStyle } from "./terminal-style.ts";

const COLOUR = { passed: "good", failed: "bad", warning: "warn", unknown: "dim" } as const;

/** The symbol of a mark in its colour. */
export function symbolOf(mark: Mark, { symbols, paint }: TerminalStyle): string {
  return paint[COLOUR[mark]](symbols[mark]);
}
