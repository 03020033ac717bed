import type { Mark } from "../../document/document.ts";
import type { TerminalStyle } from "./terminal-style.ts";

/** The symbol of a mark in its colour. */
export function symbolOf(mark: Mark, { symbols, paint }: TerminalStyle): string {
  switch (mark) {
    case "passed":
      return paint.good(symbols.passed);
    case "failed":
      return paint.bad(symbols.failed);
    case "warning":
      return paint.warn(symbols.warning);
    case "unknown":
      return paint.dim(symbols.unknown);
  }
}
