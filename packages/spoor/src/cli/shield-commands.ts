/**
 * GitHub's runner obeys whatever a step prints at the beginning of a line (`::add-mask::x`, `::stop-commands::x`) or, in its
 * older form, anywhere (`##[error]x`). Names and texts of traces may look like that, so such a text is printed between a word
 * that makes the runner deaf and the one that wakes it, which nobody can guess.
 */
import { randomBytes } from "node:crypto";
import type { Io } from "./io.ts";

const COMMAND = /^[^\S\n]*::|##\[/m;

export function shieldCommands(text: string, { env }: Pick<Io, "env">): string {
  if (env["GITHUB_ACTIONS"] !== "true" || !COMMAND.test(text)) return text;
  const word = `spoor-${randomBytes(16).toString("hex")}`;
  return `::stop-commands::${word}\n${text.replace(/(?<!\n)$/, "\n")}::${word}::\n`;
}
