import type { Mark } from "../../document/document.ts";
import type { TerminalStyle } from "./terminal-style.ts";

/** The name of a mark's symbol, and of its colour. */
export const SYMBOL = { passed: "passed", failed: "failed", warning: "warning", unknown: "unknown" } as const;
const COLOUR = { passed: "good", failed: "bad", warning: "warn", unknown: "dim" } as const;

/** The symbol of a mark in its colour. */
export function symbolOf(mark: Mark, { symbols, paint }: TerminalStyle): string {
  return paint[COLOUR[mark]](symbols[SYMBOL[mark]]);
}
